import { PASSWORD_LENGTH } from "~/domain/customer"
import { type Command, CommandError } from "../command"
import { customerNamed } from "../find-customer.server"

const { min, max } = PASSWORD_LENGTH

/** The password is never a word of the command: those stay in the shell's history and are seen by other users. */
export const password: Command = {
  args: ["EMAIL"],
  async run({ billing, args: [email = ""], now, prompt }) {
    const customer = await customerNamed(billing, email)
    const typed = await prompt("New password: ")
    if (typed.length < min || typed.length > max)
      throw new CommandError(`Invalid password: must have ${min} to ${max} characters. No changes were made.`)
    await billing.billing.setPassword(customer, typed, () => now)
    return `Password of ${customer.email} changed; all sessions ended.`
  },
}
