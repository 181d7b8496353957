import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { normalizeEmail } from "~/domain/customers/email"
import { pathOf, SIGN_IN_TOKEN } from "~/domain/orders/screen-paths"
import { openSignInLink, signInByLink } from "~/flows/customers/sign-in-by-link.server"
import { interstitial } from "../interstitial.server"
import { redirectTo } from "../redirect-to.server"
import type { Visit } from "../visit"
import { acceptMailProof } from "./sign-in-by-mail.server"
import { awaitedMail, signInStart } from "./sign-in-page.server"

/**
 * The link of a sign-in message: a page with one button, whose POST signs in. Opening it uses nothing up, since mail scanners
 * and previews do so too. The link works in any browser; the one that has asked for it goes on to the page it wanted.
 */
export const signInLink: MiddlewareFunction<Response> = async (visit) => {
  const { request, url, context } = visit
  const token = url.searchParams.get(SIGN_IN_TOKEN)
  if (token === null) return
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  // The id lets this browser press the button twice.
  const sessionId = session.id ?? services.newId()
  if (request.method === "POST") return follow(visit, { token, sessionId })
  const opened = await openSignInLink(services, { token, sessionId })
  // Back from the page that the link has led to, or a second link.
  const isDone = session.customer !== null && (!opened || isReached(session.customer, opened))
  if (isDone) throw redirectTo(context.get(localeContext), pathOf.viewer.success)
  if (!opened) throw signInStart(context, { reason: "old-mail", status: 401 })
  if (session.id === null) updateSession(context, { id: sessionId })
  throw interstitial({ kind: "sign-in-link", email: opened.email }, 200)
}

async function follow(visit: Visit, link: { token: string; sessionId: string }): Promise<never> {
  const { context } = visit
  const proof = await signInByLink(context.get(servicesContext), link)
  if (!proof) throw signInStart(context, { reason: "old-mail", status: 401 })
  const pending = awaitedMail(context)
  updateSession(context, { id: link.sessionId })
  acceptMailProof(visit, proof)
  if (pending?.id === proof.requestId && pending.path) throw redirect(pending.path, 303)
  throw redirectTo(context.get(localeContext), pathOf.viewer.success)
}

/** Whether the signed-in customer is the one of the link, with all that the link would open. */
function isReached(
  customer: { readonly email: string; readonly reach: string },
  { email }: { readonly email: string },
): boolean {
  return customer.reach === "account" && normalizeEmail(customer.email) === email
}
