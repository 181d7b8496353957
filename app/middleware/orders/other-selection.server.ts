import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import type { Choices } from "~/domain/orders/choices"
import { isForBuying } from "~/domain/orders/entry-link"
import type { Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import { journeyOf, pathFor, pathOf } from "~/domain/orders/screen-paths"
import { isOtherOnSale, isOtherSelection } from "~/flows/checkout/other-selection.server"
import { currentOrder } from "~/flows/services/accessible-services.server"
import { formOf } from "~/http/form.server"
import { linkedPath, storeLink } from "../entry-links/entry-choices.server"
import { entryLinkOf } from "../entry-links/entry-link.server"
import { redirectTo } from "../redirect-to.server"
import type { Visit } from "../visit"

type ReadChoices = (form: FormData, context: RouteContext) => Choices

/**
 * A checkout form from a tab that was opened before the session's open order, with another selection: keeps the selection
 * and redirects to the order's screen, which lets the buyer choose between the two. `read`: the selection in the form.
 */
export function otherSelection(read: ReadChoices): MiddlewareFunction<Response> {
  return async ({ request, context }) => {
    if (request.method !== "POST") return
    const order = await openOrder(context)
    if (!order) return
    // The action reads the body too.
    const form = await formOf(request.clone())
    if (form.get("intent") !== "pay") return
    const chosen = read(form, context)
    if (!(await isOtherSelection(context.get(servicesContext), order, chosen))) return
    updateSession(context, { choices: chosen })
    throw questionAbout(context, order)
  }
}

/**
 * An entry link to a checkout that selects something else than the session's open order: keeps the selection and redirects to the
 * order's screen, likewise. Without the question a buyer would pay for what they chose before.
 */
export const otherLink: MiddlewareFunction<Response> = async (visit) => {
  const { context } = visit
  const link = entryLinkOf(visit)
  if (!link || !isForBuying(link) || !isCheckout(visit)) return
  const order = await openOrder(context)
  if (!order) return
  storeLink(visit, link)
  const { choices } = context.get(sessionContext)
  if (await isOtherOnSale(context.get(servicesContext), order, choices)) throw questionAbout(context, order)
}

function isCheckout({ url, context }: Pick<Visit, "url" | "context">): boolean {
  const path = linkedPath({ url, context })
  return path === pathOf.viewer.checkout || path === pathOf.reseller.checkout
}

/**
 * A review from a tab whose selection became no order, while another tab's did: redirects to that order's screen, which
 * says so. A repeat of the order's own review passes.
 */
export const otherReview: MiddlewareFunction<Response> = async ({ request, context }) => {
  if (request.method !== "POST") return
  const order = await openOrder(context)
  if (!order) return
  const draft = (await formOf(request.clone())).get("draft")
  if (typeof draft !== "string" || draft === order.id) return
  const { billing } = context.get(servicesContext)
  if ((await billing.orderByIdempotencyKey(draft))?.id === order.id) return
  throw questionAbout(context, order)
}

/** To the order's screen, which lets the buyer choose between the two. */
function questionAbout(context: RouteContext, order: Order): Response {
  const path = pathFor({ screen: "checkout", journey: journeyOf(order.kind) }, order)
  return redirectTo(context.get(localeContext), `${path}?another`)
}

async function openOrder(context: RouteContext): Promise<Order | null> {
  const order = await currentOrder(context.get(servicesContext), context.get(sessionContext))
  return order && payableStatuses.includes(order.status) ? order : null
}
