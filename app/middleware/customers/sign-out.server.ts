import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { sessionContext, signedOut } from "~/context/session.server"
import { redirectTo } from "../redirect-to.server"

/**
 * POST to `?signout` on any page: removes the customer from the session, ends it on the server, and redirects to the
 * checkout (specification, Orders).
 */
export const signOut: MiddlewareFunction<Response> = ({ request, url, context }) => {
  if (request.method !== "POST" || !url.searchParams.has("signout")) return
  context.set(sessionContext, signedOut(context.get(sessionContext)))
  throw redirectTo(context.get(localeContext), "/")
}
