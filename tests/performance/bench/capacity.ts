import { randomBytes } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { freePort } from "../../support/server/free-port"
import { sumOf } from "../../support/server/metrics"
import { startShop } from "../../support/server/server-process"
import { postgresTime, queryOne } from "./postgres-cpu-time"
import { purchase, waitingVisitor } from "./purchase"

const BUYERS = 4
const WARM_UP = 60
const PURCHASES = 240
const WAITING = 120
/** Milliseconds between two polls of an open page at first. */
const POLLS_EVERY = 3_000
const ROUNDS = 3
const VISITS = 2_000

type Cost = {
  readonly what: string
  readonly shopMs: number
  readonly postgresMs: number
  readonly note: string
}

/** Measures the processor time of shop and PostgreSQL for a purchase, an order-status poll and a first page. */
export async function capacity(): Promise<string> {
  const stage = await startStage()
  try {
    await buy(stage, WARM_UP)
    const before = await written(stage)
    const bought = await purchases(stage)
    const after = await written(stage)
    const each = (what: keyof typeof before) => (after[what] - before[what]) / PURCHASES
    const costs = [bought, await looks(stage), await visits(stage)]
    const kilobytes = (what: keyof typeof before) => (each(what) / 1_024).toFixed(1)
    const billing = `books: ${kilobytes("stored")} kB kept, ${kilobytes("logged")} kB of log for a purchase`
    return [...costs.map(line), `${billing}, ${each("transactions").toFixed(0)} transactions`].join("\n")
  } finally {
    await stage.stop()
  }
}

type Stage = Awaited<ReturnType<typeof startStage>>

/** Starts one instance on PostgreSQL, with the gateway in a process of its own, which is not measured. */
async function startStage() {
  const postgres = await startPostgres()
  const databaseUrl = await freshDatabase(postgres.url)
  const [PORT = "", METRICS_PORT = ""] = [String(await freePort()), String(await freePort())]
  const OFFSHORE_CALLBACK_SECRET = `whsec_${randomBytes(24).toString("base64")}`
  const PUBLIC_URL = `http://127.0.0.1:${PORT}`
  const provider = await startShop({ env: { PUBLIC_URL, OFFSHORE_CALLBACK_SECRET, LOG_LEVEL: "error" } })
  const shop = await startShop({
    env: {
      PORT,
      METRICS_PORT,
      DATABASE_URL: databaseUrl,
      OFFSHORE_CALLBACK_SECRET,
      OFFSHORE_URL: `${provider.sandboxUrl}/offshore`,
      TRUSTED_PROXIES: "loopback",
    },
  })
  return {
    shop,
    databaseUrl,
    metrics: async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text(),
    async stop() {
      await shop.stop()
      await provider.stop()
      await postgres.stop()
    },
  }
}

async function purchases(stage: Stage): Promise<Cost> {
  const requests = async () => sumOf(await stage.metrics(), "boxoffice_request_duration_seconds_count")
  const before = await requests()
  const spent = await costOf(stage, () => buy(stage, PURCHASES))
  const each = (await requests()) - before
  return {
    ...per(spent, PURCHASES),
    what: "purchase",
    note: `${(each / PURCHASES).toFixed(1)} requests each`,
  }
}

/** Polls in the first seconds, when the gateway is asked most often. */
async function looks(stage: Stage): Promise<Cost> {
  const cookies = await Promise.all(
    Array.from({ length: WAITING }, (_, nth) => waitingVisitor(stage.shop, fromAddress(nth))),
  )
  const look = (cookie: string) =>
    fetch(`${stage.shop.url}/checkout/api/order-status`, { headers: { cookie } }).then((it) => it.text())
  let spent = { shopMs: 0, postgresMs: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    await pause(POLLS_EVERY)
    const more = await costOf(stage, () => runSequentially(cookies, look))
    spent = { shopMs: spent.shopMs + more.shopMs, postgresMs: spent.postgresMs + more.postgresMs }
  }
  return {
    ...per(spent, ROUNDS * WAITING),
    what: "look of a waiting page",
    note: "the gateway is asked two times in three",
  }
}

async function visits(stage: Stage): Promise<Cost> {
  const visit = () => fetch(`${stage.shop.url}/checkout/`).then((it) => it.text())
  const spent = await costOf(stage, () => runSequentially(Array.from({ length: VISITS }), visit))
  return { ...per(spent, VISITS), what: "first page", note: "of a visitor without a session, uncompressed" }
}

function buy({ shop }: Stage, times: number): Promise<void> {
  return runSequentially(Array.from({ length: times }), (_, nth) =>
    purchase(shop, fromAddress(nth + Math.random() * 1e6)),
  )
}

/** Runs all buyers concurrently. */
async function runSequentially<T>(
  all: readonly T[],
  act: (one: T, nth: number) => Promise<unknown>,
): Promise<void> {
  const left = all.entries()
  const one = async () => {
    for (const [nth, it] of left) await act(it, nth)
  }
  await Promise.all(Array.from({ length: BUYERS }, one))
}

/** Returns a client address per buyer, so that no rate limit applies. */
function fromAddress(nth: number): Record<string, string> {
  const number = Math.trunc(nth)
  return { "x-forwarded-for": `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
}

type Spent = Pick<Cost, "shopMs" | "postgresMs">

async function costOf(stage: Stage, work: () => Promise<unknown>): Promise<Spent> {
  const now = async () => ({
    shopMs: sumOf(await stage.metrics(), "process_cpu_seconds_total") * 1_000,
    postgresMs: await postgresTime(stage.databaseUrl),
  })
  const before = await now()
  await work()
  const after = await now()
  return { shopMs: after.shopMs - before.shopMs, postgresMs: after.postgresMs - before.postgresMs }
}

function per({ shopMs, postgresMs }: Spent, times: number): Spent {
  return { shopMs: shopMs / times, postgresMs: postgresMs / times }
}

/** Returns database size, write-ahead log size and number of transactions. */
function written({ databaseUrl }: Stage) {
  const sql = `select pg_database_size(current_database()) as stored, pg_current_wal_lsn() - '0/0' as logged,
    (select xact_commit from pg_stat_database where datname = current_database()) as transactions`
  return queryOne(databaseUrl, sql, ({ stored, logged, transactions }) => ({
    stored: Number(stored),
    logged: Number(logged),
    transactions: Number(transactions),
  }))
}

function line({ what, shopMs, postgresMs, note }: Cost): string {
  return `${what}: ${shopMs.toFixed(2)} ms of the shop, ${postgresMs.toFixed(2)} ms of PostgreSQL; ${note}`
}
