import { ofCustomer } from "~/cli/audited.server"
import type { Command } from "~/cli/command"
import { customerNamed } from "~/cli/find-customer.server"
import { endSessions } from "~/flows/customers/end-sessions.server"

/** Signs a customer out everywhere, such as after a lost phone. Their password and their services stay as they are. */
export const endCustomerSessions: Command = {
  about: "sign a customer out of all browsers",
  args: ["EMAIL"],
  audit: ofCustomer("end-customer-sessions"),
  async run({ billing, args: [email = ""], now }) {
    const customer = await customerNamed(billing, email)
    await endSessions({ sessions: billing.sessions, now: () => now }, customer)
    return {
      text: `${customer.email} is signed out of all browsers, and of those that only hold an order or a service.`,
      data: { email: customer.email },
    }
  },
}
