import type { MiddlewareFunction, RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { type Services, servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import type { Order } from "~/domain/order"
import { type Screen, screenFor } from "~/domain/order-status"
import { ACCOUNT, type Journey, pathFor, pathOf } from "~/domain/screen-paths"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { interstitial } from "./interstitial.server"
import { redirectTo } from "./redirect-to.server"
import { signInPage } from "./sign-in-page.server"

/**
 * Redirects to the one screen that belongs to the current order's status (`domain/order-status.ts`). `?services` on the success
 * page shows existing services first, and `?account` the account, which needs no order. A signed-in customer without any is told
 * so: the checkout would look like a sign-in that failed.
 */
export function redirections(screen: Screen, journey: Journey = "viewer"): MiddlewareFunction<Response> {
  return async ({ request, url, context }) => {
    const session = context.get(sessionContext)
    const services = context.get(servicesContext)
    const order = session.orderId ? await services.billing.order(session.orderId) : null
    const right = pathFor({ screen, journey }, order)
    if (right === null || (screen === "success" && (await hasSomething(services, session, { order, url }))))
      return
    throw (
      withoutOrder({ screen, journey }, order, { request, context }) ??
      redirectTo(context.get(localeContext), right)
    )
  }
}

/** What a browser without an order sees in place of a page that is about one; null: where the journey begins. */
function withoutOrder(
  { screen, journey }: { screen: Screen; journey: Journey },
  order: Order | null,
  { request: { method }, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (order !== null) return null
  const session = context.get(sessionContext)
  if (screen === "success") return noService(context, session)
  // The answer to a form is a redirect.
  const isLook = screen === "waiting" && method !== "POST"
  return isLook ? noOrder(context, session, pathOf[journey].success) : null
}

/**
 * What a browser without the order sees in place of its waiting page: how to find the order, or what the customer has. Null for one
 * that has chosen a plan, and goes on with it.
 */
function noOrder(
  context: Readonly<RouterContextProvider>,
  { customer, choices }: CheckoutSession,
  success: string,
) {
  const locale = context.get(localeContext)
  if (customer !== null) return redirectTo(locale, success)
  if (choices.plan !== null) return null
  const { mailsOrders } = context.get(servicesContext).shop
  const lead = screenTexts(locale.code)(mailsOrders ? "notice.elsewhereByMail" : "notice.elsewhere")
  return signInPage(context, { reason: "order", lead, status: 401 })
}

/** What a signed-in customer without order and service sees in place of the success page. */
function noService(context: Readonly<RouterContextProvider>, { customer }: CheckoutSession) {
  if (customer === null) return null
  const t = screenTexts(context.get(localeContext).code)
  const note = t(context.get(servicesContext).shop.mailsOrders ? "notice.unpaidByMail" : "notice.unpaidHere")
  return interstitial({ kind: "no-service", email: customer.email, note }, 200)
}

/**
 * Whether `/success` may show an existing service whatever the current order's status: the session names the service,
 * the visitor asks for their services or account, or the order needs no further step.
 */
async function hasSomething(
  services: Pick<Services, "billing">,
  session: CheckoutSession,
  { order, url }: { order: Order | null; url: URL },
): Promise<boolean> {
  if (url.searchParams.has(ACCOUNT)) return true
  const inReach = await accessibleServices(services, session)
  const named = inReach.some(({ id }) => id === session.serviceId)
  const requestsNothing = screenFor("success", order?.status ?? null) === "checkout"
  const asks = url.searchParams.has("services")
  return named || ((asks || requestsNothing) && inReach.length > 0)
}
