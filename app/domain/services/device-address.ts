/** A device's MAC address in stored form: six pairs in upper case with colons. */
export type DeviceAddress = string

/** Spaces and zero-width characters are copied along from messages and web pages. */
const INVISIBLE = /[\s\u200b-\u200f\u2060\ufeff]/g
const PAIRS = /^[0-9a-f]{2}([:\-.]?)[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}$/i
/** Cisco notation: three groups of four. */
const GROUPS = /^[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}$/i
/** The lowest bit of the first octet marks a multicast address; broadcast is one. */
const OF_MANY = /^.[13579BDF]/

/** With fewer digits a search is for a name. */
const FEWEST_DIGITS = 4

/** Whether a search is for a device by a part of its address, in any notation. */
export function isPartOfDevice(search: string, address: DeviceAddress | null): boolean {
  const digits = search
    .replace(INVISIBLE, "")
    .replace(/[:\-.]/g, "")
    .toUpperCase()
  if (address === null || digits.length < FEWEST_DIGITS) return false
  return address.replaceAll(":", "").includes(digits)
}

/**
 * Parses a MAC address in any of the usual notations (colons, hyphens, dots or nothing between the pairs, any case). Null
 * for invalid, multicast and broadcast addresses.
 */
export function deviceAddressIn(text: string): DeviceAddress | null {
  const typed = text.replace(INVISIBLE, "")
  if (!PAIRS.test(typed) && !GROUPS.test(typed)) return null
  const digits = typed.replace(/[^0-9a-f]/gi, "").toUpperCase()
  if (OF_MANY.test(digits) || /^0+$/.test(digits)) return null
  return digits.replace(/..(?=.)/g, "$&:")
}
