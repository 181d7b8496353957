import type { Services } from "~/context/services.server"
import type { Customer } from "~/domain/customer"
import { emailKey } from "~/domain/email"

export type SignIn =
  | { readonly kind: "proven"; readonly customer: Customer }
  /** The e-mail or the password: nobody is told which. */
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type Who = { email: string; address: string | null }

/** Proves a customer by his password, as often as may be tried from an address and for an e-mail. */
export function signIn(
  services: Services,
  { password, ...who }: Who & { password: string },
): Promise<SignIn> {
  return tryToProve(services, who, () => services.billing.signIn({ email: who.email, password }))
}

/** One of the tries that an address and an e-mail have. */
export async function tryToProve(
  { rateLimits, log }: Services,
  { email, address }: Who,
  prove: () => Promise<Customer | null>,
): Promise<SignIn> {
  const key = emailKey(email)
  const allowed = await rateLimits.signIn({ address, email: key })
  if (!allowed.ok) {
    log.warn({ address }, "too many tries to sign in")
    return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  }
  const customer = await prove()
  if (!customer) return { kind: "wrong" }
  await rateLimits.signedIn({ address, email: key })
  return { kind: "proven", customer }
}
