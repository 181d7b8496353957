import { ofCustomer } from "~/cli/audited.server"
import { type Command, CommandError } from "~/cli/command"
import { customerNamed } from "~/cli/find-customer.server"
import { PASSWORD_LENGTH } from "~/domain/customers/customer"

const { min, max } = PASSWORD_LENGTH

/**
 * The password is not an argument: arguments stay in the shell history and other users see them in the process list.
 */
export const setPassword: Command = {
  about: "set a customer's password (typed or piped)",
  args: ["EMAIL"],
  audit: ofCustomer("set-customer-password"),
  async run({ billing, args: [email = ""], now, prompt }) {
    const customer = await customerNamed(billing, email)
    const typed = await prompt("New password: ")
    if (typed.length < min || typed.length > max)
      throw new CommandError(`Invalid password: must have ${min} to ${max} characters. No changes were made.`)
    await billing.billing.setPassword(customer, typed, () => now)
    return {
      text: `Password of ${customer.email} changed; all sessions ended.`,
      data: { email: customer.email },
    }
  },
}
