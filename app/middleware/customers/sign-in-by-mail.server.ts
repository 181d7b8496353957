import { redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { askingToSignIn, isKnownBrowser, sessionContext, signedIn } from "~/context/session.server"
import { HONEYPOT } from "~/domain/forms/honeypot"
import { SignInCodeForm, SignInMailForm } from "~/domain/forms/service-form"
import { signInScreen } from "~/domain/orders/interstitial"
import type { SignedInByMail } from "~/flows/customers/complete-sign-in.server"
import { requestSignInMail } from "~/flows/customers/request-sign-in-mail.server"
import { signInByCode } from "~/flows/customers/sign-in-by-code.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { interstitial } from "../interstitial.server"
import { rateLimitSubject } from "../rate-limit-subject.server"
import type { Visit } from "../visit"
import { destinationOf, signInPath } from "./sign-in-destination.server"
import { awaitedMail, signInCodePage, signInStart } from "./sign-in-page.server"

/**
 * Asks for a sign-in message and redirects to the screen for its code: the same answer for every e-mail. A filled honeypot
 * sends nothing and is said, since it may have been a browser's autofill.
 */
export async function askForMail(visit: Visit, form: FormData): Promise<never> {
  const { context } = visit
  const submission = submitted(form, SignInMailForm)
  const refuse = (status: number, error?: string, retryAfterSeconds = 0) => {
    const lastResult = refused(submission, error ? { formErrors: [error] } : {})
    return interstitial(signInScreen({ form: "mail", lastResult, retryAfterSeconds }), status)
  }
  if (submission.status !== "success") throw refuse(400)
  if (form.get(HONEYPOT)) throw refuse(400, "signIn.mail.again")

  const services = context.get(servicesContext)
  const { email } = submission.value
  const { address, visitor } = rateLimitSubject(context)
  const session = context.get(sessionContext)
  const sessionId = session.id ?? services.newId()
  const locale = context.get(localeContext).code
  const known = isKnownBrowser(session, email)
  const requested = await requestSignInMail(services, { email, locale, sessionId, address, visitor, known })
  if (requested.kind === "too-many") throw refuse(429, "signIn.mail.tooMany", requested.retryAfterSeconds)
  const pending = { id: requested.requestId, email, at: services.now(), path: destinationOf(visit) }
  const isRepeated = awaitedMail(context)?.email === email
  context.set(sessionContext, askingToSignIn(session, { ...pending, sessionId }))
  throw redirect(signInPath(visit, isRepeated ? "again" : ""), 303)
}

/** Signs in by the code of the message that this browser has asked for. */
export async function enterCode(visit: Visit, form: FormData): Promise<never> {
  const { context } = visit
  const pending = awaitedMail(context)
  const { id: sessionId } = context.get(sessionContext)
  if (!pending || sessionId === null) throw signInStart(context, { reason: "old-mail", status: 401 })
  const submission = submitted(form, SignInCodeForm)
  const refuse = (status: number, error?: string) => {
    const lastResult = refused(submission, error ? { fieldErrors: { code: [error] } } : {})
    return signInCodePage({ pending, status, lastResult })
  }
  if (submission.status !== "success") throw refuse(400)
  const { code } = submission.value
  const who = rateLimitSubject(context)
  const proof = await signInByCode(context.get(servicesContext), {
    requestId: pending.id,
    code,
    sessionId,
    who,
  })
  if (proof.kind === "wrong") throw refuse(401, "signIn.code.wrong")
  if (proof.kind === "ended") throw refuse(401, "signIn.code.ended")
  if (proof.kind === "too-many") {
    const { retryAfterSeconds } = proof
    const lastResult = refused(submission, { formErrors: ["signIn.tooMany"] })
    throw signInCodePage({ pending, status: 429, lastResult, retryAfterSeconds })
  }
  const path = destinationOf(visit)
  acceptMailProof(visit, proof)
  throw redirect(path, 303)
}

/** Signs the customer of a message in. */
export function acceptMailProof({ context }: Visit, { customer, passwordEnded }: SignedInByMail): void {
  const proof = { how: "link", at: context.get(servicesContext).now() } as const
  const session = signedIn(context.get(sessionContext), customer, proof)
  context.set(sessionContext, passwordEnded ? { ...session, passwordEnded } : session)
}
