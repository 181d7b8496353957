import ipaddr from "ipaddr.js"

export type ClientAddress = ReturnType<typeof ipaddr.parse>

/**
 * Parses an IPv4 or IPv6 address; an IPv4-mapped IPv6 address (::ffff:0:0/96) becomes the IPv4 address. Null for
 * anything else, including the ambiguous short and octal forms of IPv4.
 */
export function addressIn(text: string): ClientAddress | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.parse(text)
  // A zone id (RFC 4007, after the %) names a local network interface and is no part of a client's address.
  return ipaddr.IPv6.isValid(text) && !text.includes("%") ? ipaddr.process(text) : null
}

/** Parses a network in CIDR notation into its first address and prefix length; null if invalid. */
export function networkIn(text: string): [ClientAddress, number] | null {
  const [base = "", bits = "", ...more] = text.split("/")
  const written = addressIn(base)
  if (!written || more.length > 0 || !ipaddr.isValidCIDR(text)) return null
  // IPv4-mapped network: ::ffff:192.0.2.0/120 is 192.0.2.0/24.
  const dressed = written.kind() === "ipv4" && base.includes(":") ? 96 : 0
  const length = Number(bits) - dressed
  return length < 0 ? null : [firstOf(written, length), length]
}

/** Whether a network in CIDR notation contains an address; false if one is IPv4 and the other IPv6. */
export function isWithin(address: ClientAddress, network: string): boolean {
  const parsed = networkIn(network)
  return parsed !== null && parsed[0].kind() === address.kind() && address.match(parsed)
}

/** Whether one client may own the address: global unicast, not private, loopback or reserved. */
function isSomebodysOwn(address: ClientAddress): boolean {
  return address.range() === "unicast"
}

/** Network of one internet subscriber: the IPv4 address or the IPv6 /64. Null if invalid or not global unicast. */
export function networkOfOne(text: string): string | null {
  const address = addressIn(text)
  if (!address || !isSomebodysOwn(address)) return null
  return address.kind() === "ipv4" ? String(address) : String(firstOf(address, 64))
}

function firstOf(address: ClientAddress, length: number): ClientAddress {
  const cidr = `${address}/${length}`
  return address.kind() === "ipv4"
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
    : ipaddr.IPv6.networkAddressFromCIDR(cidr)
}
