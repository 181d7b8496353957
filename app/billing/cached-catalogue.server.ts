import { LRUCache } from "lru-cache"
import type { Logger } from "pino"
import { type Instant, SECOND } from "~/domain/calendar"
import { type Product, plansNeverShown, plansOffered } from "~/domain/catalogue/catalogue"
import { productsAt } from "~/domain/catalogue/scheduled-prices"
import type { Currency } from "~/domain/money/money"
import { BillingError } from "./billing"
import type { Catalogue } from "./catalogue/catalogue"

/** The cached catalogue for display. */
export type ShownCatalogue = Catalogue & {
  /** Whether ordering is paused: the last read of the plans failed. */
  paused(): boolean
  /** Pauses ordering until the next successful read of the plans: an order found billing unavailable, by this error. */
  pause(error: unknown): void
  /** Resumes ordering: billing has answered an order, whatever the last read for display was answered. */
  resume(): void
  /** Has the lists read again before they are shown: billing has refused an order, as of a plan or payment method that is gone. */
  expire(): void
  /** Seconds for which billing has asked to be left alone when ordering was paused; null: it has not, or they are over. */
  pausedFor(): number | null
}

/** Cache reads: fresh (`hit`), served stale while it is read again (`stale`), waited for billing (`miss`). */
export type CacheReads = { hit: number; stale: number; miss: number }

type Settings = {
  readonly now: () => Instant
  readonly log: Logger
  /** The shop's own currency. */
  readonly currency: Currency
  /** The catalogue is read from an external billing, not from the shop's database; default: no. */
  readonly isExternal?: boolean
  /** The last catalogue read, possibly by an earlier process; returns empty lists if none was ever read. */
  readonly lastKnown?: Partial<Catalogue>
  /**
   * Maximum age of a list in milliseconds, for billing that responds at once: an older list is read again before it is
   * shown. Without it a quiet instance shows an older list to its next visitor.
   */
  readonly maxAge?: number
}

const FRESH_FOR = 5 * SECOND
/** How long a visitor waits for a list that is older than `maxAge`, before the older one is shown. */
const REREAD_PATIENCE = 1 * SECOND
/** How long the first read waits for billing before it falls back to the last known list. */
const MAX_WAIT = 2 * SECOND

/**
 * Caches the catalogue for display: stale-while-revalidate (RFC 5861) with one shared read, and stale-if-error. A list that is
 * there is not read again before the time that billing has asked for. A scheduled price is shown from its instant on, however old the
 * list is. Do not price orders from it: an order reads its prices from
 * billing.
 */
export function cachedCatalogue(
  billing: Catalogue,
  { now, log, currency, isExternal = false, lastKnown = {}, maxAge }: Settings,
): ShownCatalogue & { readonly reads: Readonly<CacheReads> } {
  let paused = false
  let askedUntil: Instant = 0
  const reads = { hit: 0, stale: 0, miss: 0 }
  function reportAvailable() {
    if (paused && isExternal) log.info("external billing available: ordering resumed")
    else if (paused) log.info("database available: ordering resumed")
    paused = false
  }
  function logPaused(reason: string) {
    if (isExternal) log.error({ reason }, "external billing unavailable: ordering paused")
    else log.error({ reason }, "database unavailable: ordering paused")
  }
  function reportFailure(error: unknown) {
    if (!paused) logPaused(error instanceof Error ? error.message : String(error))
    paused = true
    askedUntil = now() + waitIn(error)
  }
  function pausedFor() {
    const left = askedUntil - now()
    return paused && left > 0 ? Math.ceil(left / SECOND) : null
  }
  let isPriced = true
  function recordPrices(list: readonly Product[]) {
    const wasPriced = isPriced
    isPriced = list.length === 0 || plansOffered(list, currency).length > 0
    if (wasPriced && !isPriced) log.error({ currency }, "no plan priced in CURRENCY")
  }
  let neverShown = ""
  function recordNeverShown(list: readonly Product[]) {
    const plans = plansNeverShown(list).map(({ id }) => id)
    if (plans.length > 0 && plans.join() !== neverShown)
      log.warn({ plans }, "plans not shown: limit is three")
    neverShown = plans.join()
  }
  async function plans() {
    try {
      const list = await billing.plans()
      reportAvailable()
      recordPrices(list)
      recordNeverShown(list)
      return list
    } catch (error) {
      reportFailure(error)
      throw error
    }
  }
  const shared = { now, reads, maxAge }
  const viewerPlans = cached({ ...shared, read: plans, lastKnown: lastKnown.plans })
  const resellerPlans = cached({
    ...shared,
    read: () => billing.resellerPlans(),
    lastKnown: lastKnown.resellerPlans,
  })
  const gateways = cached({ ...shared, read: () => billing.gateways(), lastKnown: lastKnown.gateways })
  return {
    plans: async () => productsAt(await viewerPlans.list(), now()),
    resellerPlans: async () => productsAt(await resellerPlans.list(), now()),
    gateways: gateways.list,
    paused: () => paused,
    pause: reportFailure,
    resume: reportAvailable,
    expire() {
      viewerPlans.expire()
      resellerPlans.expire()
      gateways.expire()
    },
    pausedFor,
    reads,
  }
}

