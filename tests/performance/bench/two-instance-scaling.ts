import { availableParallelism } from "node:os"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { startShop, type TestServer } from "../../support/server/server-process"
import { holdToShare } from "./cpu-quota"
import { atReview, place } from "./order-load"
import { again, median } from "./statistics"

/** Of a core for each instance: two of them, PostgreSQL and the one who asks need less than two cores in all. */
const SHARE = 0.2
/** Cores that are enough for all of them without being held. */
const ENOUGH = 4
const BUYERS = 4
const ROUNDS = 5
const SECONDS = 3
/** Before anybody is held, until the instance runs as fast as it will. */
const WARMING_UP = 6

/**
 * How many more buyers two instances over one PostgreSQL serve than one of them: people who come, choose and order,
 * each a customer of his own. That is pages, limits, customers, orders and attempts that both keep in the same tables.
 * Null where they would have to share cores with each other, PostgreSQL and the one who asks: that would measure the
 * machine.
 */
export async function twoOfOne(): Promise<number | null> {
  const postgres = await startPostgres()
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
  const shop = await startShop({ env })
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

/** One alone, then both, then the other alone: what the machine does meanwhile tells on both sides. */
async function readRound([one, other]: readonly [Instance, Instance]): Promise<number> {
  const before = await served([one])
  const together = await served([one, other])
  const after = await served([other])
  return (2 * together) / (before + after)
}

/** Orders a second of all of them together. */
async function served(instances: readonly Instance[]): Promise<number> {
  const figures = await Promise.all(instances.map(({ shop }) => again(() => order(shop), SECONDS, BUYERS)))
  return figures.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

async function order(shop: TestServer): Promise<void> {
  await place(shop.url, [await atReview(shop)], 1)
}
