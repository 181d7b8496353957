import type { Instant } from "./calendar"
import type { LocaleCode } from "./locales"
import type { Currency } from "./money"

/**
 * How much of an account somebody has proven to be his. `account`: all of it. `sign-up`: what was ordered under the
 * password that was chosen when the account was made. Nobody has shown that the e-mail is his, so what others buy by
 * typing it, or after proving that it is theirs, is not for him.
 */
export type AccessLevel = "account" | "sign-up"

/** What an authenticated customer may see, and how an order was authenticated when it was placed. */
export type AccessScope = {
  readonly reach: AccessLevel
  /**
   * With `sign-up`: which password. It keeps its id when whoever proved it chooses another. Without one (sessions and
   * orders of before passwords had ids) nothing is in scope.
   */
  readonly passwordId?: string | null | undefined
}

/** Somebody the books know by his e-mail. */
export type Customer = AccessScope & {
  readonly id: string
  readonly email: string
  readonly locale: LocaleCode
  readonly currency: Currency
}

/** Somebody who has proven himself, as far as anybody has to know. */
export type AuthenticatedCustomer = Pick<Customer, "id" | "reach" | "passwordId">

/** The scope in which somebody orders for a customer's account; null where he has not proven to be that customer. */
export function scopeFor(customerId: string, customer: AuthenticatedCustomer | null): AccessScope | null {
  if (customer?.id !== customerId) return null
  const { reach, passwordId } = customer
  return reach === "account" ? { reach } : { reach, passwordId }
}

/**
 * Whether a scope covers what was ordered in another (null: nobody had authenticated, or that is not known). The whole
 * account covers everything; a sign-up password covers what was ordered under that very password, and nothing else.
 */
export function covers(scope: AccessScope, orderedIn: AccessScope | null): boolean {
  if (scope.reach === "account") return true
  return (
    Boolean(scope.passwordId) && orderedIn?.reach === "sign-up" && orderedIn.passwordId === scope.passwordId
  )
}

/** The ways in which customers prove who they are: `trusted-link` is any link with an e-mail, where the operator trusts those. */
export const proofs = ["password", "link", "trusted-link"] as const

/** How and when a customer has proven who he is. Using a session renews neither. */
export type Proof = { readonly how: (typeof proofs)[number]; readonly at: Instant }

/** The shortest password that is taken; the longest keeps the hashing bounded. In characters. */
export const PASSWORD_LENGTH = { least: 10, most: 200 } as const
