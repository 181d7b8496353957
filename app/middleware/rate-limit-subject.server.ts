import type { RouterContextProvider } from "react-router"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import type { RateLimitSubject } from "~/security/rate-limits.server"

/** Who tries something in a request. A browser that has no name yet gets one with the answer. */
export function rateLimitSubject(context: Readonly<RouterContextProvider>): RateLimitSubject {
  const { visitor, customer } = context.get(sessionContext)
  if (visitor === null) updateSession(context, { visitor: context.get(servicesContext).newId() })
  return {
    address: context.get(requestContext).address,
    visitor,
    authenticated: customer?.reach === "account",
  }
}
