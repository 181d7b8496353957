import { LRUCache } from "lru-cache"
import { MINUTE, SECOND } from "~/domain/calendar"
import type { Coin, Transfer } from "~/domain/coin"
import type { Gateway } from "./gateway"

const COINS_FOR = 10 * MINUTE
/** A waiting page looks every few seconds, perhaps in several tabs. */
const TRANSFER_FOR = 4 * SECOND

/** A gateway whose coins are known without asking each time, and whose transfers are asked for now and then. */
export function withOnSiteCache<G extends Gateway>(gateway: G): G {
  const { onSite } = gateway
  if (!onSite) return gateway
  const coins = new LRUCache<"coins", readonly Coin[]>({
    ...{ max: 1, ttl: COINS_FOR, allowStale: true, noDeleteOnFetchRejection: true },
    fetchMethod: () => onSite.coins(),
  })
  const transfers = new LRUCache<string, { transfer: Transfer | null }>({
    ...{ max: 1_000, ttl: TRANSFER_FOR },
    fetchMethod: async (paymentId) => ({ transfer: await onSite.transfer({ paymentId }) }),
  })
  const known = () => {
    // A page does not wait for the list: without it the provider's own page is offered.
    void coins.fetch("coins").catch(() => {})
    return coins.get("coins", { allowStale: true }) ?? []
  }
  known()
  return {
    ...gateway,
    get origins() {
      return gateway.origins
    },
    onSite: {
      coins: async () => known(),
      transfer: async ({ paymentId }) => (await transfers.fetch(paymentId))?.transfer ?? null,
    },
  }
}
