import { type MiddlewareFunction, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext, signedIn } from "~/context/session.server"
import { SignInForm } from "~/domain/forms/service-form"
import { signInScreen } from "~/domain/orders/interstitial"
import { signIn as prove } from "~/flows/customers/sign-in.server"
import { formOf } from "~/http/form.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { interstitial } from "../interstitial.server"
import { rateLimitSubject } from "../rate-limit-subject.server"
import type { Visit } from "../visit"
import { auth } from "./auth.server"
import { askForMail, enterCode } from "./sign-in-by-mail.server"
import { destinationOf } from "./sign-in-destination.server"
import { awaitedMail, signInCodePage, signInStart } from "./sign-in-page.server"

/**
 * `?signin` on any page shows the sign-in screen (GET), or the one for the code of a message that this browser has asked
 * for, and submits their forms (POST). `?signin=email` asks for an e-mail again.
 */
export const signIn: MiddlewareFunction<Response> = async (visit, next) => {
  const { request, url, context } = visit
  const state = url.searchParams.get("signin")
  if (state === null) return
  await auth("guest")(visit, next)
  if (request.method === "POST") return submit(visit, await formOf(request))
  const pending = state === "email" ? null : awaitedMail(context)
  if (pending) throw signInCodePage({ pending, status: 200, isSentAgain: state === "again" })
  throw signInStart(context, { reason: "asked", status: 200 })
}

/** Without mail there is one form, the one with the password. */
function submit(visit: Visit, form: FormData): Promise<never> {
  const intent = form.get("intent")
  const { mailSender } = visit.context.get(servicesContext).shop
  if (mailSender !== null && intent === "sign-in-mail") return askForMail(visit, form)
  if (mailSender !== null && intent === "sign-in-code") return enterCode(visit, form)
  return enterPassword(visit, form)
}

async function enterPassword(visit: Visit, form: FormData): Promise<never> {
  const { context } = visit
  const submission = submitted(form, SignInForm)
  const refuse = (status: number, error?: string, retryAfterSeconds = 0) => {
    const lastResult = refused(submission, error ? { formErrors: [error] } : {})
    return interstitial(signInScreen({ lastResult, retryAfterSeconds }), status)
  }
  if (submission.status !== "success") throw refuse(400)
  const { address, visitor } = rateLimitSubject(context)
  const proof = await prove(context.get(servicesContext), { ...submission.value, address, visitor })
  if (proof.kind === "wrong") throw refuse(401, "signIn.wrong")
  if (proof.kind === "too-many") throw refuse(429, "signIn.tooMany", proof.retryAfterSeconds)
  if (proof.kind === "overloaded") throw refuse(503, "signIn.busy", proof.retryAfterSeconds)
  const path = destinationOf(visit)
  const at = context.get(servicesContext).now()
  const proven = { how: "password", at } as const
  context.set(sessionContext, signedIn(context.get(sessionContext), proof.customer, proven))
  throw redirect(path, 303)
}
