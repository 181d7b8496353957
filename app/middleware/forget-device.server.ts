import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { forgotten, sessionContext } from "~/context/session.server"
import { interstitial } from "./interstitial.server"
import { redirectTo } from "./redirect-to.server"

/**
 * `?forget` on any page asks whether this browser is to forget what it has of a visitor; sent, it does, and every copy
 * of its cookie leads to nothing (design, section 6).
 */
export const forgetDevice: MiddlewareFunction<Response> = ({ request, url, context }) => {
  if (!url.searchParams.has("forget")) return
  if (request.method !== "POST") throw interstitial({ kind: "forget" }, 200)
  context.set(sessionContext, forgotten(context.get(sessionContext)))
  throw redirectTo(context.get(localeContext), "/")
}
