import type { LoggedServices } from "~/context/services.server"
import { normalizeEmail } from "~/domain/customers/email"
import type { LocaleCode } from "~/domain/locales"
import { loggedLimit } from "~/security/rate-limits.server"

export type RequestedMail =
  | { readonly kind: "requested"; readonly requestId: string }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type Request = {
  readonly email: string
  readonly locale: LocaleCode
  readonly sessionId: string
  readonly address: string | null
  readonly visitor: string | null
  /** The browser has been signed in to the account of this e-mail. */
  readonly known: boolean
}

/**
 * Requests a sign-in message, rate-limited by client and e-mail. Known and unknown e-mails take the same work here; the
 * queue of the mails sends the message, if there is a customer, after the answer.
 */
export async function requestSignInMail(
  { signInRequests, rateLimits, newId, now, log }: LoggedServices,
  { email, locale, sessionId, ...who }: Request,
): Promise<RequestedMail> {
  const allowed = await loggedLimit(
    log,
    { limit: "sign-in-mail", address: who.address },
    rateLimits.signInMail({ ...who, email: normalizeEmail(email) }),
  )
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  const requestId = newId()
  await signInRequests.create({ id: requestId, email: email.trim(), locale, sessionId, at: now() })
  return { kind: "requested", requestId }
}
