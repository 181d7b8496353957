import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, signedIn } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import { SignInForm } from "~/domain/forms/service-form"
import { signInScreen } from "~/domain/interstitial"
import { pathOf } from "~/domain/screen-paths"
import { signIn as prove } from "~/flows/customers/sign-in.server"
import { formOf } from "~/http/form.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { auth } from "./auth.server"
import { interstitial } from "./interstitial.server"
import { rateLimitSubject } from "./rate-limit-subject.server"
import { redirectTo } from "./redirect-to.server"

type Visit = Parameters<MiddlewareFunction<Response>>[0]

/** `?signin` on any page shows the sign-in screen (GET) or submits it (POST). */
export const signIn: MiddlewareFunction<Response> = async (visit, next) => {
  const { request, url, context } = visit
  if (!url.searchParams.has("signin")) return
  await auth("guest")(visit, next)
  if (request.method !== "POST") throw interstitial(signInScreen({ email: emailSoFar(visit) }), 200)

  const submission = submitted(await formOf(request), SignInForm)
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
  const at = context.get(servicesContext).now()
  const proven = { how: "password", at } as const
  context.set(sessionContext, signedIn(context.get(sessionContext), proof.customer, proven))
  throw onwards(visit)
}

/** Redirect to the page that required the sign-in; from the checkout, to the customer's services. */
function onwards({ url, context }: Visit): Response {
  const locale = context.get(localeContext)
  // Two slashes at the start would be another host.
  const path = url.pathname.replace(/^\/+/, "/")
  if (path.replace(/\/$/, "") === `${BASE}${locale.prefix}`) return redirectTo(locale, pathOf.viewer.success)
  const rest = new URLSearchParams(url.searchParams)
  rest.delete("signin")
  return redirect(rest.size > 0 ? `${path}?${rest}` : path, 303)
}

function emailSoFar({ context }: Visit): string {
  return context.get(sessionContext).choices.email ?? ""
}
