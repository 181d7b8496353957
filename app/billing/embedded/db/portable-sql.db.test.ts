import { beforeAll, expect, inject, test } from "vitest"
import { openTemporaryDatabase } from "../../../../tests/fixtures/temporary-database"
import { runAllQueries } from "../../../../tests/performance/query-plans/run-all-queries"
import { freshDatabase } from "../../../../tests/support/db/postgres"
import { statementsOf } from "../../../../tests/support/db/statement-counter"
import { openDatabase } from "./database.server"
import { migrate } from "./migrate.server"

/** Constructs of PostgreSQL that a distributed engine with its protocol does not have, or has only by name. */
const foreign = {
  "advisory locks: none in YugabyteDB before 2025, without effect in CockroachDB": /\bpg_(try_)?advisory/,
  "LISTEN and NOTIFY: none in CockroachDB and YugabyteDB, useless through PgBouncer":
    /^\s*(un)?listen\b|^\s*notify\b|\bpg_notify\b/,
  "session settings: lost between two transactions through PgBouncer":
    /^\s*set (?!local\b|transaction\b|constraints\b)\w|\bset_config\(/,
  "named prepared statements: lost between two transactions through PgBouncer":
    /^\s*(prepare|execute|deallocate)\b/,
  "temporary tables: tied to a session, experimental in CockroachDB": /\bcreate (local |global )?temp/,
  "cursors: tied to a session": /^\s*(declare|fetch|move)\b/,
  "table locks: none in CockroachDB": /^\s*lock table\b/,
  "exclusion constraints: none in CockroachDB, YugabyteDB and across Citus shards": /\bexclude using\b/,
  "deferrable constraints: none in CockroachDB": /\bdeferrable\b/,
  "inheritance and partitions: none of PostgreSQL's kind in CockroachDB":
    /\binherits\s*\(|\bpartition (by range|by list|of)\b.*\bvalues\b/,
  "GiST, SP-GiST and BRIN indexes: none in YugabyteDB, ordinary ones in CockroachDB":
    /\busing (gist|spgist|brin)\b/,
  "blocks of PL/pgSQL, triggers and rules":
    /^\s*do\b|\bcreate (or replace )?(trigger|function|rule|procedure)\b/,
  "extensions, domains, tablespaces and large objects":
    /\bcreate (extension|domain|tablespace)\b|\blo_(create|import|open)\b/,
  "places of rows and numbers of transactions": /\b(ctid|xmin|xmax|txid_current|pg_current_xact_id)\b/,
  "MERGE: none in CockroachDB": /^\s*merge into\b/,
  "counters: a sequence is one row that every machine asks for":
    /\b(serial|bigserial|nextval|generated \w+( default)? as identity)\b/,
  "maintenance statements": /^\s*(vacuum|cluster|reindex)\b/,
} as const

/** What is issued all the same: the statement's beginning, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  "select pg_advisory_xact_lock(":
    "when tables are set up, within a transaction; on an engine without it, start one instance first",
}

let definitions: readonly string[]
let queries: readonly string[]

beforeAll(async () => {
  const db = openDatabase({ url: await freshDatabase(inject("postgres")), timeoutMs: 30_000 })
  const sent = statementsOf(db)
  await migrate(db)
  await db.destroy()
  definitions = [...new Set(sent)]
  const backend = await openTemporaryDatabase("PostgreSQL")
  const asked = await runAllQueries(backend)
  await backend.close()
  queries = [...new Set(asked.queries.map(({ query }) => query.sql))]
}, 180_000)

test("all statements of the migrations and of the billing ports are looked through", () => {
  expect(definitions.filter((it) => it.startsWith("create table")).length).toBeGreaterThan(40)
  expect(queries.length).toBeGreaterThan(300)
})

test("no statement has a construct that CockroachDB, YugabyteDB or PgBouncer's transaction mode lacks", () => {
  expect([...definitions, ...queries].flatMap(foreignIn)).toEqual([])
})

test("each allowed exception is still issued", () => {
  const issued = [...definitions, ...queries]
  const unused = Object.keys(allowed).filter((start) => !issued.some((sql) => sql.startsWith(start)))
  expect(unused).toEqual([])
})

test.each([
  ["listen orders"],
  ["select pg_advisory_lock(1)"],
  ["set statement_timeout = 5"],
  ["create temporary table t (id text)"],
  ["create table t (id bigserial)"],
  ["alter table t add constraint c unique (id) deferrable"],
])("%s would be reported", (sql) => {
  expect(foreignIn(sql)).not.toEqual([])
})

function foreignIn(sql: string): string[] {
  if (Object.keys(allowed).some((start) => sql.startsWith(start))) return []
  const found = Object.entries(foreign).filter(([, pattern]) => pattern.test(sql.toLowerCase()))
  return found.map(([what]) => `${what}: ${sql.slice(0, 120)}`)
}
