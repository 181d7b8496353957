import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { sessionContext, signedOut } from "~/context/session.server"
import { redirectTo } from "./redirect-to.server"

/**
 * `?signout` sent from any page: everything of the customer is forgotten, and he is at home again (spec, section 4). The
 * session he leaves is ended.
 */
export const signOut: MiddlewareFunction<Response> = ({ request, url, context }) => {
  if (request.method !== "POST" || !url.searchParams.has("signout")) return
  context.set(sessionContext, signedOut(context.get(sessionContext)))
  throw redirectTo(context.get(localeContext), "/")
}
