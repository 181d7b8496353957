import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import { openDatabase } from "~/billing/embedded/db/database.server"
import { migrate } from "~/billing/embedded/db/migrate.server"
import { DAY, MINUTE } from "~/domain/calendar"
import {
  catalogueFixture,
  catalogueForImport,
  NOON,
  newOrderInput,
  unique,
} from "../../contracts/billing/billing-fixtures"
import { createEmbeddedBilling, type SeedableBilling } from "../../contracts/billing/embedded-billing"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { grow } from "../query-plans/seed-large-database"
import { again, median } from "./statistics"

const FEW = 1_000
const MANY = 1_000_000
const ROUNDS = 7
const SECONDS = 2
const BATCH = 100
const RATE_AT_LEAST = 0.7
const READ_AT_MOST = 2.5

type Engine = {
  readonly name: string
  readonly buyers: number
  address(): Promise<string>
  /** Statements that make filling faster; they do not apply during measurement. */
  readonly whileFilling: readonly string[]
}

type Grown = { readonly orders: number; readonly billing: SeedableBilling }

/** Compares a database of a million orders with one of a thousand, on each engine; reports each engine's result. */
export async function growth(report: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-growth-"))
  const postgres = await startPostgres()
  try {
    const engines: Engine[] = [
      {
        name: "SQLite",
        buyers: 1,
        address: async () => join(folder, `${unique()}.db`),
        whileFilling: [
          "pragma journal_mode = off",
          "pragma synchronous = off",
          "pragma cache_size = -1000000",
        ],
      },
      {
        name: "PostgreSQL",
        buyers: 4,
        address: () => freshDatabase(postgres.url),
        whileFilling: [],
      },
    ]
    for (const engine of engines) for (const line of await compared(engine)) report(line)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

async function compared(engine: Engine): Promise<string[]> {
  const both = [await grown(engine, FEW), await grown(engine, MANY)] as const
  const rounds = await compareRuns(both)
  const rates = await runSequentially(both, ({ billing: backend }) => orderRate(backend, engine.buyers))
  const reads = await runSequentially(both, readTime)
  await Promise.all(both.map(({ billing: backend }) => backend.close()))
  return [
    `${engine.name}: ${MANY} orders beside ${FEW}`,
    `${verdict(rates.ratio >= RATE_AT_LEAST)}  orders a second: ${rates.middle.map(whole).join(" and ")}, ratio ${rates.ratio.toFixed(2)}, aim ${RATE_AT_LEAST} or more`,
    `${verdict(reads.ratio <= READ_AT_MOST)}  reading an order by its number: ${reads.middle.map(milliseconds).join(" and ")}, ratio ${reads.ratio.toFixed(2)}, aim ${READ_AT_MOST} or less`,
    ...rounds.map((line) => `           ${line}`),
  ]
}

async function grown({ address, whileFilling }: Engine, orders: number): Promise<Grown> {
  const url = await address()
  const db = openDatabase({ url, timeoutMs: 30 * MINUTE })
  await migrate(db)
  for (const message of whileFilling) await sql.raw(message).execute(db)
  await importCatalogue({ db, newId: unique }, catalogueForImport(catalogueFixture))
  await grow(db, { orders, now: NOON })
  await db.destroy()
  return { orders, billing: await createEmbeddedBilling(url, catalogueFixture) }
}

/** Returns the medians of several rounds for both databases, and the median of their ratios, many to few. */
async function runSequentially(
  [few, many]: readonly [Grown, Grown],
  measure: (it: Grown) => Promise<number>,
) {
  const rounds: (readonly [number, number])[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push([await measure(few), await measure(many)])
  return {
    middle: [median(rounds.map(([of]) => of)), median(rounds.map(([, of]) => of))],
    ratio: median(rounds.map(([ofFew, ofMany]) => ofMany / ofFew)),
  }
}

/** Places orders of new customers; returns orders per second. */
async function orderRate({ billing }: SeedableBilling, buyers: number): Promise<number> {
  const order = async () => void (await billing.placeOrder(await newOrderInput(billing)))
  return (await again(order, SECONDS, buyers)).perSecond
}

/** Reads random orders of all years; returns the median in milliseconds, which load on the machine affects least. */
async function readTime({ orders, billing: backend }: Grown): Promise<number> {
  const read = async () => {
    const i = 1 + Math.trunc(Math.random() * orders)
    if (!(await backend.billing.order(`o${(i * 2_654_435_761) % 2 ** 32}`))) throw new Error(`No order ${i}`)
  }
  return (await again(read, SECONDS, 1)).p50
}

/** Measures background work; the first run also archives what has accumulated over the years. */
async function compareRuns(both: readonly Grown[]): Promise<string[]> {
  const lines: string[] = []
  for (const [what, run] of Object.entries(rounds)) {
    const times: number[] = []
    for (const { billing: backend } of both) times.push(await timed(() => run(backend)))
    lines.push(`${what}: ${times.map(milliseconds).join(" and ")}`)
  }
  return lines
}

const pollDueAttempts = ({ payments }: SeedableBilling) =>
  payments.attemptsDueForPolling("offshore", NOON + MINUTE, BATCH)

const rounds: Record<string, (backend: SeedableBilling) => Promise<unknown>> = {
  "payments to ask about, the first time": pollDueAttempts,
  "payments to ask about": pollDueAttempts,
  "orders past their deadline": ({ billing }) => billing.overdueOrders(NOON + DAY, BATCH),
  "money that has paid nothing": ({ payments }) => payments.creditUnappliedPayments(NOON, BATCH),
  "a turn of forgetting": ({ billing }) => billing.eraseInactiveCustomers(NOON - 90 * DAY, 2 * BATCH),
  "due jobs": ({ outbox }) => outbox.claim(NOON, MINUTE, 10),
  "figures for the instruments": (backend) => backend.figures(NOON, NOON - DAY),
  "the operator's sum of all money": ({ operator }) => operator.findImbalances(),
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const whole = (number: number) => number.toFixed(0)
const milliseconds = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
const verdict = (isReached: boolean) => (isReached ? "  reached" : "  MISSED ")
