import { PASSWORD_LENGTH } from "~/domain/customer"
import { type Command, CommandError } from "../command"
import { customerNamed } from "../find-customer.server"

const { least, most } = PASSWORD_LENGTH

/** The password is never a word of the command: those stay in the shell's history and are seen by other users. */
export const password: Command = {
  args: ["EMAIL"],
  async run({ books, args: [email = ""], now, ask }) {
    const customer = await customerNamed(books, email)
    const typed = await ask("New password: ")
    if (typed.length < least || typed.length > most)
      throw new CommandError(`A password has ${least} to ${most} characters. Nothing has been changed.`)
    await books.billing.setPassword(customer, typed, () => now)
    return `${customer.email} signs in with the new password from now on, and has to in every browser.`
  },
}
