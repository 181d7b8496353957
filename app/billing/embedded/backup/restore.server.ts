import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import { SECOND } from "~/domain/calendar"
import { errorCodeOf } from "../db/engines/database-errors.server"
import { isShared } from "../db/engines/postgresql.server"
import { isKnownSchema, migrate, resetMigrationHistory } from "../db/migrate.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { type LastNumber, setForward, storedNumbers } from "../documents/document-numbers.server"
import { findImbalances } from "../ledger/ledger-check.server"
import {
  type BackupHead,
  type BackupRow,
  InvalidBackupError,
  type RowCounts,
  readHead,
  readRows,
} from "./backup-format.server"
import { seededTables, tables, transientTables } from "./backup-tables"
import { endedAccess, keepEnded } from "./ended-access.server"

const BATCH = 200
/** Milliseconds. A transaction of the shop takes a few. */
const LOCKS_AT_ONCE_FOR = 10 * SECOND
const TRIES_FOR = 60 * SECOND
const MAX_PAUSE_MS = 20
/** SQLSTATE lock_not_available and deadlock_detected. */
const LOCKED = ["55P03", "40P01"]

/**
 * `keepsNumbers`: the replaced database had given all numbers of invoices and credit notes that the backup knows, so that those it had
 * given since are not given again. `continued`: the series that go on after the replaced database's.
 */
export type Restored = BackupHead & {
  readonly rows: RowCounts
  readonly keepsNumbers: boolean
  readonly continued: readonly LastNumber[]
}

/**
 * Replaces the database with a backup, in one transaction. The file is validated before anything changes, and again
 * while it is written. Each `read` call must return its lines from the start. An earlier schema is migrated. Access that has ended
 * stays ended (`keepEnded`), and numbers of invoices and credit notes that the replaced database has given are not given again.
 *
 * Throws `BillingError` "refused" if the database has been used and `replace` is false, or if balances in the backup
 * differ from their ledgers. Throws `InvalidBackupError` for an invalid or incomplete file, a newer schema, and a NUL
 * character in a text on PostgreSQL.
 */
export async function restore(
  ctx: DbContext,
  read: () => AsyncIterable<string>,
  { replace }: { replace: boolean },
): Promise<Restored> {
  const head = await readHead(read())
  if (!isKnownSchema(head.schema))
    throw new InvalidBackupError(`Cannot restore: the backup is from a newer version (${head.schema}).`)
  const rows = await countsOf(read(), isShared(ctx.db) ? refuseNul : () => {})
  const numbers = await withAllTables(ctx, async (tx) => {
    if (!replace && !(await isEmpty(tx)))
      throw new BillingError(
        "refused",
        "Cannot restore: the database is not empty. Use --replace to overwrite it.",
      )
    const ended = await endedAccess(tx)
    const given = await storedNumbers(tx)
    await clear(tx, head.schema)
    await insertRows(tx, read())
    await migrate(tx.db)
    await keepEnded(tx, ended)
    const wrong = await findImbalances(tx)
    if (wrong.length > 0)
      throw new BillingError(
        "refused",
        `Cannot restore: the accounts of the backup do not balance: ${wrong.join("; ")}.`,
      )
    const ofBackup = await storedNumbers(tx)
    const keepsNumbers = given.length > 0 && ofBackup.every((it) => isGiven(it, given))
    return { keepsNumbers, continued: await setForward(tx, given) }
  })
  return { ...head, rows, ...numbers }
}

function isGiven({ kind, year, last }: LastNumber, given: readonly LastNumber[]): boolean {
  return given.some((it) => it.kind === kind && it.year === year && it.last >= last)
}

/**
 * A transaction that holds one table while it waits for another deadlocks with the shop's. So this one locks all tables
 * at once or none, and tries again. If that fails for long, it waits for each of them, and a deadlock is tried again.
 */
async function withAllTables<T>(ctx: DbContext, work: (tx: DbContext) => Promise<T>): Promise<T> {
  if (!isShared(ctx.db)) return inTransaction(ctx, work)
  const start = Date.now()
  const lockFirst = async (tx: DbContext) => {
    if (Date.now() < start + LOCKS_AT_ONCE_FOR) await lockAllTables(tx)
    return work(tx)
  }
  for (;;) {
    try {
      return await inTransaction(ctx, lockFirst)
    } catch (error) {
      if (!isLocked(error) || Date.now() > start + TRIES_FOR) throw error
      await setTimeout(Math.random() * MAX_PAUSE_MS)
    }
  }
}

const isLocked = (error: unknown) => LOCKED.includes(errorCodeOf(error) ?? "")

async function lockAllTables({ db }: DbContext): Promise<void> {
  const names = [...tables.map(({ name }) => name), ...transientTables]
  await sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in access exclusive mode nowait`.execute(
    db,
  )
}

type LookAt = (row: readonly [string, BackupRow]) => void

async function countsOf(lines: AsyncIterable<string>, lookAt: LookAt): Promise<RowCounts> {
  const rows = readRows(lines)
  for (;;) {
    const { done, value } = await rows.next()
    if (done) return value
    lookAt(value)
  }
}

/** PostgreSQL cannot store NUL in text, SQLite can. The row is rejected, because removing NUL could change a key. */
function refuseNul([table, row]: readonly [string, BackupRow]): void {
  const column = Object.keys(row).find((name) => String(row[name]).includes("\0"))
  if (column)
    throw new InvalidBackupError(
      `Cannot restore into PostgreSQL: a row of "${table}" has a NUL character in "${column}".`,
    )
}

/** Whether the database is unused: it has at most the rows that start-up creates, and numbers, which a restore keeps. */
async function isEmpty({ db }: DbContext): Promise<boolean> {
  for (const { name } of tables.filter(
    (it) => !seededTables.includes(it.name) && it.name !== "document_numbers",
  )) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

/** Recreates all tables, empty, in the backup's schema. Other connections wait for the end of the transaction. */
async function clear({ db }: DbContext, schema: string): Promise<void> {
  const names = [...tables.map(({ name }) => name), ...transientTables]
  for (const name of names.reverse()) await db.schema.dropTable(name).execute()
  await resetMigrationHistory(db)
  await migrate(db, schema)
}

async function insertRows(ctx: DbContext, lines: AsyncIterable<string>): Promise<void> {
  let batch: { table: string; rows: BackupRow[] } = { table: "", rows: [] }
  for await (const [table, row] of readRows(lines)) {
    if (table !== batch.table || batch.rows.length === BATCH) {
      await insert(ctx, batch)
      batch = { table, rows: [] }
    }
    batch.rows.push(row)
  }
  await insert(ctx, batch)
}

/** Assumes that all rows of a table have the same columns. */
async function insert(
  { db }: DbContext,
  { table, rows }: { table: string; rows: BackupRow[] },
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(db)
}
