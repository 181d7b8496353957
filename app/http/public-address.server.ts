import { BlockList } from "node:net"
import { type IpAddress, isAddressIn, plainAddress } from "./ip-address.server"

/** Which addresses a request to a URL of the operator's may go to. */
export type AddressPolicy = {
  /** Addresses and networks that are allowed although they are not public. */
  readonly allow: readonly string[]
  /** Whether loopback is allowed, and without TLS: in the sandbox only. */
  readonly loopback: boolean
}

/** Why a URL is refused before anything is sent. */
export type UrlProblem = "invalid" | "not-https" | "user-info" | "address"

/** The only IPv6 addresses that IANA gives out (2000::/3). */
const assigned = new BlockList()
assigned.addSubnet("2000::", 3, "ipv6")

/**
 * Whether a request may go to an address. Refused is everything but public unicast: private, loopback, link-local and
 * reserved addresses, and IPv6 addresses that stand for an IPv4 address (NAT64, 6to4, Teredo), which lead to any of them. An
 * IPv4-mapped address counts as the IPv4 address.
 */
export function isAddressAllowed(text: string, { allow, loopback }: AddressPolicy): boolean {
  const address = plainAddress(text)
  if (address === null) return false
  if (allow.some((it) => isAddressIn(address, it))) return true
  return isPublic(address) || (loopback && address.range() === "loopback")
}

function isPublic(address: IpAddress): boolean {
  if (address.range() !== "unicast") return false
  return address.kind() === "ipv4" || assigned.check(address.toString(), "ipv6")
}

/**
 * Why nothing may be sent to a URL; null: it may, if its name resolves to allowed addresses only. A literal address is checked
 * here, since no connector resolves it; the URL parser has turned decimal, octal and hexadecimal spellings into an address.
 */
export function problemOfUrl(text: string, policy: AddressPolicy): UrlProblem | null {
  const url = URL.parse(text)
  if (!url || url.hostname === "") return "invalid"
  if (url.username !== "" || url.password !== "") return "user-info"
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  if (url.protocol !== "https:" && !isPlainLoopback(url.protocol, host, policy)) return "not-https"
  return plainAddress(host) !== null && !isAddressAllowed(host, policy) ? "address" : null
}

function isPlainLoopback(protocol: string, host: string, { loopback }: AddressPolicy): boolean {
  if (protocol !== "http:" || !loopback) return false
  return host === "localhost" || plainAddress(host)?.range() === "loopback"
}
