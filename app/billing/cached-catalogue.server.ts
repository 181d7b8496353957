import { LRUCache } from "lru-cache"
import { SECOND } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue"
import type { Billing } from "./billing"

export type Catalogue = Pick<Billing, "plans" | "resellerPlans">

const FRESH_FOR = 5 * SECOND

/**
 * The price list for showing: fresh for seconds, then served as it was while it is read again, once for all who
 * ask, and kept when the books do not answer. Never for ordering: an order is priced from the books themselves.
 */
export function cachedCatalogue(billing: Catalogue): Catalogue {
  const cache = new LRUCache<keyof Catalogue, readonly Product[]>({
    max: 2,
    ttl: FRESH_FOR,
    allowStale: true,
    // Not `allowStaleOnFetchRejection`: with nothing to fall back on it hides why there is nothing.
    noDeleteOnFetchRejection: true,
    fetchMethod: (list) => billing[list](),
  })
  const read = async (list: keyof Catalogue) => (await cache.fetch(list)) ?? []
  return { plans: () => read("plans"), resellerPlans: () => read("resellerPlans") }
}
