import { LRUCache } from "lru-cache"
import type { Logger } from "pino"
import { type Instant, SECOND } from "~/domain/calendar"
import { type Product, plansOffered } from "~/domain/catalogue"
import type { Currency } from "~/domain/money"
import type { Billing } from "./billing"

export type Catalogue = Pick<Billing, "plans" | "resellerPlans" | "gateways">

/** The cached catalogue for display. */
export type ShownCatalogue = Catalogue & {
  /** Whether ordering is paused: the last read of the plans failed. */
  paused(): boolean
  /** Pauses ordering until the next successful read of the plans: an order found billing unavailable. */
  pause(): void
}

/** Cache reads: fresh (`hit`), served stale while it is read again (`stale`), waited for billing (`miss`). */
export type CacheReads = { hit: number; stale: number; miss: number }

type Settings = {
  readonly now: () => Instant
  readonly log: Logger
  /** The shop's own currency. */
  readonly currency: Currency
  /** The last catalogue read, possibly by an earlier process; returns empty lists if none was ever read. */
  readonly lastKnown?: Partial<Catalogue>
}

const FRESH_FOR = 5 * SECOND
/** How long the first read waits for billing before it falls back to the last known list. */
const MAX_WAIT = 2 * SECOND

/**
 * Caches the catalogue for display: stale-while-revalidate (RFC 5861) with one shared read, and stale-if-error. Do not
 * price orders from it: an order reads its prices from billing.
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
    // Not `allowStaleOnFetchRejection`: without a stale value it hides the error of the failed read.
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

type FetchStatus = { readonly fetch?: string; readonly returnedStale?: boolean }

function kindOf({ fetch, returnedStale }: FetchStatus): keyof CacheReads {
  if (returnedStale || fetch === "stale") return "stale"
  return fetch === "hit" ? "hit" : "miss"
}

/** First read: falls back to the last known list if billing fails or does not respond within `MAX_WAIT`. */
async function readOr<T>(read: Read<T>, lastKnown: Read<T>): Promise<readonly T[]> {
  const known = await lastKnown()
  if (known.length === 0) return read()
  const timedOut = new Promise<readonly T[]>((resolve) => setTimeout(resolve, MAX_WAIT, known).unref())
  return Promise.race([read().catch(() => known), timedOut])
}
