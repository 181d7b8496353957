import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { rawRequest } from "../../support/http/raw-request"
import { startShop, type TestServer } from "../../support/server/server-process"
import { startTwoInstances } from "../../support/server/two-instances"
import { firstStartSeconds } from "./first-start"
import { openLoop } from "./open-loop"
import { knownVisitor } from "./purchase"
import { median } from "./statistics"
import type { Reached } from "./targets"

type Options = { readonly quick: boolean; readonly print: (line: string) => void }

/** Requests a second during the restart: far from what two instances can answer. */
const PER_SECOND = 20
/** Starts of which the median counts, and later requests of each. */
const STARTS = 5
const LATER = 20

/**
 * Measures the first start with its build (not quickly), a second start, the first request after it, and a restart of two
 * instances one after the other under load.
 */
export async function startAndRestart({ quick, print }: Options): Promise<Reached> {
  const firstStart = quick ? null : await firstStartSeconds()
  if (firstStart !== null)
    print(`first start of an installed clone: first page after ${firstStart.toFixed(1)} s`)
  const first = await firstRequests(quick ? 1 : STARTS)
  print(
    `second start: first page after ${first.page.toFixed(2)} s; the first request takes ${first.ratio.toFixed(1)} times the later ones`,
  )
  const { calm, restarting, lost } = await restartUnderLoad(quick ? 2 : 10)
  print(
    `restart of two instances under load: slowest request ${calm.toFixed(0)} ms before, ${restarting.toFixed(0)} ms meanwhile, ${lost.length} lost`,
  )
  for (const failure of new Set(lost)) print(`  ${failure}`)
  return {
    firstStart,
    firstPage: first.page,
    firstRequest: first.ratio,
    restartAdds: (restarting - calm) / 1_000,
    restartLoses: lost.length,
  }
}

/** Of a start on existing data: seconds until the first page, and how much longer the first request takes than the later ones. */
async function firstRequests(starts: number): Promise<{ page: number; ratio: number }> {
  const shop = await startShop({ env: { TRUSTED_PROXIES: "loopback" }, isDurable: true })
  try {
    const cookie = await knownVisitor(shop)
    const pages: number[] = []
    const ratios: number[] = []
    for (let start = 0; start < starts; start++) {
      const began = performance.now()
      await shop.restart()
      const first = await lookAt(shop, cookie)
      pages.push((performance.now() - began) / 1_000)
      const later: number[] = []
      for (let nth = 0; nth < LATER; nth++) later.push(await lookAt(shop, cookie))
      ratios.push(first / median(later))
    }
    return { page: median(pages), ratio: median(ratios) }
  } finally {
    await shop.stop()
  }
}

async function lookAt({ url }: Pick<TestServer, "url">, cookie: string): Promise<number> {
  const began = performance.now()
  const headers = { cookie, connection: "close", accept: "text/html" }
  const { status } = await rawRequest(url, "/checkout/", { headers })
  if (status !== 200) throw new Error(`The checkout was answered by ${status}`)
  return performance.now() - began
}

/** Milliseconds of the slowest request in as many seconds before and during the restart, and what requests were lost by. */
async function restartUnderLoad(seconds: number) {
  const postgres = await startPostgres()
  const both = await startTwoInstances(await freshDatabase(postgres.url))
  try {
    const shop = { url: both.balancer.url }
    const cookie = await knownVisitor({ ...both.provider, ...shop })
    const load = (lasting: number) =>
      openLoop({ perSecond: PER_SECOND, seconds: lasting }, () => lookAt(shop, cookie))
    await load(seconds)
    const calm = await load(seconds)
    const restarted = restartAll(both.instances)
    const restarting: number[] = []
    const lost: string[] = []
    let isRestarting = true
    void restarted.finally(() => {
      isRestarting = false
    })
    while (isRestarting) {
      const { times, failures } = await load(1)
      restarting.push(...times)
      lost.push(...failures)
    }
    await restarted
    return { calm: Math.max(...calm.times), restarting: Math.max(...restarting), lost }
  } finally {
    await both.stop()
    await postgres.stop()
  }
}

async function restartAll(instances: readonly TestServer[]): Promise<void> {
  for (const instance of instances) await instance.restart()
}
