/** Why somebody is asked to sign in: he wants to, the page needs it, or the order was opened by somebody else. */
export type SignInReason = "asked" | "needed" | "used-link" | "old-link"

/** Screens without a path: they appear at the address that needs them, with the right status (design, section 4). */
export type InPlace =
  | {
      readonly kind: "sign-in"
      readonly reason: SignInReason
      readonly problem: "wrong" | "too-many" | "busy" | null
      readonly retryAfterSeconds: number
      readonly email: string
      /** Translation keys by field. */
      readonly fieldProblems: Readonly<Record<string, readonly string[]>>
    }
  | { readonly kind: "fraud"; readonly reference: string }

export function isInPlace(thrown: unknown): thrown is InPlace {
  if (typeof thrown !== "object" || thrown === null || !("kind" in thrown)) return false
  return thrown.kind === "sign-in" || thrown.kind === "fraud"
}

const signIn = {
  kind: "sign-in",
  reason: "asked",
  problem: null,
  retryAfterSeconds: 0,
  email: "",
  fieldProblems: {},
} as const satisfies InPlace

/** The sign-in screen, with what is to be said on it. */
export function signInScreen(differences: Partial<Extract<InPlace, { kind: "sign-in" }>>): InPlace {
  return { ...signIn, ...differences }
}
