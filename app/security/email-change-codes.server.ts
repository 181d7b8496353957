import type { Signer } from "./hmac.server"
import { isOneOf } from "./signature.server"

/** The six digits of a change of e-mail, which go to the new address: derived from its id, and stored nowhere. */
export function emailChangeCode(signer: Signer, changeId: string): string {
  const drawn = Buffer.from(signer.sign(`email change code ${changeId}`), "base64url").readUIntBE(0, 6)
  return String(drawn % 1_000_000).padStart(6, "0")
}

/** Whether a typed code is the change's, compared in constant time. */
export function isEmailChangeCode(
  signer: Signer,
  { changeId, code }: { changeId: string; code: string },
): boolean {
  return isOneOf(code, [emailChangeCode(signer, changeId)])
}

/** Token of the link that stops or undoes a change, which goes to the former address: the change's id and our signature. */
export function emailChangeToken(signer: Signer, changeId: string): string {
  return `${changeId}.${signer.sign(linkText(changeId))}`
}

/** The change that a token names; null if the token is forged. */
export function changeOfToken(signer: Signer, token: string): string | null {
  const [changeId = "", signature = ""] = token.split(".")
  return signer.verify(linkText(changeId), signature) ? changeId : null
}

const linkText = (changeId: string) => `email change link ${changeId}`
