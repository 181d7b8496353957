import { rmSync } from "node:fs"
import { join } from "node:path"
import { type Kysely, sql } from "kysely"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { openDatabase } from "~/billing/embedded/db/database.server"
import { migrate } from "~/billing/embedded/db/migrate.server"
import type { Tables } from "~/billing/embedded/db/schema/schema"
import { temporaryFolder } from "../temporary-folder"
import { openMigratedMemoryDatabase, writeMigratedDatabase } from "./migrated-sqlite"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))

const migrations = async (db: Kysely<Tables>) =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows
const schema = async (db: Kysely<Tables>) =>
  (await sql`select type, name, tbl_name, sql from sqlite_master order by type, name`.execute(db)).rows

test.each([
  ["in memory", openMigratedMemoryDatabase],
  [
    "in a file",
    async () => {
      await writeMigratedDatabase(join(folder, "boxoffice.db"))
      return openDatabase({ url: join(folder, "boxoffice.db"), timeoutMs: 1_000 })
    },
  ],
])("a prepared database %s has the schema of the migrations", async (_, open) => {
  const ready = await open()
  const migrated = openDatabase({ url: ":memory:", timeoutMs: 1_000 })
  onTestFinished(async () => {
    await Promise.all([ready.destroy(), migrated.destroy()])
  })
  await migrate(migrated)
  expect(await schema(ready)).toEqual(await schema(migrated))
  expect(await migrations(ready)).toEqual(await migrations(migrated))
  expect((await migrations(ready)).length).toBeGreaterThan(0)
  await migrate(ready)
  expect(await schema(ready)).toEqual(await schema(migrated))
})
