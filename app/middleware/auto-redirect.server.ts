import { type MiddlewareFunction, redirect } from "react-router"
import { affiliateContext } from "~/context/affiliate.server"
import { localeContext } from "~/context/locale.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession, withOrder } from "~/context/session.server"
import { limitOrders } from "~/flows/checkout/limit-orders.server"
import { placeAutoOrder } from "~/flows/checkout/place-auto-order.server"
import { entryLinkOf } from "./entry-link.server"
import { rateLimitSubject } from "./rate-limit-subject.server"
import { redirectTo } from "./redirect-to.server"
import { isHumanNavigation } from "./request-kind.server"

/**
 * A link with an e-mail, a product and `auto_redirect=true` places an order and redirects to the gateway (specification,
 * Entry links). With anything missing, the checkout opens with the known fields filled in.
 */
export const autoRedirect: MiddlewareFunction<Response> = async (visit) => {
  const { request, context } = visit
  const link = entryLinkOf(visit)
  if (!link?.auto_redirect || !isHumanNavigation(request)) return

  const services = context.get(servicesContext)
  const { address } = context.get(requestContext)
  // Above the limit the visitor gets the checkout, which shows the message when the form is submitted.
  const subject = rateLimitSubject(context)
  if (!(await limitOrders(services, { ...subject, email: link.email ?? null, key: null })).ok) return
  const session = context.get(sessionContext)
  const placed = await placeAutoOrder(services, {
    link,
    locale: context.get(localeContext).code,
    country: await services.countryOf({ address, headers: request.headers }),
    address,
    affiliateId: context.get(affiliateContext),
    orderId: session.orderId,
    customer: session.customer,
    browser: session.visitor,
  })
  if (placed.kind === "stopped") return
  context.set(sessionContext, withOrder(session, placed.order))
  updateSession(context, { choices: placed.choices, draft: null })
  const locale = context.get(localeContext)
  if (placed.kind === "opened") throw redirect(placed.url, 303)
  throw redirectTo(locale, placed.kind === "settled" ? "/success" : "/creatingOrder")
}
