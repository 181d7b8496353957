import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { leadsToSomething, sessionContext, sessionStateContext, signedOut } from "~/context/session.server"
import { entryLinkOf } from "./entry-link.server"

/** Routes for API clients, and those that show nothing personal: no session is read there. */
const machines: readonly string[] = [
  "api/health",
  "api/openapi.json",
  "api/:call",
  "api/payments/:gateway/callback",
  "aff/new_click",
  ":locale?/manifest.webmanifest",
  ":locale?/offline",
  "*",
]

/** Pages that show nothing of a customer on GET. */
const publicPages: readonly string[] = [":locale?", ":locale?/resellers"]

/**
 * Treats a session that was ended on the server (sign-out, "Forget this device", new password) as signed out. It is
 * looked up wherever customer data is read or changed: everywhere but on the routes listed above.
 */
export const endedSession: MiddlewareFunction<Response> = async (visit) => {
  const { context } = visit
  const session = context.get(sessionContext)
  const { id, sealedAt: asOf, customer, orderId, serviceIds } = session
  if (id === null || !leadsToSomething(session) || isPublic(visit)) return
  const { sessions } = context.get(servicesContext)
  const ended = await sessions.isEnded({ id, asOf, customer, orderId, serviceIds })
  context.set(sessionStateContext, ended ? "ended" : "live")
  if (ended) context.set(sessionContext, signedOut(session))
}

function isPublic(visit: Parameters<MiddlewareFunction<Response>>[0]): boolean {
  const pattern = visit.pattern.replace(/^\//, "")
  if (machines.includes(pattern)) return true
  // A form or an entry link may change something.
  const isRead = visit.request.method === "GET" || visit.request.method === "HEAD"
  return isRead && publicPages.includes(pattern) && entryLinkOf(visit) === null
}
