import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import { openDatabase } from "~/billing/embedded/db/database.server"
import { migrate } from "~/billing/embedded/db/migrate.server"
import { MINUTE } from "~/domain/calendar"
import { catalogueFixture, catalogueForImport, unique } from "../../contracts/billing/billing-fixtures"
import { operatorBrowser } from "../../fixtures/signed-in-operator"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { freePort } from "../../support/server/free-port"
import { sumOf } from "../../support/server/metrics"
import { startShop } from "../../support/server/server-process"
import { grow } from "../query-plans/seed-large-database"

const ORDERS = 1_000_000
const LOOKS = 3
/** Milliseconds. */
const ANSWER_AT_MOST = 1_000
const HELD_AT_MOST = 10

/** An order of the middle of all: `id` of seed-orders.ts. */
const number = (letter: string, i: number) => `${letter}${(i * 2_654_435_761) % 2 ** 32}`
const middle = ORDERS / 2

const pages: Readonly<Record<string, string>> = {
  overview: "",
  orders: "/orders",
  "orders on hold": "/orders?status=fraud",
  "orders of a gateway in a country": "/orders?gateway=offshore&country=GB",
  "orders with a promo code": "/orders?promotion=HALF",
  "orders of a day": "/orders?from=2025-01-10&to=2025-01-10",
  "orders by number": `/orders?q=${number("o", middle)}`,
  "orders by e-mail": `/orders?q=buyer${middle}%40example.test`,
  "orders by the beginning of an e-mail": "/orders?q=buyer12345",
  "orders by amount": "/orders?q=20.00",
  "orders by nothing known": "/orders?q=nobody%40nowhere.test",
  "an order": `/orders/${number("o", middle)}`,
  customers: "/customers",
  "customers by e-mail": `/customers?q=buyer${middle}%40example.test`,
  "a customer": `/customers/${number("c", middle)}`,
  services: "/services",
  "active services": "/services?status=Active",
  "services past a step": "/services?late=yes",
  "a service": `/services/${number("s", middle)}`,
  jobs: "/jobs",
  "unmatched payments": "/unmatched-payments",
  gateways: "/gateways",
  audit: "/audit",
}

/** Measures the console's pages in a shop with a million orders, on each engine. */
export async function consoleGrowth(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-console-"))
  const postgres = await startPostgres()
  try {
    print(`SQLite, ${ORDERS} orders`)
    await measured({ url: join(folder, "boxoffice.db"), env: {}, folder }, print)
    const url = await freshDatabase(postgres.url)
    print(`PostgreSQL, ${ORDERS} orders`)
    await measured({ url, env: { DATABASE_URL: url }, folder: mkdtempSync(join(folder, "postgres-")) }, print)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

type Engine = {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
}

async function measured({ url, env, folder }: Engine, print: (line: string) => void): Promise<void> {
  await fill(url)
  const METRICS_PORT = String(await freePort())
  const shop = await startShop({ dataDir: folder, env: { ...env, METRICS_PORT } })
  const databaseUrl = env.DATABASE_URL
  const metrics = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  try {
    const operator = await operatorBrowser(databaseUrl ? { ...shop, databaseUrl } : shop, "owner")
    for (const [name, path] of Object.entries(pages)) {
      // Node forgets what it has measured when it is asked.
      await metrics()
      const times = await looksAt(() => operator.visit(path))
      print(lineOf(name, times, longestHold(await metrics())))
    }
  } finally {
    await shop.stop()
  }
}

async function looksAt(visit: () => Promise<{ readonly status: number }>): Promise<readonly number[]> {
  const times: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    const started = performance.now()
    const { status } = await visit()
    times.push(performance.now() - started)
    if (status !== 200) throw new Error(`The page answers ${status}`)
  }
  return times
}

function lineOf(name: string, times: readonly number[], held: number): string {
  const verdict = Math.max(...times) <= ANSWER_AT_MOST ? "reached" : "MISSED "
  const shown = times.map((it) => it.toFixed(0)).join(", ")
  return `${verdict}  ${name}: ${shown} ms, event loop held for ${held.toFixed(0)} ms (aim ${HELD_AT_MOST})`
}

/** The longest time, in milliseconds, that the event loop was held since it was last asked for. */
function longestHold(metrics: string): number {
  // Node measures the time between two looks at the clock, which it plans every 10 ms.
  return Math.max(0, sumOf(metrics, "nodejs_eventloop_lag_max_seconds") * 1_000 - 10)
}

async function fill(url: string): Promise<void> {
  const db = openDatabase({ url, timeoutMs: 30 * MINUTE })
  await migrate(db)
  if (!url.startsWith("postgres")) {
    for (const faster of ["journal_mode = off", "synchronous = off", "cache_size = -1000000"])
      await sql.raw(`pragma ${faster}`).execute(db)
  }
  await importCatalogue({ db, newId: unique }, catalogueForImport(catalogueFixture))
  await grow(db, { orders: ORDERS, now: Date.now() })
  if (!url.startsWith("postgres")) await sql.raw("pragma journal_mode = wal").execute(db)
  await db.destroy()
}
