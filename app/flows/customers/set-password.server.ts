import { BillingError, BillingOverloaded } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import type { AuthenticatedCustomer, Customer } from "~/domain/customer"
import type { RateLimitSubject } from "~/security/rate-limits.server"
import { type NewPasswordVerdict, rateNewPassword } from "./rate-new-password.server"

/**
 * Whether a visitor may choose the password of an account: only who has proven that it is his. Where an e-mail in a
 * link is trusted, being signed in proves nothing, and a password would outlast that trust.
 */
export function mayChoosePassword(
  { shop }: Services,
  customer: AuthenticatedCustomer | null,
): customer is AuthenticatedCustomer {
  return customer !== null && !shop.trustEmailLinks && isKnown(customer)
}

/** A session of before sign-up passwords had ids does not say which of them it has proven. */
function isKnown({ reach, passwordId }: AuthenticatedCustomer): boolean {
  return reach === "account" || Boolean(passwordId)
}

export type PasswordChange =
  | { readonly kind: "done" }
  /** It is not his to choose, or the sign-up password he has proven is no longer the account's. */
  | { readonly kind: "not-his" }
  | Exclude<NewPasswordVerdict, { kind: "good" }>

type Chosen = { readonly password: string; readonly who: RateLimitSubject }

/** Sets the password a customer has chosen, which has to be as good as at a sign-up, and ends his sessions of before. */
export async function setPassword(
  services: Services,
  customer: (AuthenticatedCustomer & Pick<Customer, "email">) | null,
  { password, who }: Chosen,
): Promise<PasswordChange> {
  if (customer === null || !mayChoosePassword(services, customer)) return { kind: "not-his" }
  const verdict = await rateNewPassword(services, { password, email: customer.email }, who)
  return verdict.kind === "good" ? set(services, customer, password) : verdict
}

async function set(
  { billing, log, now }: Services,
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
    if (error instanceof BillingError && error.kind === "refused") return { kind: "not-his" }
    throw error
  }
}
