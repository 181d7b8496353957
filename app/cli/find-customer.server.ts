import type { EmbeddedBooks } from "~/billing/embedded/open-embedded-billing.server"
import type { Customer } from "~/domain/customer"
import { Refusal } from "./command"

/** The customer the operator names by an e-mail. */
export async function customerNamed({ billing }: EmbeddedBooks, email: string): Promise<Customer> {
  const customer = await billing.customerOf(email)
  if (!customer) throw new Refusal("No customer has this e-mail.")
  return customer
}
