import type { IncomingMessage } from "node:http"
import { LRUCache } from "lru-cache"
import proxyAddr from "proxy-addr"
import { ipAddress, plainAddress } from "~/http/ip-address.server"

/** A page load sends about a dozen requests with the same hops, so the result is cached. Longer hop lists are not. */
const CACHE_LIMITS = { max: 1_000, maxEntrySize: 400, maxSize: 400_000 }

/** No deployment has more proxies. Checking a hop costs time, and a header has room for thousands. */
const MAX_HOPS = 20

const GROUPS: readonly string[] = ["loopback", "linklocal", "uniquelocal"]

/**
 * Address of the client: the nearest hop that is not a `trusted` proxy. Hops behind it in `X-Forwarded-For` can be
 * forged. Null when that hop is not an IP address. `trusted`: addresses, networks ("10.0.0.0/8") and network names
 * ("loopback", "linklocal", "uniquelocal"); when empty, the header is ignored. Throws on an invalid entry.
 */
export function clientAddress(trusted: readonly string[]): (incoming: IncomingMessage) => string | null {
  for (const entry of trusted) checkEntry(entry)
  const isTrusted = proxyAddr.compile([...trusted])
  // Some proxies append the port: a hop is compared without it.
  const trusts = (hop: string, distance: number) => {
    if (distance >= MAX_HOPS) return false
    const address = ipAddress(hop)
    return address !== null && isTrusted(address.toString(), distance)
  }
  const known = new LRUCache<string, { address: string | null }>({
    ...CACHE_LIMITS,
    sizeCalculation: (_, hops) => hops.length,
  })
  return (incoming) => {
    // The cache key holds everything that the result depends on.
    const hops = `${incoming.socket.remoteAddress} ${incoming.headers["x-forwarded-for"] ?? ""}`
    const found = known.get(hops) ?? {
      address: ipAddress(proxyAddr(incoming, trusts))?.toString() ?? null,
    }
    known.set(hops, found)
    return found.address
  }
}

function checkEntry(entry: string): void {
  if (GROUPS.includes(entry)) return
  try {
    // The library alone would take "10" for 0.0.0.10.
    if (plainAddress(entry.split("/", 1)[0] ?? "") && proxyAddr.compile(entry)) return
  } catch {
    // Reported below, with the variable's name.
  }
  throw new Error(
    `Invalid TRUSTED_PROXIES entry "${entry}": use an address, a network such as 10.0.0.0/8, or one of ${GROUPS.join(", ")}`,
  )
}
