import { BillingError, BillingOverloaded } from "~/billing/billing"
import type { LoggedServices, Services } from "~/context/services.server"
import type { AuthenticatedCustomer, Customer } from "~/domain/customer"
import type { RateLimitSubject } from "~/security/rate-limits.server"
import { type NewPasswordVerdict, rateNewPassword } from "./rate-new-password.server"

/**
 * Whether a session may set the account's password: only an authenticated one. A session by TRUST_EMAIL_LINKS is not
 * authenticated, and a password would outlast that setting.
 */
export function mayChoosePassword(
  { shop }: Pick<Services, "shop">,
  customer: AuthenticatedCustomer | null,
): customer is AuthenticatedCustomer {
  return customer !== null && !shop.trustEmailLinks && isKnown(customer)
}

/** Sessions from before sign-up passwords had ids contain no password id. */
function isKnown({ reach, passwordId }: AuthenticatedCustomer): boolean {
  return reach === "account" || Boolean(passwordId)
}

export type PasswordChange =
  | { readonly kind: "done" }
  /** The session may not set it, or its sign-up password is no longer the account's. */
  | { readonly kind: "not-permitted" }
  | Exclude<NewPasswordVerdict, { kind: "good" }>

type Chosen = { readonly password: string; readonly who: RateLimitSubject }

/** Sets a customer's password, with the same strength as at sign-up, and ends all earlier sessions. */
export async function setPassword(
  services: LoggedServices,
  customer: (AuthenticatedCustomer & Pick<Customer, "email">) | null,
  { password, who }: Chosen,
): Promise<PasswordChange> {
  if (customer === null || !mayChoosePassword(services, customer)) return { kind: "not-permitted" }
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
    if (error instanceof BillingError && error.kind === "refused") return { kind: "not-permitted" }
    throw error
  }
}
