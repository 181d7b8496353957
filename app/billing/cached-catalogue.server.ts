import { LRUCache } from "lru-cache"
import type { Logger } from "pino"
import { type Instant, SECOND } from "~/domain/calendar"
import { type Product, plansOffered } from "~/domain/catalogue"
import type { Currency } from "~/domain/money"
import type { Billing } from "./billing"

export type Catalogue = Pick<Billing, "plans" | "resellerPlans" | "gateways">

/** The price list for showing. */
export type ShownCatalogue = Catalogue & {
  /** The books did not tell their prices when they were asked last: nothing can be ordered until they do. */
  paused(): boolean
  /** An order has found that the books do not answer. */
  pause(): void
}

/** How often what is kept was fresh (`hit`), old but shown (`stale`), or had to be waited for (`miss`). */
export type CacheReads = { hit: number; stale: number; miss: number }

type Settings = {
  readonly now: () => Instant
  readonly log: Logger
  /** The shop's own currency. */
  readonly currency: Currency
  /** What was read last, perhaps by an earlier process; empty when nothing ever was. */
  readonly lastKnown?: Partial<Catalogue>
}

const FRESH_FOR = 5 * SECOND
/** How long the very first page waits where an older list could be shown. */
const PATIENCE = 2 * SECOND

/**
 * The price list for showing: fresh for seconds, then served as it was while it is read again, once for all who
 * ask, and kept when the books do not answer. Never for ordering: an order is priced from the books themselves.
 */
export function cachedCatalogue(
  billing: Catalogue,
  { now, log, currency, lastKnown = {} }: Settings,
): ShownCatalogue & { readonly reads: Readonly<CacheReads> } {
  let paused = false
  const reads = { hit: 0, stale: 0, miss: 0 }
  function reportPaused(isPaused: boolean) {
    if (isPaused && !paused) log.error("database unavailable: ordering paused")
    if (paused && !isPaused) log.info("database available: ordering resumed")
    paused = isPaused
  }
  let isPriced = true
  function recordPrices(list: readonly Product[]) {
    const wasPriced = isPriced
    isPriced = list.length === 0 || plansOffered(list, currency).length > 0
    if (wasPriced && !isPriced) log.error({ currency }, "no plan priced in CURRENCY")
  }
  async function plans() {
    try {
      const list = await billing.plans()
      reportPaused(false)
      recordPrices(list)
      return list
    } catch (error) {
      reportPaused(true)
      throw error
    }
  }
  return {
    plans: cached({ now, reads, read: plans, lastKnown: lastKnown.plans }),
    resellerPlans: cached({
      ...{ now, reads, read: () => billing.resellerPlans() },
      lastKnown: lastKnown.resellerPlans,
    }),
    gateways: cached({ now, reads, read: () => billing.gateways(), lastKnown: lastKnown.gateways }),
    paused: () => paused,
    pause: () => reportPaused(true),
    reads,
  }
}

type Read<T> = () => Promise<readonly T[]>

type CacheContext<T> = Pick<Settings, "now"> & {
  reads: CacheReads
  read: Read<T>
  lastKnown: Read<T> | undefined
}

function cached<T>({ now, reads, read, lastKnown = async () => [] }: CacheContext<T>): Read<T> {
  const cache = new LRUCache<"list", readonly T[]>({
    max: 1,
    ttl: FRESH_FOR,
    perf: { now },
    allowStale: true,
    // Not `allowStaleOnFetchRejection`: with nothing to fall back on it hides why there is nothing.
    noDeleteOnFetchRejection: true,
    fetchMethod: (_key, stale) => (stale ? read() : readOr(read, lastKnown)),
  })
  return async () => {
    const status: LRUCache.Status<"list", readonly T[]> = {}
    const list = cache.fetch("list", { status })
    reads[kindOf(status)] += 1
    return (await list) ?? []
  }
}

type Looked = { readonly fetch?: string; readonly returnedStale?: boolean }

function kindOf({ fetch, returnedStale }: Looked): keyof CacheReads {
  if (returnedStale || fetch === "stale") return "stale"
  return fetch === "hit" ? "hit" : "miss"
}

/** The first reading of all: what was known before helps where the books do not answer, or not soon. */
async function readOr<T>(read: Read<T>, lastKnown: Read<T>): Promise<readonly T[]> {
  const known = await lastKnown()
  if (known.length === 0) return read()
  const patienceOver = new Promise<readonly T[]>((resolve) => setTimeout(resolve, PATIENCE, known).unref())
  return Promise.race([read().catch(() => known), patienceOver])
}
