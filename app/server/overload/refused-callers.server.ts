import { LRUCache } from "lru-cache"
import { MINUTE } from "~/domain/calendar"
import { networkOfOne } from "~/http/ip-address.server"

/** A gateway whose secret was mistyped is refused, too: a few refusals are no flood. */
const MAX_REFUSALS = 5
/** So many addresses are remembered. */
const MAX_ADDRESSES = 10_000

/**
 * Addresses whose callbacks have been refused again and again within a minute. A signature can only be judged when a
 * callback has been read, so priority is given in advance, and taken away from those who abuse it.
 */
export function refusedCallers() {
  const known = new LRUCache<string, { readonly refusals: number; readonly until: number }>({
    max: MAX_ADDRESSES,
  })
  const refusalsOf = (place: string) => {
    const found = known.get(place)
    return found && Date.now() < found.until ? found : { refusals: 0, until: Date.now() + MINUTE }
  }
  return {
    has: (address: string | null): boolean => refusalsOf(placeOf(address)).refusals >= MAX_REFUSALS,
    /** `status`: what a callback from there was answered. */
    answered(address: string | null, status: number): void {
      const place = placeOf(address)
      const { refusals, until } = refusalsOf(place)
      if (status < 400) known.delete(place)
      else if (status < 500) known.set(place, { refusals: refusals + 1, until })
    },
  }
}

function placeOf(address: string | null): string {
  return networkOfOne(address)?.network ?? "unknown"
}
