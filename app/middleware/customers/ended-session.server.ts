import type { MiddlewareFunction } from "react-router"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { leadsToSomething, sessionContext, sessionStateContext, signedOut } from "~/context/session.server"
import { entryLinkOf } from "../entry-links/entry-link.server"
import type { Visit } from "../visit"

/** Pages that show nothing of a customer on GET, but the checkouts the account credit. */
const publicPages: readonly string[] = [":locale?", ":locale?/resellers", ":locale?/offline", "*"]

/**
 * Treats a session that was ended on the server (sign-out, "Forget this device", new password) as signed out. It is
 * looked up wherever customer data is read or changed: everywhere but on public pages, which do so themselves for what they show of
 * a customer.
 */
export const endedSession: MiddlewareFunction<Response> = async (visit) => {
  const { context } = visit
  if (isPublic(visit)) return
  const state = await lookedUp(context)
  context.set(sessionStateContext, state)
  if (state === "ended") context.set(sessionContext, signedOut(context.get(sessionContext)))
}

/** Whether the session was ended, for a public page that shows something of a signed-in customer all the same. */
export async function isEndedSession(context: RouteContext): Promise<boolean> {
  const known = context.get(sessionStateContext)
  return (known === "unknown" ? await lookedUp(context) : known) === "ended"
}

async function lookedUp(context: RouteContext) {
  const session = context.get(sessionContext)
  const { id, sealedAt: asOf, customer, orderId, serviceIds } = session
  if (id === null || !leadsToSomething(session)) return "unknown"
  const { sessions } = context.get(servicesContext)
  return (await sessions.isEnded({ id, asOf, customer, orderId, serviceIds })) ? "ended" : "live"
}

function isPublic(visit: Visit): boolean {
  const pattern = visit.pattern.replace(/^\//, "")
  // A form or an entry link may change something.
  const isRead = visit.request.method === "GET" || visit.request.method === "HEAD"
  return isRead && publicPages.includes(pattern) && entryLinkOf(visit) === null
}
