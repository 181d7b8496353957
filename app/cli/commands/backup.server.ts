import { BillingError } from "~/billing/billing"
import { InvalidBackupError } from "~/billing/embedded/backup/backup-format.server"
import type { Instant } from "~/domain/calendar"
import { BACKUP_SUBJECT } from "~/flows/admin/first-day.server"
import { type Call, type Command, CommandError } from "../command"
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
    const unbalanced = wrong.map(
      (it) => `the accounts do not balance: ${it}. This backup cannot be restored.`,
    )
    const warnings = [...unbalanced, ...(await recorded(billing, now))]
    const where = file === "-" ? "standard output" : file
    const message = `Backup written to ${where}. It contains customers and line passwords: keep it private.`
    return { text: withWarnings(message, warnings), data: { file, warnings } }
  },
}

/** The checklist of the first day reads it. A backup is good without: the disk of the database may be full. */
async function recorded(
  { auditLog }: Call["billing"],
  at: Instant,
  action: "create-backup" | "restore-backup" = "create-backup",
): Promise<readonly string[]> {
  const subject = action === "create-backup" ? BACKUP_SUBJECT : "restored database"
  const made = { action, subject, outcome: "done" } as const
  try {
    await auditLog.append({ ...made, at, operatorId: null, operator: "admin CLI" })
    return []
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return [`the audit log has no entry about it: ${error.message}`]
  }
}

/** Replaces the database contents with a backup, in one transaction: a failure changes nothing. */
export const restoreBackup: Command = {
  about: "restore a backup into an empty database",
  args: ["FILE"],
  flags: { replace: "overwrite a database that is not empty" },
  createsDatabase: true,
  async run({ billing, args: [file = ""], flags, now }) {
    try {
      const options = { replace: flags.includes("replace") }
      const { at, schema, rows } = await onDisk(billing.operator.restore(() => linesOf(file), options))
      const counts = Object.entries(rows).map(([table, count]) => `${count} ${table}`)
      // Not before: an entry would make the database one that is not empty, and the backup brings its own log.
      const warnings = await recorded(billing, now, "restore-backup")
      const text = `Restored the backup of ${at} (${schema}): ${counts.join(", ") || "no rows"}.`
      return { text: withWarnings(text, warnings), data: { at, schema, rows } }
    } catch (error) {
      if (!(error instanceof InvalidBackupError || isRejection(error))) throw error
      throw new CommandError(`${error.message} No changes were made.`, { cause: error })
    }
  },
}

function isRejection(error: unknown): error is BillingError {
  return error instanceof BillingError && error.kind === "refused"
}
