import { parseWithZod } from "@conform-to/zod/v4"
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

  const form = await formOf(request)
  const typed = form.get("email")
  const email = typeof typed === "string" ? typed.trim() : ""
  const submission = parseWithZod(form, { schema: SignInForm })
  if (submission.status !== "success") {
    throw interstitial(signInScreen({ email, fieldErrors: errorsIn(submission.error) }), 400)
  }
  const { address, visitor } = rateLimitSubject(context)
  const proof = await prove(context.get(servicesContext), { ...submission.value, address, visitor })
  if (proof.kind === "wrong") throw interstitial(signInScreen({ email, error: "wrong" }), 401)
  if (proof.kind === "too-many") {
    const { retryAfterSeconds } = proof
    throw interstitial(signInScreen({ email, error: "too-many", retryAfterSeconds }), 429)
  }
  if (proof.kind === "overloaded") {
    const { retryAfterSeconds } = proof
    throw interstitial(signInScreen({ email, error: "busy", retryAfterSeconds }), 503)
  }
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

function errorsIn(error: Record<string, string[] | null> | null): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(error ?? {}).map(([field, messages]) => [field, messages ?? []]))
}
