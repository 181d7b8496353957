import type { Instant } from "./calendar"
import type { LocaleCode } from "./locales"
import type { Currency } from "./money"

/**
 * How much of an account somebody has proven to be his. `account`: all of it. `sign-up`: what was ordered by whoever
 * chose the password when the account was made. Nobody has shown that the e-mail is his, so what others buy by typing
 * it, perhaps its real owner, is not for him.
 */
export type Reach = "account" | "sign-up"

/** Somebody the books know by his e-mail. */
export type Customer = {
  readonly id: string
  readonly email: string
  readonly locale: LocaleCode
  readonly currency: Currency
  readonly reach: Reach
}

/** Somebody who has proven himself, as far as anybody has to know. */
export type Proven = Pick<Customer, "id" | "reach">

/** The ways in which customers prove who they are: `trusted-link` is any link with an e-mail, where the operator trusts those. */
export const proofs = ["password", "link", "trusted-link"] as const

/** How and when a customer has proven who he is. Using a session renews neither. */
export type Proof = { readonly how: (typeof proofs)[number]; readonly at: Instant }

/** The shortest password that is taken; the longest keeps the hashing bounded. In characters. */
export const PASSWORD_LENGTH = { least: 10, most: 200 } as const
