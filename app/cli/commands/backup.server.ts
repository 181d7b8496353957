import { BillingError } from "~/billing/billing"
import { InvalidBackupError } from "~/billing/embedded/backup/backup-format.server"
import { type Command, CommandError } from "../command"
import { linesOf, onDisk, writePrivately } from "../files.server"
import { withWarnings } from "../format"

/** Writes a backup of the database to one file, which can be restored into SQLite and PostgreSQL. */
export const createBackup: Command = {
  about: "back up the database (online); - writes to standard output",
  args: ["FILE|-"],
  async run({ billing, args: [file = ""], now, write }) {
    const writeLines = file === "-" ? write : (lines: AsyncIterable<string>) => writePrivately(file, lines)
    await onDisk(billing.operator.backUp(now, writeLines))
    const wrong = await billing.operator.findImbalances()
    const warnings = wrong.map((it) => `the accounts do not balance: ${it}. This backup cannot be restored.`)
    const where = file === "-" ? "standard output" : file
    const message = `Backup written to ${where}. It contains customers and line passwords: keep it private.`
    return { text: withWarnings(message, warnings), data: { file, warnings } }
  },
}

/** Replaces the database contents with a backup, in one transaction: a failure changes nothing. */
export const restoreBackup: Command = {
  about: "restore a backup into an empty database",
  args: ["FILE"],
  flags: { replace: "overwrite a database that is not empty" },
  createsDatabase: true,
  async run({ billing, args: [file = ""], flags }) {
    try {
      const options = { replace: flags.includes("replace") }
      const { at, schema, rows } = await onDisk(billing.operator.restore(() => linesOf(file), options))
      const counts = Object.entries(rows).map(([table, count]) => `${count} ${table}`)
      const text = `Restored the backup of ${at} (${schema}): ${counts.join(", ") || "no rows"}.`
      return { text, data: { at, schema, rows } }
    } catch (error) {
      if (!(error instanceof InvalidBackupError || isRejection(error))) throw error
      throw new CommandError(`${error.message} No changes were made.`, { cause: error })
    }
  },
}

function isRejection(error: unknown): error is BillingError {
  return error instanceof BillingError && error.kind === "refused"
}
