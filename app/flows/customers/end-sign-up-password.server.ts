import { BillingError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import type { Customer } from "~/domain/customers/customer"

/**
 * Invalidates a password that was chosen at sign-up before the e-mail was proven, once the customer has proven it. False if
 * there was none. A failing backend does not block the sign-in: the next link invalidates the password.
 */
export async function endSignUpPassword(
  { billing, log, now }: Pick<LoggedServices, "billing" | "log" | "now">,
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
