import { hkdfSync } from "node:crypto"
import { hmacSha256, isOneOf } from "./signature.server"

/** Signs short texts of links and verifies their signatures. */
export type Signer = { sign(text: string): string; verify(text: string, signature: string): boolean }

/** HMAC-SHA256 with keys derived from the secrets by HKDF: the first signs, all verify (rotation). */
export function signWith(secrets: readonly string[], purpose: string): Signer {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "boxoffice", purpose, 32)))
  const [signing] = keys
  if (!signing) throw new Error("No secret configured")
  return {
    sign: (text) => hmacSha256(signing, text).toString("base64url"),
    verify(text, signature) {
      const given = Buffer.from(signature, "base64url")
      return isOneOf(
        given,
        keys.map((key) => hmacSha256(key, text)),
      )
    },
  }
}
