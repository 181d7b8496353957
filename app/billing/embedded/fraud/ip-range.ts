import ipaddr from "ipaddr.js"

export type ClientAddress = ReturnType<typeof ipaddr.parse>

/**
 * An address in either notation; an IPv4 address that comes dressed as an IPv6 one is the IPv4 address. Null for
 * anything else, also for the old short and octal ways of writing IPv4, which people misread.
 */
export function addressIn(text: string): ClientAddress | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.parse(text)
  // What follows a % says through which card of this machine, which is no part of a visitor's address.
  return ipaddr.IPv6.isValid(text) && !text.includes("%") ? ipaddr.process(text) : null
}

/** A network in CIDR form as its first address and the length of its prefix; null for anything else. */
export function networkIn(text: string): [ClientAddress, number] | null {
  const [base = "", bits = "", ...more] = text.split("/")
  const written = addressIn(base)
  if (!written || more.length > 0 || !ipaddr.isValidCIDR(text)) return null
  // ::ffff:192.0.2.0/120 is 192.0.2.0/24
  const dressed = written.kind() === "ipv4" && base.includes(":") ? 96 : 0
  const length = Number(bits) - dressed
  return length < 0 ? null : [firstOf(written, length), length]
}

/** Whether an address lies in a network in CIDR form; never for one of the other kind. */
export function isWithin(address: ClientAddress, network: string): boolean {
  const parsed = networkIn(network)
  return parsed !== null && parsed[0].kind() === address.kind() && address.match(parsed)
}

/** Whether one visitor may have it for himself, which private, loopback and reserved addresses are not for. */
function isSomebodysOwn(address: ClientAddress): boolean {
  return address.range() === "unicast"
}

/** What one customer of a provider has: of IPv6 a /64. Null for an address that nobody has for himself, and for none. */
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
