import { LRUCache } from "lru-cache"
import { MINUTE } from "~/domain/calendar"
import { networkOfOne } from "~/http/ip-address.server"

/** A gateway with a mistyped secret is rejected too: a few rejections are not an attack. */
const MAX_REJECTIONS = 5
/** Maximum number of addresses; the least recently used one is dropped first. */
const MAX_ADDRESSES = 10_000

/**
 * Addresses with `MAX_REJECTIONS` rejected callbacks or more within a minute. A signature can only be verified after the
 * body has been read, so callbacks get priority first, and lose it when they are rejected.
 */
export function rejectedClients() {
  const known = new LRUCache<string, { readonly rejections: number; readonly until: number }>({
    max: MAX_ADDRESSES,
  })
  const rejectionsOf = (place: string) => {
    const found = known.get(place)
    return found && Date.now() < found.until ? found : { rejections: 0, until: Date.now() + MINUTE }
  }
  return {
    has: (address: string | null): boolean => rejectionsOf(placeOf(address)).rejections >= MAX_REJECTIONS,
    /** Counts a callback's response status: a 4xx is a rejection, anything below 400 clears the count. */
    recordResponse(address: string | null, status: number): void {
      const place = placeOf(address)
      const { rejections, until } = rejectionsOf(place)
      if (status < 400) known.delete(place)
      else if (status < 500) known.set(place, { rejections: rejections + 1, until })
    },
  }
}

function placeOf(address: string | null): string {
  return networkOfOne(address)?.network ?? "unknown"
}
