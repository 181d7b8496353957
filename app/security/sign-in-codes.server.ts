import type { Signer } from "./hmac.server"
import { isOneOf } from "./signature.server"

/** The six digits of a sign-in request, stored nowhere: they are derived from its id with the secret. */
export function signInCode(signer: Signer, requestId: string): string {
  const drawn = Buffer.from(signer.sign(`sign-in code ${requestId}`), "base64url").readUIntBE(0, 6)
  return String(drawn % 1_000_000).padStart(6, "0")
}

/** Whether a typed code is the request's, compared in constant time. */
export function isSignInCode(
  signer: Signer,
  { requestId, code }: { requestId: string; code: string },
): boolean {
  return isOneOf(code, [signInCode(signer, requestId)])
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

const linkText = (requestId: string) => `sign-in link ${requestId}`
