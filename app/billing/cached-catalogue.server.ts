import { LRUCache } from "lru-cache"
import { SECOND } from "~/domain/calendar"
import type { Billing } from "./billing"

export type Catalogue = Pick<Billing, "plans" | "resellerPlans" | "gateways">

const FRESH_FOR = 5 * SECOND

/**
 * The price list for showing: fresh for seconds, then served as it was while it is read again, once for all who
 * ask, and kept when the books do not answer. Never for ordering: an order is priced from the books themselves.
 */
export function cachedCatalogue(billing: Catalogue): Catalogue {
  return {
    plans: kept(() => billing.plans()),
    resellerPlans: kept(() => billing.resellerPlans()),
    gateways: kept(() => billing.gateways()),
  }
}

function kept<T>(read: () => Promise<readonly T[]>): () => Promise<readonly T[]> {
  const cache = new LRUCache<"list", readonly T[]>({
    max: 1,
    ttl: FRESH_FOR,
    allowStale: true,
    // Not `allowStaleOnFetchRejection`: with nothing to fall back on it hides why there is nothing.
    noDeleteOnFetchRejection: true,
    fetchMethod: () => read(),
  })
  return async () => (await cache.fetch("list")) ?? []
}
