import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { expect } from "playwright/test"
import { type FaultProxy, openFaultProxy } from "../../fakes/tcp-fault-proxy"
import { chooseAndPay, goToGateway, payAt } from "../../fixtures/no-script-purchase"
import { type Bought, buyPersistently, type PageLoad } from "../../fixtures/persistent-buyer"
import { loadSystemState } from "../../resilience/invariants/load-state"
import type { SystemState } from "../../resilience/invariants/system-state"
import { violations } from "../../resilience/invariants/violations"
import { Browser } from "../../support/browser/no-script-browser"
import { type Cluster, followSynchronously, promote, startPostgres } from "../../support/db/postgres"
import type { TestServer } from "../../support/server/server-process"
import { type Machines, startMachines } from "../../support/server/shop-cluster"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

needsPackages("postgresql", "nginx-light")

const SECRET = "the-only-secret-of-32-characters-or-more"
const BUYERS = 12
/** Milliseconds: more than the outage may add to a page, and than it may go on after the address has moved. */
const TOO_LONG = 10_000
const SETTLES_WITHIN = 60_000
const ABSENT = "absent@example.test"

/** `noticedAfter`: milliseconds until the standby is promoted, longer than a callback waits for the database. */
const losses = [
  {
    loss: "the primary is killed",
    purchases: 300,
    noticedAfter: 4_000,
    lose: (primary: Cluster) => primary.lose(),
  },
  {
    loss: "the primary and its network fall silent",
    purchases: 60,
    noticedAfter: 12_000,
    lose: (primary: Cluster, address: FaultProxy) => {
      address.silence()
      return primary.lose()
    },
  },
]

for (const { loss, purchases, noticedAfter, lose } of losses) {
  test(
    `when ${loss} during ${purchases} purchases nothing is lost, and the shop goes on with the standby`,
    deep,
    async () => {
      // Milliseconds. Takes two minutes on a quiet machine.
      test.setTimeout(900_000)
      const primary = await startPostgres()
      const standby = await startPostgres({ standbyOf: primary })
      await followSynchronously(primary)
      // Stands for the address that an operator moves from one machine to the other.
      const address = await openFaultProxy(at(primary.url))
      const through = async (url: string) => withPort(url, address.port)
      const machines = await startMachines(2, SECRET, { postgres: primary, through })
      const pids = machines.instances.map((it) => it.pid())

      const payment = await goToGateway(await chooseAndPay(new Browser(), { shop: machines, email: ABSENT }))
      const load = startLoad(machines, purchases)
      await expect.poll(() => load.bought.length, { timeout: 300_000 }).toBeGreaterThanOrEqual(purchases / 3)
      const lostAt = Date.now()
      await lose(primary, address)
      // Pays while the shop has no database, and looks never again: only the gateway's callback reports it.
      const returned = payAt(payment)
      await pause(noticedAfter)
      await promote(standby)
      address.moveTo(at(standby.url))
      const movedAt = Date.now()
      const { bought, errors } = await load.done
      await returned

      expect(errors).toEqual([])
      expect(bought).toHaveLength(purchases)
      expect(machines.instances.map((it) => it.pid())).toEqual(pids)
      const seen = whatWasSeen(bought, { lostAt, movedAt })
      test.info().annotations.push({ type: "what buyers saw", description: JSON.stringify(seen) })
      expect(seen.untruthful).toEqual([])
      expect(seen.statuses).toEqual([200, 503])
      expect(seen.lostForms).toBe(0)
      // A busy machine is slow before the outage, too.
      expect(seen.slowestMs).toBeLessThan(TOO_LONG + seen.slowestBeforeMs)
      expect(seen.lastFailureAfterMoveMs).toBeLessThan(TOO_LONG + seen.slowestBeforeMs)

      const databaseUrl = withPort(machines.databaseUrl, at(standby.url).port)
      const meant = new Map([...bought.map(({ email }) => email), ABSENT].map((email) => [email, 1]))
      const state = { dataDir: machines.provider.dataDir, databaseUrl, meant }
      await expect
        .poll(async () => violations(await loadSystemState(state)), { timeout: SETTLES_WITHIN })
        .toEqual([])
      await expect
        .poll(async () => activeOrders(await loadSystemState(state)), { timeout: SETTLES_WITHIN })
        .toBe(purchases + 1)
      expect(missing(bought, await loadSystemState(state))).toEqual([])
      const callbacks = acceptedCallbacks(machines.provider)
      expect(callbacks.filter(({ tries }) => tries > 1).length).toBeGreaterThan(0)
      const events = await storedEvents(databaseUrl)
      expect(callbacks.filter(({ id }) => !events.has(id))).toEqual([])
      await machines.stop()
      await address.close()
      await standby.stop()
    },
  )
}

