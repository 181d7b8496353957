import { BillingError } from "~/billing/billing"
import { UnusableBackup } from "~/billing/embedded/backup/backup-format.server"
import { type Command, Refusal } from "../command"
import { linesOf, onDisk, writePrivately } from "../files.server"

/** All that the books hold, in one file that both engines can be filled from. */
export const backup: Command = {
  takes: ["FILE|-"],
  async run({ books, words: [file = ""], now, write }) {
    const keep = file === "-" ? write : (lines: AsyncIterable<string>) => writePrivately(file, lines)
    await onDisk(books.operator.backUp(now, keep))
    const wrong = await books.operator.unbalanced()
    const doubt = wrong.map((it) => `\nThe accounts do not balance: ${it}. A restore will refuse them.`)
    const where = file === "-" ? "standard output" : file
    return `Written to ${where}. It holds customers and passwords of lines: keep it where only you can read it.${doubt.join("")}`
  },
}

/** Makes the books what a backup says, or leaves them as they are. */
export const restore: Command = {
  takes: ["FILE"],
  flags: ["replace"],
  async run({ books, words: [file = ""], flags }) {
    try {
      const wish = { replace: flags.includes("replace") }
      const { at, schema, rows } = await onDisk(books.operator.restore(() => linesOf(file), wish))
      const counts = Object.entries(rows).map(([table, count]) => `${count} ${table}`)
      return `The books are as they were at ${at} (${schema}): ${counts.join(", ") || "empty"}.`
    } catch (error) {
      if (!(error instanceof UnusableBackup || isRefusal(error))) throw error
      throw new Refusal(`${error.message} Nothing has been changed.`, { cause: error })
    }
  },
}

function isRefusal(error: unknown): error is BillingError {
  return error instanceof BillingError && error.kind === "refused"
}
