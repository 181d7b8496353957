import { BillingError } from "~/billing/billing"
import { type Call, type Command, Refusal } from "../command"
import { onDisk, writePrivately } from "../files.server"

/** All that is kept about one customer, for him to have. */
export const exportPerson: Command = {
  takes: ["EMAIL"],
  options: ["file"],
  async run({ books, words: [email = ""], options: { file }, now }) {
    const rows = await books.operator.copyOfCustomer(email)
    if (!rows) throw new Refusal("No customer has this e-mail.")
    const about = { email, at: new Date(now).toISOString(), amounts: "in hundredths of their currency" }
    const text = JSON.stringify({ ...about, ...rows }, null, 2)
    if (file === undefined) return text
    await onDisk(writePrivately(file, `${text}\n`))
    return `Written to ${file}.`
  },
}

/** What names one customer is gone afterwards; what the bookkeeping needs stays. */
export const erasePerson: Command = {
  takes: ["EMAIL"],
  flags: ["force"],
  async run(call) {
    const erased = await eraseIn(call)
    if (erased === 0) throw new Refusal("No customer has this e-mail.")
    const there = call.backoffice ? " The billing system keeps its own: erase him there too." : ""
    return `Erased. Orders, invoices and payments stay, without a name. Backups from before still have it.${there}`
  },
}

async function eraseIn({ books, words: [email = ""], flags }: Call): Promise<number> {
  try {
    return await books.operator.eraseCustomer(email, { force: flags.includes("force") })
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    throw new Refusal(error.message, { cause: error })
  }
}
