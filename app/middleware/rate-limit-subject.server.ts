import type { RouterContextProvider } from "react-router"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { remember, sessionContext } from "~/context/session.server"
import type { Trier } from "~/security/rate-limits.server"

/** Who tries something in a request. A browser that has no name yet gets one with the answer. */
export function trierOf(context: Readonly<RouterContextProvider>): Trier {
  const { visitor, customer } = context.get(sessionContext)
  if (visitor === null) remember(context, { visitor: context.get(servicesContext).newId() })
  return { address: context.get(requestContext).address, visitor, proven: customer?.reach === "account" }
}
