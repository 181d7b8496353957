import type { Services } from "~/context/services.server"
import type { Proven } from "~/domain/customer"

/**
 * Whether a visitor may choose the password of an account: only who has proven that it is his. Where an e-mail in a
 * link is trusted, being signed in proves nothing, and a password would outlast that trust.
 */
export function mayChoosePassword({ shop }: Services, customer: Proven | null): customer is Proven {
  return customer !== null && !shop.trustEmailLinks
}

/** Sets the password a customer has chosen. False when it is not his to choose. */
export async function choosePassword(
  services: Services,
  customer: Proven | null,
  password: string,
): Promise<boolean> {
  if (!mayChoosePassword(services, customer)) return false
  await services.billing.setPassword(customer, password)
  return true
}
