import type { MiddlewareFunction } from "react-router"
import { affiliateContext } from "~/context/affiliate.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { DAY, SECOND } from "~/domain/calendar"
import { recordClick } from "~/flows/customers/record-click.server"
import { cookieFrom, setCookie } from "~/http/cookie.server"
import { isHumanNavigation } from "~/http/human-navigation.server"
import { entryLinkOf } from "./entry-link.server"

const NAME = "aff_id"
/** 90 days (specification, Guards), in seconds. */
const SECONDS = (90 * DAY) / SECOND

/** Records the click of an affiliate link, and attributes the visitor's orders of the next 90 days to the affiliate. */
export const affiliateClick: MiddlewareFunction<Response> = async (visit, next) => {
  const { request, context } = visit
  const clicked = entryLinkOf(visit)?.aff_id
  context.set(affiliateContext, clicked ?? clicksIn(request))
  if (!clicked) return

  const services = context.get(servicesContext)
  const { address } = context.get(requestContext)
  // Clicks above the rate limit are not recorded; the page is served all the same.
  if (isHumanNavigation(request) && (await services.rateLimits.click(address)).ok) {
    await recordClick(services, {
      affiliateId: clicked,
      address,
      userAgent: request.headers.get("user-agent"),
      referer: request.headers.get("referer"),
    })
  }
  const response = await next()
  const secure = services.shop.publicUrl.startsWith("https:")
  response.headers.append(
    "set-cookie",
    setCookie({ name: NAME, value: clicked, path: BASE, maxAge: SECONDS, secure }),
  )
  return response
}

function clicksIn(request: Request): string | null {
  const remembered = cookieFrom(request, NAME)
  return remembered !== undefined && /^\d{1,9}$/.test(remembered) ? remembered : null
}
