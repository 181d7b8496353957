import type { Money } from "./money"

/** Why somebody is asked to sign in: he wants to, the page needs it, or the order was opened by somebody else. */
export type SignInReason = "asked" | "needed" | "used-link" | "old-link"

/** Screens without a path: they appear at the address that needs them, with the right status (design, section 4). */
export type Interstitial =
  | {
      readonly kind: "sign-in"
      readonly reason: SignInReason
      readonly problem: "wrong" | "too-many" | "busy" | null
      readonly retryAfterSeconds: number
      readonly email: string
      /** Translation keys by field. */
      readonly fieldProblems: Readonly<Record<string, readonly string[]>>
    }
  /** `refused`: the operator has said no; otherwise it is held until he has looked at it. */
  | { readonly kind: "fraud"; readonly reference: string; readonly refused: boolean }
  /** Asks whether the browser is to forget what it has of its visitor. */
  | { readonly kind: "forget" }
  /** Asks whether an order that was made in another browser is to be opened in this one. */
  | {
      readonly kind: "resume"
      readonly reference: string
      readonly total: Money
      /** Another order is open in this browser. */
      readonly replaces: boolean
    }

const kinds = { "sign-in": true, fraud: true, forget: true, resume: true } satisfies Record<
  Interstitial["kind"],
  true
>

export function isInPlace(thrown: unknown): thrown is Interstitial {
  if (typeof thrown !== "object" || thrown === null || !("kind" in thrown)) return false
  return typeof thrown.kind === "string" && Object.hasOwn(kinds, thrown.kind)
}

const signIn = {
  kind: "sign-in",
  reason: "asked",
  problem: null,
  retryAfterSeconds: 0,
  email: "",
  fieldProblems: {},
} as const satisfies Interstitial

/** The sign-in screen, with what is to be said on it. */
export function signInScreen(differences: Partial<Extract<Interstitial, { kind: "sign-in" }>>): Interstitial {
  return { ...signIn, ...differences }
}
