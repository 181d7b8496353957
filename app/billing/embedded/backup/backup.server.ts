import { type RawBuilder, sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import { latestMigration } from "../db/migrate.server"
import type { DbContext } from "../db/transaction.server"
import { type BackupRow, writeBackup } from "./backup-format.server"
import { backedUpTables, type Table } from "./backup-tables"

const BATCH = 500

/**
 * Passes all rows to `write` as lines of a backup, from one snapshot (REPEATABLE READ, read only). Concurrent writes are
 * neither blocked nor included. The lines do not depend on the engine, so a backup can be restored on the other one.
 */
export function backUp(
  ctx: DbContext,
  at: Instant,
  write: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<void> {
  return ctx.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((db) => {
      const head = { schema: latestMigration, at: new Date(at).toISOString() }
      return write(writeBackup(head, rowsOf({ ...ctx, db })))
    })
}

async function* rowsOf(ctx: DbContext): AsyncGenerator<readonly [string, BackupRow]> {
  for (const table of backedUpTables) {
    for await (const row of rowsIn(ctx, table)) yield [table.name, row]
  }
}

async function* rowsIn(ctx: DbContext, table: Table): AsyncGenerator<BackupRow> {
  let last: BackupRow | undefined
  do {
    const rows = await batch(ctx, table, last)
    yield* rows
    last = rows.length === BATCH ? rows.at(-1) : undefined
  } while (last)
}

/** Keyset pagination: the next rows after `last` in key order. */
async function batch(
  { db }: DbContext,
  { name, key }: Table,
  last: BackupRow | undefined,
): Promise<BackupRow[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const after: RawBuilder<unknown> = last
    ? sql`where (${columns}) > (${sql.join(key.map((column) => last[column] ?? null))})`
    : sql``
  const { rows } = await sql<BackupRow>`
    select * from ${sql.table(name)} ${after} order by ${columns} limit ${BATCH}`.execute(db)
  return rows
}
