import { type Kysely, sql } from "kysely"
import { expect, inject, onTestFinished, test } from "vitest"
import { openDatabase } from "~/billing/embedded/db/database.server"
import { migrate } from "~/billing/embedded/db/migrate.server"
import type { Tables } from "~/billing/embedded/db/schema/schema"
import { freshMigratedDatabase } from "./migrated-postgres"
import { freshDatabase } from "./postgres"

test("prepared databases have the schema of the migrations, and share no rows", async () => {
  const [ready, another, migrated] = await Promise.all([
    freshMigratedDatabase(inject("postgres")),
    freshMigratedDatabase(inject("postgres")),
    freshDatabase(inject("postgres")),
  ])
  const [copy, other, fresh] = [open(ready), open(another), open(migrated)]
  await migrate(fresh)
  expect(await schema(copy)).toEqual(await schema(fresh))
  expect(await migrations(copy)).toEqual(await migrations(fresh))
  expect((await migrations(copy)).length).toBeGreaterThan(0)
  await migrate(copy)
  expect(await schema(copy)).toEqual(await schema(fresh))
  await sql`delete from kysely_migration`.execute(copy)
  expect(await migrations(other)).toEqual(await migrations(fresh))
})

function open(url: string): Kysely<Tables> {
  const db = openDatabase({ url, timeoutMs: 10_000 })
  onTestFinished(() => db.destroy())
  return db
}

async function schema(db: Kysely<Tables>) {
  const { rows: columns } = await sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by table_name, column_name`.execute(db)
  const { rows: indexes } = await sql`
    select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname`.execute(db)
  return { columns, indexes }
}

async function migrations(db: Kysely<Tables>) {
  return (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows
}
