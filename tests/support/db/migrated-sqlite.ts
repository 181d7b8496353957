import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Kysely, type RawBuilder, sql } from "kysely"
import { openDatabase } from "~/billing/embedded/db/database.server"
import { migrate } from "~/billing/embedded/db/migrate.server"
import type { Tables } from "~/billing/embedded/db/schema/schema"
import { temporaryFolder } from "../temporary-folder"

/* The migrations run once per worker; a database made from the resulting schema takes a tenth of their time. */
let statements: Promise<readonly RawBuilder<unknown>[]> | null = null
let file: Promise<Buffer> | null = null

/** Opens an empty in-memory database with the latest schema. */
export async function openMigratedMemoryDatabase(): Promise<Kysely<Tables>> {
  statements ??= readStatements()
  const db = open(":memory:")
  for (const statement of await statements) await statement.execute(db)
  return db
}

/** Writes an empty database with the latest schema to a file. */
export async function writeMigratedDatabase(path: string): Promise<void> {
  file ??= readFile()
  writeFileSync(path, await file)
}

const open = (url: string) => openDatabase({ url, timeoutMs: 1_000 })

async function readStatements(): Promise<readonly RawBuilder<unknown>[]> {
  const db = open(":memory:")
  await migrate(db)
  const { rows: objects } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master
    where sql is not null and name not like 'sqlite_%' order by rowid`.execute(db)
  const inserts: RawBuilder<unknown>[] = []
  for (const { name } of objects.filter(({ type }) => type === "table")) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    const values = rows.map(
      (row) => sql`insert into ${sql.table(name)} values (${sql.join(Object.values(row))})`,
    )
    inserts.push(...values)
  }
  await db.destroy()
  return [...objects.map((object) => sql.raw(object.sql)), ...inserts]
}

async function readFile(): Promise<Buffer> {
  const folder = temporaryFolder()
  const path = join(folder, "boxoffice.db")
  const db = open(path)
  await migrate(db)
  await db.destroy()
  const bytes = readFileSync(path)
  rmSync(folder, { recursive: true })
  return bytes
}
