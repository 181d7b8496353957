import { setTimeout as pause } from "node:timers/promises"
import { expect } from "playwright/test"
import { buyAtOnce, buyers, newTally } from "../../fixtures/concurrent-buyers"
import { loadSystemState } from "../../resilience/invariants/load-state"
import { violations } from "../../resilience/invariants/violations"
import { memoryOf } from "../../support/server/process-memory"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

/** `npm run soak` sets a higher number. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 0.3)
const WARM_UP = 100
const AT_ONCE = 5
/** Allowed growth factor of the minimum between two garbage collections. The minimum of a leak grows without limit. */
const GROWS_AT_MOST = 1.2

test.skip(process.platform !== "linux", "Only Linux reports the memory of a process in a file")

test("memory stays flat during continuous purchases", deep, async () => {
  test.setTimeout(MINUTES * 60_000 + 120_000)
  const shop = await startShop({ env: { TRUSTED_PROXIES: "loopback" } })
  const tally = newTally()
  await buyAtOnce(shop, buyers(WARM_UP), tally)
  const held = await measuredWhile(shop, async (isRunning) => {
    for (let from = WARM_UP; isRunning(); from += AT_ONCE) await buyAtOnce(shop, buyers(AT_ONCE, from), tally)
  })
  const found = violations(await loadSystemState({ dataDir: shop.dataDir }))
  const third = Math.floor(held.length / 3)
  const [first, last] = [Math.min(...held.slice(0, third)), Math.min(...held.slice(-third))]
  const growth = `${first.toFixed(0)} MiB in the first third, ${last.toFixed(0)} in the last`
  process.stdout.write(
    `Memory over ${MINUTES} minutes: ${tally.purchases} purchases held, 0 instances killed, ${tally.refused} answered 503, ${growth}, violations: ${found.length}\n`,
  )
  expect(found).toEqual([])
  expect(last / first).toBeLessThan(GROWS_AT_MOST)
  await shop.stop()
})

/** Resident memory of the shop in MiB, sampled every 100 ms for MINUTES while `act` runs. */
async function measuredWhile(
  shop: TestServer,
  act: (isRunning: () => boolean) => Promise<void>,
): Promise<number[]> {
  const until = Date.now() + MINUTES * 60_000
  const held: number[] = []
  const isRunning = () => Date.now() < until
  const looking = (async () => {
    while (isRunning()) {
      held.push(memoryOf(shop.pid() ?? 0))
      await pause(100)
    }
  })()
  await act(isRunning)
  await looking
  return held
}
