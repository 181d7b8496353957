import { BillingOverloaded } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import type { Proven } from "~/domain/customer"

/**
 * Whether a visitor may choose the password of an account: only who has proven that it is his. Where an e-mail in a
 * link is trusted, being signed in proves nothing, and a password would outlast that trust.
 */
export function mayChoosePassword({ shop }: Services, customer: Proven | null): customer is Proven {
  return customer !== null && !shop.trustEmailLinks
}

export type PasswordChange =
  | { readonly kind: "done" }
  /** It is not his to choose. */
  | { readonly kind: "not-his" }
  | { readonly kind: "overloaded"; readonly retryAfterSeconds: number }

/** Sets the password a customer has chosen, and ends his sessions of before in all browsers. */
export async function choosePassword(
  services: Services,
  customer: Proven | null,
  password: string,
): Promise<PasswordChange> {
  if (!mayChoosePassword(services, customer)) return { kind: "not-his" }
  try {
    await services.billing.setPassword(customer, password, services.now)
    return { kind: "done" }
  } catch (error) {
    if (!(error instanceof BillingOverloaded)) throw error
    services.log.warn({ err: error }, "password not set: the customer is asked to try again")
    return { kind: "overloaded", retryAfterSeconds: error.retryAfterSeconds }
  }
}
