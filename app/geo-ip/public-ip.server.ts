import { type IpAddress, ipAddress } from "~/http/ip-address.server"

/**
 * Parses an address for a look-up. Null for invalid addresses and for special-use ranges, which have no country although
 * tables list them.
 */
export function publicAddress(text: string | null): IpAddress | null {
  const address = ipAddress(text)
  return address?.range() === "unicast" ? address : null
}
