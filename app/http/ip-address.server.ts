import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Parses an address as sockets and proxies write it: without port, brackets and zone; IPv4-mapped IPv6 addresses
 * (`::ffff:192.0.2.7`) become IPv4. Null for everything else, such as "unknown" and "10.1".
 */
export function ipAddress(text: string | null | undefined): IpAddress | null {
  const bare = withoutZone(withoutPort(text?.trim() ?? ""))
  // The library alone is too lenient: it parses "10" as 0.0.0.10 and "0x7f.1" as 127.0.0.1.
  return isIP(bare) === 0 ? null : ipaddr.process(bare)
}

/** Network that usually has one owner: the /64 of an IPv6 address, or the IPv4 address itself (`isOwn` false). */
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

/** A port follows a single colon, or brackets; otherwise the colon belongs to an IPv6 address. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1")
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/, "")
}
