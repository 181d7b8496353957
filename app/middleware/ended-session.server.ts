import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { leadsToSomething, sessionContext, sessionStandingContext, signedOut } from "~/context/session.server"
import { entryLinkOf } from "./entry-link.server"

/** What programs ask, and what is in no page of anybody's: no session is read there. */
const machines: readonly string[] = [
  ...["api/health", "api/openapi.json", "api/:call", "api/payments/:gateway/callback", "aff/new_click"],
  ...[":locale?/manifest.webmanifest", ":locale?/offline", "*"],
]

/** Pages that show nothing of a customer's to whoever only reads them. */
const publicPages: readonly string[] = [":locale?", ":locale?/resellers"]

/**
 * A session that has been ended, here or in all browsers of a customer, is one of somebody who has signed out. Looked up
 * wherever something of a customer's is read or changed, which is everywhere but where the lists above say otherwise.
 */
export const endedSession: MiddlewareFunction<Response> = async (visit) => {
  const { context } = visit
  const session = context.get(sessionContext)
  const { id, sealedAt: asOf, customer, orderId, serviceIds } = session
  if (id === null || !leadsToSomething(session) || isPublic(visit)) return
  const { sessions } = context.get(servicesContext)
  const ended = await sessions.isEnded({ id, asOf, customer, orderId, serviceIds })
  context.set(sessionStandingContext, ended ? "ended" : "live")
  if (ended) context.set(sessionContext, signedOut(session))
}

function isPublic(visit: Parameters<MiddlewareFunction<Response>>[0]): boolean {
  const pattern = visit.pattern.replace(/^\//, "")
  if (machines.includes(pattern)) return true
  // A form may change something, and so may a link that says something.
  const isRead = visit.request.method === "GET" || visit.request.method === "HEAD"
  return isRead && publicPages.includes(pattern) && entryLinkOf(visit) === null
}