/** Starts the purchases, BUYERS at a time. `bought` grows. */
function startLoad(shop: Machines, purchases: number) {
  const bought: Bought[] = []
  const errors: string[] = []
  let number = 0
  async function lane() {
    while (number < purchases) {
      number += 1
      const email = `buyer${number}@example.test`
      try {
        bought.push(await buyPersistently({ shop, email, number }))
      } catch (error) {
        errors.push(String(error))
      }
    }
  }
  const done = Promise.all(Array.from({ length: BUYERS }, lane)).then(() => ({ bought, errors }))
  return { bought, done }
}

type Outage = { readonly lostAt: number; readonly movedAt: number }

/** What buyers saw from the loss on, counted by page and status, as in docs/operating.md. */
function whatWasSeen(bought: readonly Bought[], { lostAt, movedAt }: Outage) {
  const loads = bought.flatMap((it) => it.loads)
  const [before, all] = [loads.filter((it) => endOf(it) <= lostAt), loads.filter((it) => endOf(it) > lostAt)]
  const failures = all.filter(({ status }) => status >= 400)
  const pages = Map.groupBy(all, ({ step, status }) => `${step}: ${status}`)
  return {
    pages: Object.fromEntries([...pages].map(([name, some]) => [name, some.length])),
    statuses: [...new Set(all.map(({ status }) => status))].sort(),
    untruthful: failures.filter(({ isTruthful }) => !isTruthful),
    lostForms: bought.reduce((count, it) => count + it.lostForms, 0),
    buyersWithFailures: bought.filter((it) => it.failures.length > 0).length,
    slowestBeforeMs: slowest(before),
    slowestMs: slowest(all),
    movedAfterMs: movedAt - lostAt,
    lastFailureAfterMoveMs: Math.round(Math.max(...failures.map(endOf)) - movedAt),
  }
}

function slowest(loads: readonly PageLoad[]): number {
  return Math.round(Math.max(...loads.map(({ tookMs }) => tookMs)))
}

function endOf({ at: startedAt, tookMs }: PageLoad): number {
  return startedAt + tookMs
}

function activeOrders({ database }: SystemState): number {
  return database.orders.filter(({ status }) => status === "active").length
}

/** Buyers whose page showed an order or a line that is not stored, or of whose order not one line and one invoice are. */
function missing(bought: readonly Bought[], { database: { services, invoices } }: SystemState): string[] {
  return bought.flatMap(({ email, order, username }) => {
    const lines = services.filter(({ order_id }) => order_id === order).map((it) => it.username)
    const bills = invoices.filter(({ order_id }) => order_id === order)
    return lines.join() === username && bills.length === 1 ? [] : [email]
  })
}

/** The callbacks that the shop has answered with 2xx, from the gateway's log. */
function acceptedCallbacks(gateway: TestServer): { id: string; tries: number }[] {
  const accepted = gateway.logLines().filter((it) => it.accepted === true)
  return accepted.map(({ messageId, tries }) => ({ id: String(messageId), tries: Number(tries) }))
}

async function storedEvents(databaseUrl: string): Promise<ReadonlySet<string>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ event_key: string }>("select event_key from gateway_events")
  await client.end()
  return new Set(rows.map((row) => row.event_key))
}

function at(url: string): { host: string; port: number } {
  const { hostname: host, port } = new URL(url)
  return { host, port: Number(port) }
}

function withPort(url: string, port: number): string {
  return Object.assign(new URL(url), { port: String(port) }).href
}
