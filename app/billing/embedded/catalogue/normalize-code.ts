/** Normalizes a promo code for storage and lookup: trimmed, upper case. */
export function normalizeCode(code: string): string {
  return code.trim().toUpperCase()
}
