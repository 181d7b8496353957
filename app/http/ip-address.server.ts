import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Parses an address as sockets and proxies write it: without port, brackets and zone; IPv4-mapped IPv6 addresses
 * (`::ffff:192.0.2.7`) become IPv4. Null for everything else, such as "unknown" and "10.1".
 */
export function ipAddress(text: string | null | undefined): IpAddress | null {
  return plainAddress(withoutZone(withoutPort(text?.trim() ?? "")))
}

/** Parses an address written alone, without port, brackets and zone, as stored and as an operator types it. */
export function plainAddress(text: string): IpAddress | null {
  // The library alone is too lenient: it parses "10" as 0.0.0.10 and "0x7f.1" as 127.0.0.1.
  return isIP(text) === 0 || text.includes("%") ? null : ipaddr.process(text)
}

/** Parses a network in CIDR notation into its first address and prefix length; null if invalid. */
export function ipNetwork(text: string): [IpAddress, number] | null {
  const [base = "", bits = "", ...more] = text.split("/")
  const written = plainAddress(base)
  if (!written || more.length > 0 || !ipaddr.isValidCIDR(text)) return null
  // IPv4-mapped network: ::ffff:192.0.2.0/120 is 192.0.2.0/24.
  const mapped = written.kind() === "ipv4" && base.includes(":") ? 96 : 0
  const length = Number(bits) - mapped
  return length < 0 ? null : [firstOf(written, length), length]
}

/** Whether a network in CIDR notation contains an address; false if one is IPv4 and the other IPv6. */
export function isWithin(address: IpAddress, network: string): boolean {
  const parsed = ipNetwork(network)
  return parsed !== null && parsed[0].kind() === address.kind() && address.match(parsed)
}

/** Whether an address is one of the addresses and networks of a list. An empty list allows all. */
export function allowsAddress(allowed: readonly string[]): (address: string | null) => boolean {
  if (allowed.length === 0) return () => true
  return (text) => {
    const address = ipAddress(text)
    return address !== null && allowed.some((it) => isAddressIn(address, it))
  }
}

/** Whether an address is the given one, or in the given network (CIDR notation). */
export function isAddressIn(address: IpAddress, addressOrNetwork: string): boolean {
  return addressOrNetwork.includes("/")
    ? isWithin(address, addressOrNetwork)
    : plainAddress(addressOrNetwork)?.toString() === address.toString()
}

/** Whether a text is an address or a network. */
export function isAddressOrNetwork(text: string): boolean {
  return plainAddress(text) !== null || ipNetwork(text) !== null
}

/**
 * Network that usually has one owner: the /64 of an IPv6 address, or the IPv4 address itself. `isOwn` is false for an
 * address that several clients may have: private, loopback or reserved.
 */
export function networkOfOne(text: string | null): { network: string; isOwn: boolean } | null {
  const address = ipAddress(text)
  if (!address) return null
  const network = address.kind() === "ipv4" ? address : firstOf(address, 64)
  return { network: network.toString(), isOwn: address.range() === "unicast" }
}

/**
 * Network of one internet subscriber. Null for a private or loopback address, which is a proxy missing from
 * TRUSTED_PROXIES: counting it would lock all clients out.
 */
export function ownNetwork(text: string | null): string | null {
  const place = networkOfOne(text)
  return place?.isOwn ? place.network : null
}

/** Host by which this machine reaches a server that listens on `host`: loopback if it listens on all interfaces. */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}

function firstOf(address: IpAddress, length: number): IpAddress {
  const cidr = `${address}/${length}`
  return address.kind() === "ipv4"
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
    : ipaddr.IPv6.networkAddressFromCIDR(cidr)
}

/** A port follows a single colon, or brackets; otherwise the colon belongs to an IPv6 address. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1")
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/, "")
}
