import { MINUTE } from "../calendar"

/** How long the code of a sign-in message works, in the browser that has asked for it. */
export const CODE_PERIOD = 10 * MINUTE

/** How long the link of a sign-in message works, in any browser. */
export const LINK_PERIOD = 15 * MINUTE

/** How many codes may be tried; the last wrong one ends the request. */
export const CODE_TRIES = 5

/**
 * How long the browser that has used a code or link may send it again: a button pressed twice sends two requests, and the
 * browser reads the second answer only.
 */
export const REPEAT_PERIOD = 1 * MINUTE

/** The code in a typed text, which may have been copied with spaces or hyphens; null if it is not six digits. */
export function codeIn(typed: string): string | null {
  const digits = typed.normalize("NFKC").replace(/[\s-]/g, "")
  return /^\d{6}$/.test(digits) ? digits : null
}
