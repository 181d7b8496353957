import type { Signer } from "./hmac.server"
import { isSixDigitCode, sixDigitCode } from "./six-digit-code.server"

/** The six digits of a change of e-mail, derived from its id, which go to the new address. */
export function emailChangeCode(signer: Signer, changeId: string): string {
  return sixDigitCode(signer, codeText(changeId))
}

/** Whether a typed code is the change's, compared in constant time. */
export function isEmailChangeCode(
  signer: Signer,
  { changeId, code }: { changeId: string; code: string },
): boolean {
  return isSixDigitCode(signer, codeText(changeId), code)
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

const codeText = (changeId: string) => `email change code ${changeId}`
const linkText = (changeId: string) => `email change link ${changeId}`
