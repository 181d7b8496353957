import { BillingError } from "~/billing/billing"
import { type Call, type Command, CommandError } from "../command"
import { onDisk, writePrivately } from "../files.server"

/** Exports all stored data of one customer as JSON, to standard output or a file. */
export const exportCustomerData: Command = {
  args: ["EMAIL"],
  options: ["file"],
  async run({ billing, args: [email = ""], options: { file }, now }) {
    const rows = await billing.operator.exportCustomer(email)
    if (!rows) throw new CommandError("Customer not found.")
    const about = {
      email,
      at: new Date(now).toISOString(),
      amounts: "in minor units (hundredths) of their currency",
    }
    const text = JSON.stringify({ ...about, ...rows }, null, 2)
    if (file === undefined) return text
    await onDisk(writePrivately(file, `${text}\n`))
    return `Customer data written to ${file}.`
  },
}

/** Erases a customer's personal data. Orders, invoices and payments are retained without it. */
export const eraseCustomerData: Command = {
  args: ["EMAIL"],
  flags: ["force"],
  async run(call) {
    const erased = await eraseIn(call)
    if (erased === 0) throw new CommandError("Customer not found.")
    const note = call.externalBilling ? " Erase the customer in the external billing system too." : ""
    return `Erased. Orders, invoices and payments are kept without personal data. Earlier backups still contain it.${note}`
  },
}

async function eraseIn({ billing, args: [email = ""], flags }: Call): Promise<number> {
  try {
    return await billing.operator.eraseCustomer(email, { force: flags.includes("force") })
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    throw new CommandError(error.message, { cause: error })
  }
}
