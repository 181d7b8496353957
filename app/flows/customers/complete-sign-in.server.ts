import type { LoggedServices } from "~/context/services.server"
import type { Customer } from "~/domain/customers/customer"
import { endSignUpPassword } from "./end-sign-up-password.server"

/** The customer of a sign-in request; `passwordEnded`: a password chosen at sign-up is invalid now. */
export type SignedInByMail = {
  readonly kind: "proven"
  readonly customer: Customer
  readonly passwordEnded: boolean
}

type Use = { readonly requestId: string; readonly email: string; readonly sessionId: string }

/**
 * Authenticates the customer of a sign-in request, whose e-mail is thereby proven. Null if another session has used the
 * request, or there is no such customer. The customer is looked up first: an unavailable backend uses nothing up.
 */
export async function completeSignIn(
  services: Pick<LoggedServices, "signInRequests" | "billing" | "now" | "log">,
  { requestId, email, sessionId }: Use,
): Promise<SignedInByMail | null> {
  const { signInRequests, billing, now } = services
  const customer = await billing.customerOf(email)
  if (!customer) return null
  const isUsed = await signInRequests.use(requestId, { customerId: customer.id, sessionId, at: now() })
  if (!isUsed) return null
  return { kind: "proven", customer, passwordEnded: await endSignUpPassword(services, customer) }
}
