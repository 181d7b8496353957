import { isRefusedByBilling } from "~/billing/billing"
import { ofCustomer } from "~/cli/audited.server"
import { type Call, type Command, CommandError } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { customerExportOf } from "~/flows/admin/customers/customer-export-text"

/** Exports all stored data of one customer as JSON, to standard output or a file. */
export const exportCustomerData: Command = {
  about: "export a customer's data as JSON",
  args: ["EMAIL"],
  options: {
    file: "write to a file, instead of standard output",
    reason: "why, for the audit log",
  },
  required: ["reason"],
  audit: ofCustomer("export-customer"),
  async run({ billing, args: [email = ""], options: { file }, now }) {
    const rows = await billing.operator.exportCustomer(await billing.operator.customersOf(email))
    if (!rows) throw new CommandError("Customer not found.")
    const exported = customerExportOf(rows, now)
    const text = JSON.stringify(exported, null, 2)
    if (file === undefined) return { text, data: exported }
    await onDisk(writePrivately(file, `${text}\n`))
    return { text: `Customer data written to ${file}.`, data: { file } }
  },
}

/** Erases a customer's personal data. Orders, invoices and payments are retained without it. */
export const eraseCustomerData: Command = {
  about: "erase a customer's personal data",
  args: ["EMAIL"],
  options: { reason: "why, for the audit log" },
  flags: { force: "also with open orders, active or suspended services or credit" },
  audit: ofCustomer("erase-customer"),
  async run(call) {
    const erased = await eraseIn(call)
    if (erased === 0) throw new CommandError("Customer not found.")
    const note = call.externalBilling ? " Erase the customer in the external billing system too." : ""
    return {
      text: `Erased. Orders, invoices and payments are kept without personal data. Earlier backups still contain it.${note}`,
      data: { erased: true, alsoInExternalBilling: call.externalBilling !== null },
    }
  },
}

async function eraseIn({ billing, args: [email = ""], flags }: Call): Promise<number> {
  try {
    const ids = await billing.operator.customersOf(email)
    return await billing.operator.eraseCustomer(ids, { force: flags.includes("force") })
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    throw new CommandError(error.message, { cause: error })
  }
}
