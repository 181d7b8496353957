import { BillingOverloaded, isRefusedByBilling } from "~/billing/billing"
import type { LoggedServices, Services } from "~/context/services.server"
import {
  type AuthenticatedCustomer,
  type Customer,
  hasRecentProof,
  type Proof,
} from "~/domain/customers/customer"
import type { RateLimitSubject } from "~/security/rate-limits.server"
import { type NewPasswordVerdict, rateNewPassword } from "./rate-new-password.server"

type Session = {
  readonly customer: (AuthenticatedCustomer & Pick<Customer, "email">) | null
  readonly proof: Proof | null
}

/** What a session has to show before it sets the account's password: to sign in again, or nothing more. */
export type PasswordProof = "sign-in" | "nothing"

/**
 * What a session still has to show; null if it may not set the password. Only an authenticated one may: a session by
 * TRUST_EMAIL_LINKS is not, and a password would outlast that setting. It must have been signed in a moment ago, because a
 * password proves the account for a change of e-mail: whoever finds a browser open would take the account with both.
 */
export function passwordProof(
  { shop, now }: Pick<Services, "shop" | "now">,
  { customer, proof }: Session,
): PasswordProof | null {
  if (customer === null || shop.trustEmailLinks || !isKnown(customer)) return null
  return hasRecentProof(proof, now()) ? "nothing" : "sign-in"
}

/** Sessions from before sign-up passwords had ids contain no password id. */
function isKnown({ reach, passwordId }: AuthenticatedCustomer): boolean {
  return reach === "account" || Boolean(passwordId)
}

export type PasswordChange =
  | { readonly kind: "done" }
  /** The session may not set it, or its sign-up password is no longer the account's. */
  | { readonly kind: "not-permitted" }
  /** Sign in again first. */
  | { readonly kind: "sign-in" }
  | Exclude<NewPasswordVerdict, { kind: "good" }>

type Chosen = { readonly password: string; readonly who: RateLimitSubject }

/** Sets a customer's password, with the same strength as at sign-up, and ends all earlier sessions. */
export async function setPassword(
  services: LoggedServices,
  session: Session,
  { password, who }: Chosen,
): Promise<PasswordChange> {
  const { customer } = session
  const needed = passwordProof(services, session)
  if (customer === null || needed === null) return { kind: "not-permitted" }
  if (needed === "sign-in") return { kind: "sign-in" }
  const verdict = await rateNewPassword(services, { password, email: customer.email }, who)
  return verdict.kind === "good" ? set(services, customer, password) : verdict
}

async function set(
  { billing, log, now }: Pick<LoggedServices, "billing" | "log" | "now">,
  customer: AuthenticatedCustomer,
  password: string,
): Promise<PasswordChange> {
  try {
    await billing.setPassword(customer, password, now)
    return { kind: "done" }
  } catch (error) {
    if (error instanceof BillingOverloaded) {
      log.warn({ err: error }, "password not set: overload")
      return { kind: "overloaded", retryAfterSeconds: error.retryAfterSeconds }
    }
    if (isRefusedByBilling(error)) return { kind: "not-permitted" }
    throw error
  }
}
