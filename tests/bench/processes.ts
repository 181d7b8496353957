import { availableParallelism } from "node:os"
import { freshDatabase, startPostgres } from "../postgres"
import { memoryOf } from "../process-memory"
import { type Shop, startShop } from "../server-process"
import { requestHeaders } from "./capture"
import { load } from "./load"
import { knownVisitor } from "./purchase"

const STARTS = 3
const CONNECTIONS = 10
/** In MB of a million bytes, which is the stricter reading of the aim. */
const MEGABYTES = 1.048_576

/** What a running shop has in memory. */
export function memory(shop: Shop): number {
  const pid = shop.pid()
  if (pid === undefined) throw new Error("The shop is not running")
  return memoryOf(pid) * MEGABYTES
}

/** Seconds from the start of the process until it is well, on data that is there; the best of some. */
export async function readySeconds(dataDir: string): Promise<number> {
  const seconds: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const begun = performance.now()
    const shop = await startShop({ dataDir })
    seconds.push((performance.now() - begun) / 1_000)
    await shop.stop()
  }
  return Math.min(...seconds)
}

/**
 * How much more two instances over one PostgreSQL answer than one of them alone. Null where they would have to share
 * cores with each other, PostgreSQL and the one who asks: that would measure the machine.
 */
export async function twoOfOne(seconds: number): Promise<number | null> {
  if (availableParallelism() < 4) return null
  const postgres = await startPostgres()
  const shops: Shop[] = []
  try {
    const DATABASE_URL = await freshDatabase(postgres.url)
    for (let nth = 0; nth < 2; nth++) shops.push(await startShop({ env: { DATABASE_URL } }))
    const asked = await Promise.all(shops.map(async (shop) => known(shop, await knownVisitor(shop))))
    const answers = (all: typeof asked) =>
      Promise.all(all.map((one) => load({ ...one, seconds, connections: CONNECTIONS })))
    await answers(asked)
    const sum = (figures: Awaited<ReturnType<typeof answers>>) =>
      figures.reduce((total, { perSecond }) => total + perSecond, 0)
    const alone = sum(await answers(asked.slice(0, 1)))
    return sum(await answers(asked)) / alone
  } finally {
    await Promise.all(shops.map((shop) => shop.stop()))
    await postgres.stop()
  }
}

function known({ url: origin, pid }: Shop, cookie: string) {
  const path = "/checkout/"
  return { origin, pid: pid(), path, headers: { ...requestHeaders(path, "", ""), cookie } }
}
