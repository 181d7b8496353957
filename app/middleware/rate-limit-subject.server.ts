import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import type { RateLimitSubject } from "~/security/rate-limits.server"

/** Client address, browser id and sign-in state to count against. A browser without an id gets one with the response. */
export function rateLimitSubject(context: RouteContext): RateLimitSubject {
  const { visitor, customer } = context.get(sessionContext)
  if (visitor === null) updateSession(context, { visitor: context.get(servicesContext).newId() })
  return {
    address: context.get(requestContext).address,
    visitor,
    authenticated: customer?.reach === "account",
  }
}
