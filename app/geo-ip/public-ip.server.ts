import { type IpAddress, ipAddress } from "~/http/ip-address.server"

/**
 * An address as it counts for a look-up. Null for what is no address, and for the special-use ranges, which are
 * nowhere and which tables nevertheless list (reference: geoip, look-up rules).
 */
export function publicAddress(text: string | null): IpAddress | null {
  const address = ipAddress(text)
  return address?.range() === "unicast" ? address : null
}
