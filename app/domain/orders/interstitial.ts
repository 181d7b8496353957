import type { QuoteLine } from "../catalogue/pricing"
import type { RefusedForm } from "../refused-form"

/**
 * Why the sign-in screen is shown: requested, required by the page or by the order of a link, or a link that has been used or
 * has expired. `old-mail`: the link of a sign-in message. `old-playlist`: the address of a playlist.
 */
export type SignInReason =
  | "asked"
  | "needed"
  | "order"
  | "used-link"
  | "old-link"
  | "old-mail"
  | "old-playlist"

/** Screens without a path: shown at the URL that needs them, with the right status (specification, Screens). */
export type Interstitial =
  | {
      readonly kind: "sign-in"
      readonly reason: SignInReason
      /** The known e-mail. */
      readonly email: string
      /** The form that `lastResult` answers: the one that asks for a message, or the one with the password. */
      readonly form: "mail" | "password"
      readonly lastResult: RefusedForm | null
      /** How long to wait after too many attempts; 0: none. */
      readonly retryAfterSeconds: number
      /** What who comes back from a payment reads in place of the screen's own heading and reason. */
      readonly returned: Returned | null
    }
  /** Asks for the code of a sign-in message. `isSentAgain`: the visitor has asked for another one. */
  | {
      readonly kind: "sign-in-code"
      /** As typed. */
      readonly email: string
      readonly isSentAgain: boolean
      readonly lastResult: RefusedForm | null
      readonly retryAfterSeconds: number
    }
  /** The page of a sign-in link: signs in by its button. */
  | { readonly kind: "sign-in-link"; readonly email: string }
  /** The page of a link that stops or undoes a change of e-mail, in the page's language. `action`: null without a button. */
  | {
      readonly kind: "email-change"
      readonly heading: string
      readonly lead: string
      readonly action: string | null
      /** To the sign-in; null where it does not help. */
      readonly signIn: string | null
    }
  /** The signed-in customer has no service. `note`: how an unpaid order is opened, in the page's language. */
  | { readonly kind: "no-service"; readonly email: string; readonly note: string }
  /** `refused`: the operator has refused the order; otherwise it is on hold until a decision. */
  | {
      readonly kind: "fraud"
      readonly reference: string
      readonly refused: boolean
      /** How the buyer hears of the decision, in the page's language; null for an order that is refused. */
      readonly note: string | null
      /** Without script; null: the page does not reload. */
      readonly refreshSeconds: number | null
      /** Stops the reloads, starts them again, or looks once; null for an order that is refused. */
      readonly reloads: { readonly text: string; readonly path: string } | null
    }
  /** Asks for confirmation of "Forget this device". */
  | { readonly kind: "forget" }
  /** Asks a browser that comes back from a payment whether to open the order, which another browser has placed. */
  | {
      readonly kind: "resume"
      /** Its payment has been seen, or has arrived: there is nothing left to do. */
      readonly isPaid: boolean
      readonly returned: Returned
      readonly reference: string
      /** In the page's language. */
      readonly total: string
      readonly lines: readonly QuoteLine[]
      /** What is to be paid, until when it then runs, and what else the review says, one a line. */
      readonly facts: string
    }

/** How far the payment has come, in the page's language. */
export type Returned = { readonly heading: string; readonly lead: string }

const kinds = {
  "sign-in": true,
  "sign-in-code": true,
  "sign-in-link": true,
  "email-change": true,
  "no-service": true,
  fraud: true,
  forget: true,
  resume: true,
} satisfies Record<Interstitial["kind"], true>

/** Whether something thrown is an interstitial. */
export function isInterstitial(thrown: unknown): thrown is Interstitial {
  if (typeof thrown !== "object" || thrown === null || !("kind" in thrown)) return false
  return typeof thrown.kind === "string" && Object.hasOwn(kinds, thrown.kind)
}

const signIn = {
  kind: "sign-in",
  reason: "asked",
  email: "",
  form: "password",
  lastResult: null,
  retryAfterSeconds: 0,
  returned: null,
} as const satisfies Interstitial

/** The sign-in screen with the given properties. */
export function signInScreen(differences: Partial<Extract<Interstitial, { kind: "sign-in" }>>): Interstitial {
  return { ...signIn, ...differences }
}
