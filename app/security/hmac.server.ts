import { derivedKeys } from "./derived-keys.server"
import { hmacSha256, isOneOf } from "./signature.server"

/** Signs short texts of links and verifies their signatures. */
export type Signer = { sign(text: string): string; verify(text: string, signature: string): boolean }

/** HMAC-SHA256 with the keys of a purpose (`derivedKeys`): the first signs, all verify. */
export function signWith(secrets: readonly string[], purpose: string): Signer {
  const keys = derivedKeys(secrets, purpose)
  const [signing] = keys
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
