import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { Customer } from "~/domain/customers/customer"
import { CommandError } from "./command"

/** Finds a customer by email. Throws `CommandError` if not found. */
export async function customerNamed({ billing }: EmbeddedBilling, email: string): Promise<Customer> {
  const customer = await billing.customerOf(email)
  if (!customer) throw new CommandError("Customer not found.")
  return customer
}
