import pg from "pg"
import { afterAll, beforeAll, inject } from "vitest"
import { billingContract } from "../../../tests/contracts/billing/billing-contract"
import { catalogueFixture } from "../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../tests/contracts/billing/embedded-billing"
import { freshMigratedDatabase } from "../../../tests/support/db/migrated-postgres"

let backend: SeedableBilling
let broom: pg.Client

beforeAll(async () => {
  const url = await freshMigratedDatabase(inject("postgres"))
  backend = await createEmbeddedBilling(url, catalogueFixture)
  broom = new pg.Client({ connectionString: url })
  await broom.connect()
})

afterAll(async () => {
  await broom.end()
  await backend.close()
})

// Creating a database takes far longer than a test, so all tests share one, which is emptied before each.
billingContract(
  "PostgreSQL",
  async () => {
    const tables = await broom.query("select tablename from pg_tables where schemaname = 'public'")
    const connections = tables.rows
      .map(({ tablename }) => tablename)
      .filter((name) => !name.startsWith("kysely"))
    const sweeps = connections.map((name) => `delete from ${name};`)
    await broom.query(`set session_replication_role = replica; ${sweeps.join(" ")}`)
    await backend.restock()
    return { ...backend, close: async () => {} }
  },
  { terms: true },
)
