import { createHash } from "node:crypto"
import { z } from "zod"

/** Column value: text, integer (money in minor units, instants in milliseconds, flags 0 and 1) or null. */
const Value = z.union([z.string(), z.int(), z.null()])
const Row = z.record(z.string(), Value)
export type BackupRow = z.output<typeof Row>

const Name = z.string().regex(/^[a-z_]{1,40}$/)
const FORMAT = 1
const Head = z.object({
  boxoffice: z.literal("backup"),
  format: z.int(),
  /** Name of the last migration applied to the rows. */
  schema: z.string().min(1),
  at: z.iso.datetime(),
})
const Entry = z.tuple([Name, Row])
const Foot = z.object({ rows: z.record(Name, z.int().min(0)), sha256: z.string() })

export type BackupHead = Pick<z.output<typeof Head>, "schema" | "at">
export type RowCounts = Readonly<Record<string, number>>
type BackupLines = AsyncIterable<string>

/** The file is not a backup, or not a complete one; the message is for the operator. */
export class InvalidBackupError extends Error {
  override name = "InvalidBackupError"
}

/**
 * Generates the lines of a backup, each with its line feed. Format, one JSON value per line: a head, each row as
 * `["orders",{…}]`, and a foot with the row count per table and the SHA-256 of all lines before it.
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

/** Reads the head of a backup. Throws `InvalidBackupError`. */
export async function readHead(lines: BackupLines): Promise<BackupHead> {
  for await (const line of lines) return headIn(line)
  throw new InvalidBackupError("Invalid backup: the file is empty.")
}

/**
 * Yields the rows of a backup in file order and returns the row count per table. Counts and digest are verified after
 * the last row. Throws `InvalidBackupError` at the first invalid line, and at the end if the file is truncated or
 * counts or digest differ.
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

/** Escapes U+2028 and U+2029, which JSON allows in strings but line readers treat as line ends. */
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
