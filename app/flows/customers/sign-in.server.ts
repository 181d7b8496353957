import { BillingOverloaded } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import type { Customer } from "~/domain/customers/customer"
import { normalizeEmail } from "~/domain/customers/email"
import { loggedLimit } from "~/security/rate-limits.server"

export type SignIn =
  | { readonly kind: "proven"; readonly customer: Customer }
  /** Unknown e-mail or wrong password: the response does not tell which. */
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }
  /** Too many simultaneous sign-ins: nothing was checked, and the attempt is not counted. */
  | { readonly kind: "overloaded"; readonly retryAfterSeconds: number }

type Who = { email: string; address: string | null; visitor: string | null }

/** Authenticates a customer by password, rate-limited by client and e-mail. */
export function signIn(
  services: Pick<LoggedServices, "log" | "rateLimits" | "billing">,
  { password, ...who }: Who & { password: string },
): Promise<SignIn> {
  return attemptSignIn(services, who, () => services.billing.signIn({ email: who.email, password }))
}

/** Runs a sign-in attempt under the rate limits of client and e-mail. */
export async function attemptSignIn(
  { rateLimits, log }: Pick<LoggedServices, "rateLimits" | "log">,
  { email, address, visitor }: Who,
  prove: () => Promise<Customer | null>,
): Promise<SignIn> {
  const attempt = { address, visitor, email: normalizeEmail(email) }
  const allowed = await loggedLimit(log, { limit: "sign-in", address }, rateLimits.signIn(attempt))
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  try {
    const customer = await prove()
    if (!customer) return { kind: "wrong" }
    await rateLimits.signedIn(attempt)
    return { kind: "proven", customer }
  } catch (error) {
    if (!(error instanceof BillingOverloaded)) throw error
    log.warn({ err: error }, "password not verified: overload")
    await rateLimits.signInUnchecked(attempt)
    return { kind: "overloaded", retryAfterSeconds: error.retryAfterSeconds }
  }
}
