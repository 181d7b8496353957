import { type Instant, MINUTE } from "../calendar"
import type { LocaleCode } from "../locales"
import type { Currency } from "../money/money"

/**
 * Access level of an authenticated customer. `account`: everything. `sign-up`: what was ordered under the password chosen
 * at sign-up. Such a customer has not proven the e-mail, so purchases of others under it stay inaccessible.
 */
export type AccessLevel = "account" | "sign-up"

/** Access scope of an authenticated customer, and of an order when it was placed. */
export type AccessScope = {
  readonly reach: AccessLevel
  /**
   * With `sign-up`: id of the password. A new password set by its holder keeps the id. Without one (sessions and orders
   * from before password ids) nothing is in scope.
   */
  readonly passwordId?: string | null | undefined
}

/** A customer account, identified by e-mail. */
export type Customer = AccessScope & {
  readonly id: string
  readonly email: string
  readonly locale: LocaleCode
  readonly currency: Currency
}

/** An authenticated customer: id and access scope. */
export type AuthenticatedCustomer = Pick<Customer, "id" | "reach" | "passwordId">

/** Access scope of an order for a customer's account; null if the session is not authenticated for it. */
export function scopeFor(customerId: string, customer: AuthenticatedCustomer | null): AccessScope | null {
  if (customer?.id !== customerId) return null
  const { reach, passwordId } = customer
  return reach === "account" ? { reach } : { reach, passwordId }
}

/**
 * Whether a scope covers an order placed in another (null: not authenticated, or unknown). `account` covers everything; a
 * sign-up password covers orders under that same password only.
 */
export function covers(scope: AccessScope, orderedIn: AccessScope | null): boolean {
  if (scope.reach === "account") return true
  return (
    Boolean(scope.passwordId) && orderedIn?.reach === "sign-up" && orderedIn.passwordId === scope.passwordId
  )
}

/** Whether a customer is authenticated for the whole account that something belongs to, and may decide about its credit. */
export function ownsAccount(
  customer: AuthenticatedCustomer | null,
  { customerId }: { readonly customerId: string },
): boolean {
  return customer?.id === customerId && customer.reach === "account"
}

/** How a customer was authenticated. `trusted-link`: an unsigned e-mail link, with TRUST_EMAIL_LINKS. */
export const proofs = ["password", "link", "trusted-link"] as const

/** How and when a customer was authenticated. Using the session renews neither. */
export type Proof = { readonly how: (typeof proofs)[number]; readonly at: Instant }

/** How long a sign-in counts as fresh proof for what could take an account from its owner. */
export const RECENT_PROOF_PERIOD = 15 * MINUTE

/** Whether a session was signed in a moment ago, by the password or by mail: whoever found the browser open was not. */
export function hasRecentProof(proof: Proof | null, now: Instant): boolean {
  if (proof === null || proof.how === "trusted-link") return false
  return now - proof.at < RECENT_PROOF_PERIOD
}

/** Length limits of passwords in characters; the maximum bounds the cost of hashing. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const
