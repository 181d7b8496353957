import { resolve } from "node:path"
import { BillingError, isRefusedByBilling } from "~/billing/billing"
import { InvalidBackupError } from "~/billing/embedded/backup/backup-format.server"
import type { Restored } from "~/billing/embedded/backup/restore.server"
import { type Call, type Command, CommandError } from "~/cli/command"
import { linesOf, onDisk, writePrivately } from "~/cli/files.server"
import { jsonTime, time, withWarnings } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import { numberText } from "~/flows/admin/accounting/continue-numbers.server"
import {
  type BackupMade,
  listBackups,
  madeEntry,
  type RestoreTried,
  triedEntry,
} from "~/flows/admin/backups.server"

const STANDARD_OUTPUT = "standard output"

/** Writes a backup of the database to one file, which can be restored into SQLite and PostgreSQL. */
export const createBackup: Command = {
  about: "back up the database (online); - writes to standard output",
  args: ["FILE|-"],
  async run({ billing, args: [file = ""], now, write }) {
    let size = 0
    const writeLines = (lines: AsyncIterable<string>) => {
      const counted = counting(lines, (bytes) => {
        size += bytes
      })
      return file === "-" ? write(counted) : writePrivately(file, counted)
    }
    await onDisk(billing.operator.backUp(now, writeLines))
    const wrong = await billing.operator.findImbalances()
    const unbalanced = wrong.map(
      (it) => `the accounts do not balance: ${it}. This backup cannot be restored.`,
    )
    const place = file === "-" ? STANDARD_OUTPUT : resolve(file)
    const warnings = [...unbalanced, ...(await recorded(billing, madeEntry({ at: now, place, size })))]
    const where = file === "-" ? STANDARD_OUTPUT : file
    const message = `Backup written to ${where}. It contains customers and line passwords: keep it private.`
    return { text: withWarnings(message, warnings), data: { file, warnings } }
  },
}

async function* counting(lines: AsyncIterable<string>, count: (bytes: number) => void) {
  for await (const line of lines) {
    count(Buffer.byteLength(line))
    yield line
  }
}

/** The checklist of the first day and the console read it. A backup is good without: the disk of the database may be full. */
async function recorded(
  { auditLog }: Call["billing"],
  entry: ReturnType<typeof madeEntry>,
): Promise<readonly string[]> {
  try {
    await auditLog.append(entry)
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
      const restored = await onDisk(billing.operator.restore(() => linesOf(file), options))
      // Not before: an entry would make the database one that is not empty, and the backup brings its own log.
      const { keepsNumbers } = restored
      const entry = triedEntry({ ...readBack(file, restored), keepsNumbers, at: now, kind: "restored" })
      const warnings = [
        ...(await numberWarnings(billing, { restored, now })),
        ...(await recorded(billing, entry)),
      ]
      const { at, schema, rows } = restored
      return {
        text: withWarnings(`Restored the backup of ${at} (${schema}): ${rowsText(restored)}.`, warnings),
        data: { at, schema, rows, warnings },
      }
    } catch (error) {
      if (!isUnusable(error)) throw error
      throw new CommandError(`${error.message} No changes were made.`, { cause: error })
    }
  },
}

/** What the numbers of invoices and credit notes are now, and what nobody knows of them. */
async function numberWarnings(
  { operator }: Call["billing"],
  { restored, now }: { readonly restored: Restored; readonly now: Call["now"] },
): Promise<readonly string[]> {
  const series = await operator.numberSeries(now)
  if (restored.keepsNumbers) {
    const set = series.filter(({ kind }) => restored.continued.some((it) => it.kind === kind))
    return set.map(
      (it) =>
        `the numbers of the replaced database are kept: after ${numberText(it)} comes ${numberText(it, it.sequence + 1)}`,
    )
  }
  return series.map(
    (it) =>
      `${numberText(it, it.sequence + 1)} is given next. If it was handed out after the backup was made, say which number was the last: documents continue-after NUMBER`,
  )
}

/** Restores a backup into a temporary database, which is deleted: says whether it could be restored, and changes nothing. */
export const verifyBackup: Command = {
  about: "try to restore a backup, into a temporary database of its own",
  args: ["FILE"],
  async run({ billing, args: [file = ""], now }) {
    try {
      const restored = await onDisk(billing.operator.tryRestore(() => linesOf(file)))
      const entry = triedEntry({ ...readBack(file, restored), at: now, kind: "tried" })
      const warnings = await recorded(billing, entry)
      const { at, schema, rows } = restored
      return {
        text: withWarnings(
          `The backup of ${at} (${schema}) can be restored: ${rowsText(restored)}.`,
          warnings,
        ),
        data: { at, schema, rows, error: null },
      }
    } catch (error) {
      if (!isUnusable(error)) throw error
      const tried = { kind: "tried", place: resolve(file), madeAt: null, rows: null } as const
      await recorded(billing, triedEntry({ ...tried, at: now, error: error.message }))
      return {
        text: error.message,
        data: { at: null, schema: null, rows: null, error: error.message },
        isFailure: true,
      }
    }
  },
}

function readBack(file: string, { at, rows }: Restored): Omit<RestoreTried, "at" | "kind"> {
  const count = Object.values(rows).reduce((sum, it) => sum + it, 0)
  return { place: resolve(file), madeAt: at, rows: count, error: null }
}

function rowsText({ rows }: Restored): string {
  return (
    Object.entries(rows)
      .map(([table, count]) => `${count} ${table}`)
      .join(", ") || "no rows"
  )
}

export const listBackupsCommand: Command = {
  about: "list backups with place and size, and when one was last read back",
  args: [],
  options: { limit: "at most this many of each, 20 without it" },
  async run({ billing, options }) {
    const { made, tried } = await listBackups(billing.auditLog, limitIn(options.limit, 20))
    const lines = [
      ...(made.length === 0 ? ["No backup was made."] : made.map(madeLine)),
      ...(tried.length === 0 ? ["No backup was tried: backup verify FILE"] : tried.map(triedLine)),
    ]
    return {
      text: lines.join("\n"),
      data: {
        backups: made.map((it) => ({ ...it, at: jsonTime(it.at) })),
        tried: tried.map((it) => ({ ...it, at: jsonTime(it.at) })),
      },
    }
  },
}

function madeLine({ at, place, size }: BackupMade): string {
  return `made      ${time(at)}  ${size === null ? "size unknown" : `${size} bytes`}  ${place ?? "place unknown"}`
}

function triedLine({ at, kind, place, madeAt, rows, error }: RestoreTried): string {
  const result = error ?? (rows === null ? "restored" : `${rows} rows of ${madeAt}`)
  return `${kind.padEnd(8)}  ${time(at)}  ${result}  ${place ?? "place unknown"}`
}

function isUnusable(error: unknown): error is Error {
  return error instanceof InvalidBackupError || isRefusedByBilling(error)
}
