import type { Customer } from "~/domain/customer"
import { emailKey } from "~/domain/email"
import type { Services } from "~/services.server"

export type SignIn =
  | { readonly kind: "proven"; readonly customer: Customer }
  /** The e-mail or the password: nobody is told which. */
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type Proof = { email: string; password: string; address: string | null }

/** Proves a customer by his password, as often as may be tried from an address and for an e-mail. */
export async function signIn(services: Services, { email, password, address }: Proof): Promise<SignIn> {
  const { billing, rateLimits, log } = services
  const key = emailKey(email)
  const allowed = await rateLimits.signIn({ address, email: key })
  if (!allowed.ok) {
    log.warn({ address }, "too many tries to sign in")
    return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  }
  const customer = await billing.signIn({ email, password })
  if (!customer) return { kind: "wrong" }
  await rateLimits.signedIn(key)
  return { kind: "proven", customer }
}
