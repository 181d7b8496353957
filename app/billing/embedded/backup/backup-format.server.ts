import { createHash } from "node:crypto"
import { z } from "zod"

/** A value of the books: text, an integer (money in minor units, instants in milliseconds, flags) or nothing. */
const Value = z.union([z.string(), z.int(), z.null()])
const Row = z.record(z.string(), Value)
export type BackupRow = z.output<typeof Row>

const Name = z.string().regex(/^[a-z_]{1,40}$/)
const FORMAT = 1
const Head = z.object({
  boxoffice: z.literal("backup"),
  format: z.int(),
  /** The last migration the rows have been through. */
  schema: z.string().min(1),
  at: z.iso.datetime(),
})
const Entry = z.tuple([Name, Row])
const Foot = z.object({ rows: z.record(Name, z.int().min(0)), sha256: z.string() })

export type BackupHead = Pick<z.output<typeof Head>, "schema" | "at">
export type RowCounts = Readonly<Record<string, number>>
type BackupLines = AsyncIterable<string>

/** The file is no backup, or not a whole one; the message is for the operator. */
export class InvalidBackupError extends Error {
  override name = "UnusableBackup"
}

/**
 * The lines of a backup, each with its end: a head, a row to a line as `["orders",{…}]`, and last how many rows of each
 * table there were, with a digest of all that stands before.
 */
export async function* writeBackup(
  head: BackupHead,
  rows: AsyncIterable<readonly [string, BackupRow]>,
): AsyncGenerator<string> {
  const digest = createHash("sha256")
  const counts = new Map<string, number>()
  const sealed = (value: unknown) => {
    const line = `${lineOf(value)}\n`
    digest.update(line)
    return line
  }
  yield sealed({ boxoffice: "backup", format: FORMAT, ...head })
  for await (const [table, row] of rows) {
    counts.set(table, (counts.get(table) ?? 0) + 1)
    yield sealed([table, row])
  }
  yield `${JSON.stringify({ rows: Object.fromEntries(counts), sha256: digest.digest("hex") })}\n`
}

/** The head of a backup. Throws `UnusableBackup`. */
export async function readHead(lines: BackupLines): Promise<BackupHead> {
  for await (const line of lines) return headIn(line)
  throw new InvalidBackupError("Invalid backup: the file is empty.")
}

/**
 * The rows of a backup, one after the other; whoever has taken the last one knows that count and digest are right.
 * Gives the counts. Throws `UnusableBackup` at the first line that is wrong, and at the end when it is not the end.
 */
export async function* readRows(lines: BackupLines): AsyncGenerator<readonly [string, BackupRow], RowCounts> {
  const digest = createHash("sha256")
  const counts = new Map<string, number>()
  let number = 0
  let held: string | null = null
  for await (const line of lines) {
    if (held !== null) {
      digest.update(`${held}\n`)
      if (++number > 1) yield counted(rowIn(held, number), counts)
    }
    held = line
  }
  return checked(held, { counts: Object.fromEntries(counts), sha256: digest.digest("hex") })
}

function counted(row: z.output<typeof Entry>, counts: Map<string, number>) {
  counts.set(row[0], (counts.get(row[0]) ?? 0) + 1)
  return row
}

function headIn(line: string): BackupHead {
  const head = Head.safeParse(parsed(line))
  if (!head.success) throw new InvalidBackupError("Invalid backup: unknown file format.")
  if (head.data.format > FORMAT)
    throw new InvalidBackupError("Invalid backup: the format is newer than this version supports.")
  return head.data
}

function rowIn(line: string, number: number): z.output<typeof Entry> {
  const row = Entry.safeParse(parsed(line))
  if (!row.success) throw new InvalidBackupError(`Invalid backup: line ${number} is not a row.`)
  return row.data
}

function checked(last: string | null, read: { counts: RowCounts; sha256: string }): RowCounts {
  const foot = Foot.safeParse(last === null ? null : parsed(last))
  if (!foot.success) throw new InvalidBackupError("Invalid backup: truncated, the end is missing.")
  const { rows, sha256 } = foot.data
  const names = new Set([...Object.keys(rows), ...Object.keys(read.counts)])
  const other = [...names].find((name) => rows[name] !== read.counts[name])
  if (other)
    throw new InvalidBackupError(
      `Invalid backup: expected ${rows[other] ?? 0} rows of "${other}", found ${read.counts[other] ?? 0}.`,
    )
  if (sha256 !== read.sha256)
    throw new InvalidBackupError("Invalid backup: the digest does not match, the file was changed.")
  return rows
}

/** Two more characters end a line where lines are read, and may stand in a text as they are. */
function lineOf(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
