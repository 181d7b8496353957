import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

/** Signs short texts of links and verifies their signatures. */
export type Signer = { sign(text: string): string; verify(text: string, signature: string): boolean }

/** HMAC-SHA256 with keys derived from the secrets by HKDF: the first signs, all verify (rotation). */
export function signWith(secrets: readonly string[], purpose: string): Signer {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "boxoffice", purpose, 32)))
  const [signing] = keys
  if (!signing) throw new Error("No secret configured")
  const signed = (text: string, key: Buffer) => createHmac("sha256", key).update(text).digest()
  return {
    sign: (text) => signed(text, signing).toString("base64url"),
    verify(text, signature) {
      const given = Buffer.from(signature, "base64url")
      return keys.some((key) => {
        const right = signed(text, key)
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
  }
}
