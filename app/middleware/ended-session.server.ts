import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { leadsToSomething, sessionContext, sessionStateContext, signedOut } from "~/context/session.server"
import { entryLinkOf } from "./entry-link.server"

/** Pages that show nothing of a customer on GET. */
const publicPages: readonly string[] = [":locale?", ":locale?/resellers", ":locale?/offline", "*"]

/**
 * Treats a session that was ended on the server (sign-out, "Forget this device", new password) as signed out. It is
 * looked up wherever customer data is read or changed: everywhere but on public pages.
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
  // A form or an entry link may change something.
  const isRead = visit.request.method === "GET" || visit.request.method === "HEAD"
  return isRead && publicPages.includes(pattern) && entryLinkOf(visit) === null
}
