import { expect } from "playwright/test"
import { buyAtOnce, buyers, newTally, type Tally } from "../../fixtures/concurrent-buyers"
import { loadSystemState } from "../../resilience/invariants/load-state"
import { violations } from "../../resilience/invariants/violations"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { startShop } from "../../support/server/server-process"
import { startTwoInstances } from "../../support/server/two-instances"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

/** `npm run soak` sets higher numbers. */
const embedded = buyers(Number(process.env.LOAD_PURCHASES ?? 500))
const shared = buyers(Number(process.env.LOAD_PURCHASES ?? 150))

/** Many more visitors than the shop admits concurrently. */
const NEWCOMERS = 3_000

/** Milliseconds. A busy machine completes as many purchases, but slower. */
const MAX_WAIT = 240_000

const onceEach = (emails: readonly string[]) => new Map(emails.map((email) => [email, 1]))

test(
  `${embedded.length} concurrent purchases on embedded billing are each paid and provisioned once`,
  deep,
  async () => {
    test.setTimeout(MAX_WAIT)
    const shop = await startShop({ env: { TRUSTED_PROXIES: "loopback" } })
    const tally = newTally()
    await buyAtOnce(shop, embedded, tally)
    const found = await lastViolations({ dataDir: shop.dataDir, meant: onceEach(embedded) })
    report("embedded", { tally, killed: 0, found })
    expect(found).toEqual([])
    expect(tally).toMatchObject({ purchases: embedded.length, lost: 0 })
    await shop.stop()
  },
)

test("30 concurrent purchases on embedded billing are each paid and provisioned once", async () => {
  const shop = await startShop({ env: { TRUSTED_PROXIES: "loopback" } })
  const few = buyers(30)
  const tally = newTally()
  await buyAtOnce(shop, few, tally)
  expect(await lastViolations({ dataDir: shop.dataDir, meant: onceEach(few) })).toEqual([])
  expect(tally).toMatchObject({ purchases: few.length, lost: 0 })
  await shop.stop()
})

test(
  `${shared.length} concurrent purchases on two instances, one of which is killed, are each paid and provisioned once`,
  deep,
  async () => {
    test.setTimeout(MAX_WAIT)
    needsPackages("postgresql")
    const cluster = await startPostgres()
    const databaseUrl = await freshDatabase(cluster.url)
    const { provider, balancer, instances, ports, stop } = await startTwoInstances(databaseUrl)
    const tally = newTally()
    const bought = buyAtOnce({ url: balancer.url, sandboxUrl: provider.sandboxUrl }, shared, tally)
    await Promise.race([
      expect.poll(() => tally.purchases, { timeout: MAX_WAIT }).toBeGreaterThan(shared.length / 2),
      bought,
    ])
    // Between two requests the death of an instance would go unnoticed.
    await expect.poll(() => balancer.unansweredAt(ports[0]), { intervals: [1] }).toBeGreaterThan(2)
    await instances[0].kill9()
    await bought
    const { dataDir } = instances[1]
    const billing = { dataDir, databaseUrl, sandboxDir: provider.dataDir }
    const found = await lastViolations({ ...billing, meant: onceEach(shared) })
    report("PostgreSQL, two instances", { tally, killed: 1, found })
    expect(found).toEqual([])
    expect(tally.purchases).toBe(shared.length)
    expect(tally.lost).toBeGreaterThan(0)
    await stop()
    await cluster.stop()
  },
)

/** Violations after all jobs had time to finish: a job whose worker died is claimed again after 40 seconds. */
async function lastViolations(shop: Parameters<typeof loadSystemState>[0]): Promise<string[]> {
  let found: string[] = []
  const look = async () => {
    found = violations(await loadSystemState(shop))
    return found
  }
  await expect
    .poll(look, { timeout: 60_000 })
    .toEqual([])
    .catch(() => {})
  return found
}

test(
  `${NEWCOMERS} concurrent visitors get a page or 503, and buyers are served meanwhile`,
  deep,
  async () => {
    test.setTimeout(MAX_WAIT)
    const shop = await startShop({ env: { TRUSTED_PROXIES: "loopback" } })
    const tally = newTally()
    const emails = buyers(20)
    const looks = Array.from({ length: NEWCOMERS }, () => statusOf(`${shop.url}/checkout/resellers`))
    await buyAtOnce(shop, emails, tally)
    const statuses = Map.groupBy(await Promise.all(looks), (it) => it)
    const served = statuses.get(200)?.length ?? 0
    const later = statuses.get(503)?.length ?? 0
    const found = await lastViolations({ dataDir: shop.dataDir, meant: onceEach(emails) })
    report(`embedded with ${served} of ${NEWCOMERS} visitors served and ${later} answered 503`, {
      tally,
      killed: 0,
      found,
    })
    expect(found).toEqual([])
    expect(served + later).toBe(NEWCOMERS)
    expect([served > 0, later > 0]).toEqual([true, true])
    expect(tally).toMatchObject({ purchases: emails.length, lost: 0 })
    await shop.stop()
  },
)

/** Status of a browser's first visit; 0 if the connection fails. */
async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { headers: { accept: "text/html" } })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

type Run = { tally: Tally; killed: number; found: readonly string[] }

function report(billing: string, { tally, killed, found }: Run): void {
  const { purchases, refused, lost } = tally
  process.stdout.write(
    `Load on ${billing}: ${purchases} purchases held, ${killed} instances killed, ${refused} answered 503, ${lost} answers lost, violations: ${found.length}\n`,
  )
}
