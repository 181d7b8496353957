import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { type PendingSignIn, pendingSignInOf, sessionContext } from "~/context/session.server"
import { type SignInReason, signInScreen } from "~/domain/orders/interstitial"
import type { RefusedForm } from "~/domain/refused-form"
import { interstitial } from "../interstitial.server"

/**
 * The sign-in screen, with the known e-mail. A browser that has asked for a message gets the screen for its code: coming back
 * from the mailbox loses nothing.
 */
export function signInPage(
  context: RouteContext,
  { reason, status }: { reason: SignInReason; status: number },
) {
  const pending = awaitedMail(context)
  return pending ? signInCodePage({ pending, status }) : signInStart(context, { reason, status })
}

/** The sign-in screen itself, also in a browser that has asked for a message. */
export function signInStart(
  context: RouteContext,
  { reason, status }: { reason: SignInReason; status: number },
) {
  const { choices } = context.get(sessionContext)
  const email = awaitedMail(context)?.email ?? choices.email ?? ""
  return interstitial(signInScreen({ reason, email }), status)
}

type CodePage = {
  readonly pending: PendingSignIn
  readonly status: number
  readonly isSentAgain?: boolean
  readonly lastResult?: RefusedForm | null
  readonly retryAfterSeconds?: number
}

/** The screen for the code of a message. */
export function signInCodePage({ pending, status, ...differences }: CodePage) {
  const { isSentAgain = false, lastResult = null, retryAfterSeconds = 0 } = differences
  const { email } = pending
  return interstitial({ kind: "sign-in-code", email, isSentAgain, lastResult, retryAfterSeconds }, status)
}

/** The sign-in message that this browser waits for, if the shop sends any. */
export function awaitedMail(context: RouteContext): PendingSignIn | null {
  const { shop, now } = context.get(servicesContext)
  return shop.mailSender === null ? null : pendingSignInOf(context.get(sessionContext), now())
}