type Read<T> = () => Promise<readonly T[]>

type CacheContext<T> = Pick<Settings, "now"> & {
  maxAge: number | undefined
  reads: CacheReads
  read: Read<T>
  lastKnown: Read<T> | undefined
}

/** How long billing has asked to be left alone by an error, in milliseconds. */
function waitIn(error: unknown): number {
  return error instanceof BillingError ? (error.retryAfterSeconds ?? 0) * SECOND : 0
}

/** A list for display; `expire`: see `ShownCatalogue`. */
type Cached<T> = { readonly list: Read<T>; readonly expire: () => void }

function cached<T>({ now, reads, read, maxAge, lastKnown = async () => [] }: CacheContext<T>): Cached<T> {
  /** The latest read failed or was slow: until one succeeds, visitors get the older list without waiting. */
  let isUnreliable = false
  /** Billing has asked not to be asked for this list before (`Retry-After`). */
  let heldUntil: Instant = 0
  let isExpired = false
  async function observed(): Promise<readonly T[]> {
    try {
      const list = await read()
      isUnreliable = false
      return list
    } catch (error) {
      heldUntil = now() + waitIn(error)
      throw error
    }
  }
  const cache = new LRUCache<"list", readonly T[]>({
    max: 1,
    ttl: maxAge ?? FRESH_FOR,
    perf: { now },
    // Not `allowStaleOnFetchRejection`: without a stale value it hides the error of the failed read.
    noDeleteOnFetchRejection: true,
    fetchMethod: (_key, stale) => (stale ? observed() : readOr(observed, lastKnown)),
  })
  return {
    list,
    expire() {
      isExpired = true
    },
  }

  async function list(): Promise<readonly T[]> {
    const status: LRUCache.Status<"list", readonly T[]> = {}
    const older = cache.peek("list", { allowStale: true })
    if (older !== undefined && now() < heldUntil) {
      reads.stale += 1
      return older
    }
    const forceRefresh = isExpired
    isExpired = false
    const found = cache.fetch("list", { status, forceRefresh, allowStale: showsOlder(forceRefresh) })
    reads[kindOf(status)] += 1
    if (older === undefined || status.returnedStale) return (await found) ?? []
    return reread(found, older)
  }

  /** Whether a visitor gets an older list without waiting for the read. */
  function showsOlder(forceRefresh: boolean): boolean {
    return isUnreliable || (maxAge === undefined && !forceRefresh)
  }

  /** The list, or the older one if the read fails or takes longer than `REREAD_PATIENCE`. */
  async function reread(list: Promise<readonly T[] | undefined>, older: readonly T[]): Promise<readonly T[]> {
    const waited = Promise.withResolvers<null>()
    const timer = setTimeout(waited.resolve, REREAD_PATIENCE, null).unref()
    const found = await Promise.race([list.catch(() => null), waited.promise])
    clearTimeout(timer)
    isUnreliable ||= found === null
    return found ?? older
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
