import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import type { Customer } from "~/domain/customer"

/**
 * A customer has proven that the e-mail is his: a password that was chosen before anybody had lets nobody in any more.
 * False when there was none. A backend that does not answer keeps nobody out: the next link ends it.
 */
export async function endSignUpPassword(
  { billing, log, now }: Services,
  { id }: Pick<Customer, "id">,
): Promise<boolean> {
  try {
    return await billing.endSignUpPassword(id, now())
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    log.warn({ err: error }, "sign-up password not ended")
    return false
  }
}
