import { type MiddlewareFunction, redirect } from "react-router"
import { affiliateContext } from "~/context/affiliate.server"
import { localeContext } from "~/context/locale.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession, withOrder } from "~/context/session.server"
import type { EntryLink } from "~/domain/orders/entry-link"
import { pathOf } from "~/domain/orders/screen-paths"
import { limitOrders } from "~/flows/checkout/limit-orders.server"
import { placeAutoOrder } from "~/flows/checkout/place-auto-order.server"
import { isHumanNavigation } from "~/http/human-navigation.server"
import { buyerPlaceOf } from "../pricing/buyer-place.server"
import { rateLimitSubject } from "../rate-limit-subject.server"
import { ownPath, redirectTo } from "../redirect-to.server"
import type { Visit } from "../visit"
import { entryLinkOf } from "./entry-link.server"

/**
 * A link with an e-mail, a product and `auto_redirect=true` places an order and redirects to the gateway (specification,
 * Entry links). With anything missing, the checkout opens with the known fields filled in. A browser without a session is
 * sent one first: a visit whose response is lost would otherwise leave an order that the browser cannot continue.
 */
export const autoRedirect: MiddlewareFunction<Response> = async (visit) => {
  const { request, context } = visit
  const link = orderingLinkOf(visit)
  if (!link) return

  const services = context.get(servicesContext)
  const { address } = context.get(requestContext)
  const subject = rateLimitSubject(context)
  const { id: sessionId } = context.get(sessionContext)
  const isFirst = sessionId === null && link.auto_redirect === "true"
  if (isFirst) throw redirect(continued(visit.url), 303)
  // Above the limit the visitor gets the checkout, which shows the message when the form is submitted.
  if (!(await limitOrders(services, { ...subject, email: link.email ?? null, key: null })).ok) return
  const session = context.get(sessionContext)
  const placed = await placeAutoOrder(services, {
    link,
    locale: context.get(localeContext).code,
    ...(await buyerPlaceOf(context, request.headers)),
    address,
    affiliateId: context.get(affiliateContext),
    orderId: session.orderId,
    customer: session.customer,
    browser: session.visitor,
    sessionId,
  })
  if (placed.kind === "stopped") return
  context.set(sessionContext, withOrder(session, placed.order))
  updateSession(context, { choices: placed.choices, draft: null })
  const locale = context.get(localeContext)
  if (placed.kind === "opened") throw redirect(placed.url, 303)
  throw redirectTo(locale, pathOf.viewer[placed.kind === "settled" ? "success" : "creatingOrder"])
}

/** The link if it has what an order needs and a person opens it. */
function orderingLinkOf(visit: Visit): EntryLink | null {
  const link = entryLinkOf(visit)
  const isComplete = link?.auto_redirect && link.email !== undefined && link.pid !== undefined
  return isComplete && isHumanNavigation(visit.request) ? link : null
}

/** The link again. A browser without cookies follows it only once more. */
function continued(url: URL): string {
  const query = new URLSearchParams(url.searchParams)
  query.set("auto_redirect", "continue")
  return `${ownPath(url)}?${query}`
}
