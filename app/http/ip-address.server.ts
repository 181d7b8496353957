import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * The address in what sockets and proxies write: without port, brackets and zone, and an IPv4 address that comes in
 * IPv6's clothes (`::ffff:192.0.2.7`) as itself. Null for everything else, "unknown" and "10.1" among it.
 */
export function ipAddress(text: string | null | undefined): IpAddress | null {
  const bare = withoutZone(withoutPort(text?.trim() ?? ""))
  // The library alone is too kind: it reads "10" as 0.0.0.10 and "0x7f.1" as 127.0.0.1.
  return isIP(bare) === 0 ? null : ipaddr.process(bare)
}

/** What one customer of a provider has for himself: of IPv6 a whole network, with addresses without number. */
export function networkOfOne(text: string | null): { network: string; isOwn: boolean } | null {
  const address = ipAddress(text)
  if (!address) return null
  const isOwn = address.range() === "unicast"
  const network = address instanceof ipaddr.IPv6 ? firstOf64(address) : address.toString()
  return { network, isOwn }
}

function firstOf64(address: ipaddr.IPv6): string {
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()
}

/** Only one colon, or brackets, tell a port from the end of an IPv6 address. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1")
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/, "")
}
