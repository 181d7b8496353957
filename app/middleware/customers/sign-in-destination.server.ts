import { localeContext } from "~/context/locale.server"
import { BASE } from "~/domain/base-path"
import { pathOf } from "~/domain/orders/screen-paths"
import { ownPath, pathWithout } from "../redirect-to.server"
import type { Visit } from "../visit"
import { awaitedMail } from "./sign-in-page.server"

/**
 * Path of the page that required the sign-in, with its query; from a checkout, that of what the customer has already: their
 * services, or their reseller account, which sends a customer without one back to the reseller plans. A browser
 * that has asked for a message on this page goes where it wanted to go then: the URL has lost its entry link since.
 */
export function destinationOf(visit: Pick<Visit, "url" | "context">): string {
  const { url, context } = visit
  const { prefix } = context.get(localeContext)
  const path = ownPath(url)
  const page = path.replace(/\/$/, "")
  const shop = `${BASE}${prefix}`
  if (page === shop) return `${shop}${pathOf.viewer.success}`
  if (page === `${shop}${pathOf.reseller.checkout}`) return `${shop}${pathOf.reseller.success}`
  const wanted = awaitedMail(context)?.path
  if (wanted && wanted.split("?", 1)[0] === path) return wanted
  return pathWithout(url, ["signin"])
}

/** Path of the sign-in screen on the same page; its parameter keeps `state`. */
export function signInPath({ url }: Pick<Visit, "url">, state: "" | "again"): string {
  return `${ownPath(url)}?signin${state && `=${state}`}`
}
