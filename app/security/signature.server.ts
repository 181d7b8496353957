import { createHmac, timingSafeEqual } from "node:crypto"

/** HMAC-SHA256 of the concatenated parts. */
export function hmacSha256(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const code = createHmac("sha256", key)
  for (const part of parts) code.update(part)
  return code.digest()
}

/**
 * Compares a given signature with the expected ones in constant time. Every expected one is compared, so that the
 * duration does not reveal which one matches. A matching prefix is not enough.
 */
export function isOneOf(given: string | Buffer, expected: readonly (string | Buffer)[]): boolean {
  const bytes = Buffer.from(given)
  return expected.map((it) => isSame(bytes, Buffer.from(it))).includes(true)
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
