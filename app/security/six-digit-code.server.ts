import type { Signer } from "./hmac.server"
import { isOneOf } from "./signature.server"

/** Six digits derived from a text with the secret, stored nowhere. The text names what the code is for, and whose it is. */
export function sixDigitCode(signer: Signer, text: string): string {
  const drawn = Buffer.from(signer.sign(text), "base64url").readUIntBE(0, 6)
  return String(drawn % 1_000_000).padStart(6, "0")
}

/** Whether a typed code is that of a text, compared in constant time. */
export function isSixDigitCode(signer: Signer, text: string, code: string): boolean {
  return isOneOf(code, [sixDigitCode(signer, text)])
}
