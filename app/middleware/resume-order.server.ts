import { type MiddlewareFunction, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext, withAuthenticatedOrder, withOrder, withResumedOrder } from "~/context/session.server"
import { EntryLink } from "~/domain/entry-link"
import { signInScreen } from "~/domain/interstitial"
import { resolveReturnToken, resumeOrder } from "~/flows/payments/resume-order.server"
import { withoutEntry } from "./entry-choices.server"
import { entryLinkOf } from "./entry-link.server"
import { interstitial } from "./interstitial.server"
import { isHumanNavigation } from "./request-kind.server"

type Visit = Parameters<MiddlewareFunction<Response>>[0]

/**
 * Resumes the order of a gateway's return URL in whichever browser it opens, once. The first browser that confirms by POST
 * keeps the order; any other has to sign in (specification, Payments). Without the confirmation, a person who was sent the link
 * to pay another visitor's order would get that order.
 */
export const resume: MiddlewareFunction<Response> = (visit) =>
  visit.request.method === "POST" ? confirm(visit) : follow(visit)

async function follow(visit: Visit): Promise<void> {
  const { request, context } = visit
  const token = entryLinkOf(visit)?.resume
  if (!token || !isHumanNavigation(request)) return
  const session = context.get(sessionContext)
  const way = await resolveReturnToken(context.get(servicesContext), token, session)
  if (way.kind === "used") throw interstitial(signInScreen({ reason: "used-link" }), 401)
  if (way.kind === "own") context.set(sessionContext, withOrder(session, way.order))
  if (way.kind !== "other-customer") return
  const { id: reference, total } = way.order
  throw interstitial({ kind: "resume", reference, total, replaces: session.orderId !== null }, 200)
}

async function confirm({ url, context }: Visit): Promise<void> {
  const { resume: token } = EntryLink.parse(Object.fromEntries(url.searchParams))
  // The sign-in form keeps the resume token in its URL for the redirect afterwards.
  if (!token || url.searchParams.has("signin")) return
  const session = context.get(sessionContext)
  const resumed = await resumeOrder(context.get(servicesContext), token, session)
  if (resumed.kind === "used") throw interstitial(signInScreen({ reason: "used-link" }), 401)
  if (resumed.kind === "resumed") {
    const inHand = resumed.authenticated ? withAuthenticatedOrder : withResumedOrder
    context.set(sessionContext, inHand(session, resumed.order))
  }
  throw redirect(withoutEntry(url), 303)
}
