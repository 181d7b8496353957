import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { LRUCache } from "lru-cache"
import proxyAddr from "proxy-addr"
import { ipAddress } from "~/http/ip-address.server"

/** Whoever asks for a page asks for a dozen things more. Nobody is so many hops away that their addresses are longer. */
const MOST_KNOWN = { max: 1_000, maxEntrySize: 400, maxSize: 400_000 }

/** More proxies than anybody has; judging a hop costs, and a header has room for thousands. */
const MAX_HOPS = 20

const GROUPS: readonly string[] = ["loopback", "linklocal", "uniquelocal"]

/**
 * Who is asking: the nearest hop that is none of the `trusted` proxies, since all that stands behind it in
 * `X-Forwarded-For` may be made up. Null when that hop is no address. `trusted`: addresses, networks
 * ("10.0.0.0/8") and names of networks ("loopback", "linklocal", "uniquelocal"); with none, the header counts for
 * nothing. Throws at once, in words, on an entry that is none of these.
 */
export function clientAddress(trusted: readonly string[]): (incoming: IncomingMessage) => string | null {
  for (const entry of trusted) checkEntry(entry)
  const isTrusted = proxyAddr.compile([...trusted])
  // Some proxies write ports, too: a hop is judged by its bare address.
  const trusts = (hop: string, distance: number) => {
    if (distance >= MAX_HOPS) return false
    const address = ipAddress(hop)
    return address !== null && isTrusted(address.toString(), distance)
  }
  const known = new LRUCache<string, { address: string | null }>({
    ...MOST_KNOWN,
    sizeCalculation: (_, hops) => hops.length,
  })
  return (incoming) => {
    // All that it is judged by.
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
    if (isIP(entry.split("/", 1)[0] ?? "") !== 0 && proxyAddr.compile(entry)) return
  } catch {
    // Told below, in the operator's words.
  }
  throw new Error(
    `TRUSTED_PROXIES: "${entry}" is neither an address, nor a network such as 10.0.0.0/8, nor one of ${GROUPS.join(", ")}`,
  )
}
