import type { Services } from "~/context/services.server"
import { MINUTE } from "~/domain/calendar"
import { CODE_PERIOD, LINK_PERIOD } from "~/domain/customers/sign-in-request"
import { type LocaleCode, localeOfCode, pageUrl } from "~/domain/locales"
import { signInLinkPath } from "~/domain/orders/screen-paths"
import { signInCode, signInToken } from "~/security/sign-in-codes.server"

export type SignInMessage = {
  /** The customer's address as stored: a typed variant of it may be another person's mailbox. */
  readonly email: string
  /** Null: an operator has sent the link, and no browser waits for a code. */
  readonly code: string | null
  readonly codeMinutes: number
  /** Absolute URL of the link. */
  readonly url: string
  readonly linkMinutes: number
}

type Requested = {
  readonly requestId: string
  /** As typed. */
  readonly email: string
  readonly locale: LocaleCode
  readonly isByOperator: boolean
}

/**
 * What a sign-in message says. Null if there is no such customer, or if the request has ended or expired since: then nothing
 * is sent.
 */
export async function signInMessage(
  { billing, signInRequests, signer, shop, now }: Services,
  { requestId, email, locale, isByOperator }: Requested,
): Promise<SignInMessage | null> {
  const at = now()
  const customer = await billing.customerOf(email)
  const since = at - (isByOperator ? LINK_PERIOD : CODE_PERIOD)
  const open = await signInRequests.find(requestId, { sessionId: "", since, at })
  const language = localeOfCode(locale)
  if (!customer || !open || !language) return null
  return {
    email: customer.email,
    code: isByOperator ? null : signInCode(signer, requestId),
    codeMinutes: CODE_PERIOD / MINUTE,
    url: pageUrl(shop.publicUrl, language, signInLinkPath(signInToken(signer, requestId))),
    linkMinutes: LINK_PERIOD / MINUTE,
  }
}
