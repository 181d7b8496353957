import type { LoggedServices } from "~/context/services.server"
import { CODE_PERIOD, CODE_TRIES } from "~/domain/customers/sign-in-request"
import { loggedLimit, type RateLimitSubject } from "~/security/rate-limits.server"
import { isSignInCode } from "~/security/sign-in-codes.server"
import { completeSignIn, type SignedInByMail } from "./complete-sign-in.server"

export type SignInByCode =
  | SignedInByMail
  | { readonly kind: "wrong" }
  /** No code of this request works any more: expired, used, replaced, or too many wrong ones. */
  | { readonly kind: "ended" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type TypedCode = {
  readonly requestId: string
  /** Six digits. */
  readonly code: string
  readonly sessionId: string
  readonly who: RateLimitSubject
}

/** Authenticates a customer by the code of a message, in the session that asked for it. */
export async function signInByCode(
  services: LoggedServices,
  { requestId, code, sessionId, who }: TypedCode,
): Promise<SignInByCode> {
  const { signInRequests, rateLimits, signer, now, log } = services
  const allowed = await loggedLimit(
    log,
    { limit: "sign-in-code", address: who.address },
    rateLimits.signInCode(who),
  )
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  const at = now()
  const request = await signInRequests.countCodeTry(requestId, { sessionId, since: at - CODE_PERIOD, at })
  if (!request) return { kind: "ended" }
  if (isSignInCode(signer, { requestId, code })) {
    const signedIn = await completeSignIn(services, { requestId, email: request.email, sessionId })
    return signedIn ?? { kind: "ended" }
  }
  if (request.tries < CODE_TRIES) return { kind: "wrong" }
  await signInRequests.end(requestId, at)
  return { kind: "ended" }
}
