import { availableParallelism } from "node:os"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { startShop, type TestServer } from "../../support/server/server-process"
import { holdToShare } from "./cpu-quota"
import { atReview, place } from "./order-load"
import { again, median } from "./statistics"

/** Share of a core for each instance: two instances, PostgreSQL and the client need less than two cores together. */
const SHARE = 0.2
/** Number of cores that suffice without limits. */
const ENOUGH = 4
const BUYERS = 4
const ROUNDS = 5
const SECONDS = 3
/** Seconds before an instance is limited, until the JIT has optimized it. */
const WARMING_UP = 6

/**
 * Ratio of the buyers that two instances on one PostgreSQL serve to those of one instance. Each buyer opens the shop,
 * chooses and orders as a new customer, so both instances write pages, rate limits, customers, orders and attempts to
 * the same tables, and each commit waits for PostgreSQL's disk. Null if they would compete with PostgreSQL and the client
 * for cores.
 */
export async function twoOfOne(): Promise<number | null> {
  const postgres = await startPostgres({ isDurable: true })
  const started: Instance[] = []
  const start = async (env: Record<string, string>) => {
    const instance = await startInstance(env)
    started.push(instance)
    return instance
  }
  try {
    const env = { DATABASE_URL: await freshDatabase(postgres.url), TRUSTED_PROXIES: "loopback" }
    const both = [await start(env), await start(env)] as const
    if (both.some(({ isFair }) => !isFair)) return null
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await readRound(both))
    return median(rounds)
  } finally {
    await Promise.all(started.map((it) => it.stop()))
    await postgres.stop()
  }
}

type Instance = { readonly shop: TestServer; readonly isFair: boolean; stop(): Promise<void> }

async function startInstance(env: Record<string, string>): Promise<Instance> {
  const shop = await startShop({ env, isDurable: true })
  await again(() => order(shop), WARMING_UP, BUYERS)
  const letGo = holdToShare(shop.pid() ?? 0, SHARE)
  return {
    shop,
    isFair: letGo !== null || availableParallelism() >= ENOUGH,
    async stop() {
      letGo?.()
      await shop.stop()
    },
  }
}

/** Measures one instance, both, then the other instance, so that changing load affects both sides. */
async function readRound([one, other]: readonly [Instance, Instance]): Promise<number> {
  const before = await served([one])
  const together = await served([one, other])
  const after = await served([other])
  return (2 * together) / (before + after)
}

/** Total orders per second of the instances. */
async function served(instances: readonly Instance[]): Promise<number> {
  const figures = await Promise.all(instances.map(({ shop }) => again(() => order(shop), SECONDS, BUYERS)))
  return figures.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

async function order(shop: TestServer): Promise<void> {
  await place(shop.url, [await atReview(shop)], 1)
}
