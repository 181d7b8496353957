import type { MiddlewareFunction, RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import type { Choices } from "~/domain/choices"
import type { Order } from "~/domain/order"
import { payableStatuses } from "~/domain/order-status"
import { journeyOf, pathFor } from "~/domain/screen-paths"
import { isOtherSelection } from "~/flows/checkout/other-selection.server"
import { formOf } from "~/http/form.server"
import { redirectTo } from "../redirect-to.server"

type ReadChoices = (form: FormData, context: Readonly<RouterContextProvider>) => Choices

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
    const path = pathFor({ screen: "checkout", journey: journeyOf(order.kind) }, order)
    throw redirectTo(context.get(localeContext), `${path}?another`)
  }
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
  const path = pathFor({ screen: "checkout", journey: journeyOf(order.kind) }, order)
  throw redirectTo(context.get(localeContext), `${path}?another`)
}

async function openOrder(context: Readonly<RouterContextProvider>): Promise<Order | null> {
  const { orderId } = context.get(sessionContext)
  const order = orderId ? await context.get(servicesContext).billing.order(orderId) : null
  return order && payableStatuses.includes(order.status) ? order : null
}
