/** The address of a device (MAC) as it is stored: six pairs in upper case with colons. */
export type DeviceAddress = string

/** Spaces and characters without width come along when an address is copied from a message or a web page. */
const INVISIBLE = /[\s\u200b-\u200f\u2060\ufeff]/g
const PAIRS = /^[0-9a-f]{2}([:\-.]?)[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}$/i
/** Cisco's way of writing it: three groups of four. */
const GROUPS = /^[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}$/i
/** The lowest bit of the first pair marks an address of many devices; all ones is one of those. */
const OF_MANY = /^.[13579BDF]/

/**
 * Reads an address in any of the usual notations (colons, hyphens, dots or nothing between the pairs, any case).
 * Null for what is none, and for the addresses that no single device has (reference: playlists, section 4).
 */
export function deviceAddressIn(text: string): DeviceAddress | null {
  const typed = text.replace(INVISIBLE, "")
  if (!PAIRS.test(typed) && !GROUPS.test(typed)) return null
  const digits = typed.replace(/[^0-9a-f]/gi, "").toUpperCase()
  if (OF_MANY.test(digits) || /^0+$/.test(digits)) return null
  return digits.replace(/..(?=.)/g, "$&:")
}
