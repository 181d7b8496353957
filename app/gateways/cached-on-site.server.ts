import { LRUCache } from "lru-cache"
import { MINUTE, SECOND } from "~/domain/calendar"
import type { Coin, Transfer } from "~/domain/payments/coin"
import type { Gateway } from "./gateway"

const COINS_FOR = 10 * MINUTE
/** The waiting page polls every few seconds, possibly in several tabs. */
const TRANSFER_FOR = 4 * SECOND

/**
 * Caches a gateway's on-site payment details: the coin list for 10 minutes (stale-while-revalidate), each transfer for
 * 4 seconds, or until more of it is known to have arrived: less is left to send then. Concurrent requests for one transfer
 * share one call. A gateway without `onSite` is returned unchanged.
 */
export function withOnSiteCache<G extends Gateway>(gateway: G): G {
  const { onSite } = gateway
  if (!onSite) return gateway
  const coins = new LRUCache<"coins", readonly Coin[]>({
    max: 1,
    ttl: COINS_FOR,
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: () => onSite.coins(),
  })
  const transfers = new LRUCache<string, { transfer: Transfer | null }, string>({
    max: 1_000,
    ttl: TRANSFER_FOR,
    fetchMethod: async (_key, _stale, { context: paymentId }) => ({
      transfer: await onSite.transfer({ paymentId }),
    }),
  })
  const known = () => {
    // A page never waits for the list: while it is unknown, only the provider's hosted page is offered.
    void coins.fetch("coins").catch(() => {})
    return coins.get("coins", { allowStale: true }) ?? []
  }
  const listed = coins.fetch("coins").then(
    () => {},
    () => {},
  )
  return {
    ...gateway,
    get origins() {
      return gateway.origins
    },
    onSite: {
      listed,
      coins: async () => known(),
      async transfer({ paymentId, received }) {
        const key = `${paymentId} ${received?.minor ?? 0}`
        return (await transfers.fetch(key, { context: paymentId }))?.transfer ?? null
      },
    },
  }
}
