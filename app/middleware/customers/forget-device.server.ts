import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { forgotten, sessionContext } from "~/context/session.server"
import { interstitial } from "../interstitial.server"
import { redirectTo } from "../redirect-to.server"

/**
 * `?forget` on any page asks for confirmation that this browser forgets the visitor. The POST empties the session and
 * ends it on the server, so that copies of the cookie give no access.
 */
export const forgetDevice: MiddlewareFunction<Response> = ({ request, url, context }) => {
  if (!url.searchParams.has("forget")) return
  if (request.method !== "POST") throw interstitial({ kind: "forget" }, 200)
  context.set(sessionContext, forgotten(context.get(sessionContext)))
  throw redirectTo(context.get(localeContext), "/")
}
