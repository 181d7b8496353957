import type { Signer } from "./hmac.server"
import { isSixDigitCode, sixDigitCode } from "./six-digit-code.server"

/** The six digits of a sign-in request, derived from its id. */
export function signInCode(signer: Signer, requestId: string): string {
  return sixDigitCode(signer, codeText(requestId))
}

/** Whether a typed code is the request's, compared in constant time. */
export function isSignInCode(
  signer: Signer,
  { requestId, code }: { requestId: string; code: string },
): boolean {
  return isSixDigitCode(signer, codeText(requestId), code)
}

/** Token of a sign-in link: the request's id and our signature. */
export function signInToken(signer: Signer, requestId: string): string {
  return `${requestId}.${signer.sign(linkText(requestId))}`
}

/** The request that a token names; null if the token is forged. */
export function requestOfToken(signer: Signer, token: string): string | null {
  const [requestId = "", signature = ""] = token.split(".")
  return signer.verify(linkText(requestId), signature) ? requestId : null
}

const codeText = (requestId: string) => `sign-in code ${requestId}`
const linkText = (requestId: string) => `sign-in link ${requestId}`
