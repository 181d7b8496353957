import { UNKNOWN_COUNTRY } from "~/domain/customers/country"
import type { Blocked } from "~/domain/orders/fraud"
import { deviceAddressIn } from "~/domain/services/device-address"
import { ipNetwork, plainAddress } from "~/http/ip-address.server"

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" })

/** Parses an address, a CIDR network, a country code or a MAC address into its stored form; null if it is none of them. */
export function blockedIn(value: string): Blocked | null {
  const country = countryIn(value)
  if (country) return { kind: "country", value: country }
  const address = plainAddress(value)
  if (address) return { kind: "address", value: String(address) }
  const network = ipNetwork(value)
  if (network) return { kind: "network", value: network.join("/") }
  const device = deviceAddressIn(value)
  return device === null ? null : { kind: "device", value: device }
}

/** Replaces aliases by the ISO 3166-1 code that country lookups return (UK: GB). */
function countryIn(value: string): string | null {
  if (!/^[a-z]{2}$/i.test(value)) return null
  const code = new Intl.Locale(`und-${value}`).region
  return code && code !== UNKNOWN_COUNTRY && regionNames.of(code) ? code : null
}
