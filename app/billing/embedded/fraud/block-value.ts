import { UNKNOWN_COUNTRY } from "~/domain/country"
import type { Block } from "~/domain/fraud"
import { addressIn, networkIn } from "./ip-range"

export type Blocked = Pick<Block, "kind" | "value">

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" })

/** What the operator means by a word, in the one way it is stored; null when it is nothing that can be blocked. */
export function blockedIn(value: string): Blocked | null {
  const country = countryIn(value)
  if (country) return { kind: "country", value: country }
  const address = addressIn(value)
  if (address) return { kind: "address", value: String(address) }
  const network = networkIn(value)
  return network && { kind: "network", value: network.join("/") }
}

/** Old and common codes become the one that look-ups answer with (UK: GB). */
function countryIn(value: string): string | null {
  if (!/^[a-z]{2}$/i.test(value)) return null
  const code = new Intl.Locale(`und-${value}`).region
  return code && code !== UNKNOWN_COUNTRY && regionNames.of(code) ? code : null
}
