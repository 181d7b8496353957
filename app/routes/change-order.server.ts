import { href, type RouterContextProvider, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { choicesOf } from "~/domain/choices"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { screenHref } from "./screen-href.server"

type Args = { context: Readonly<RouterContextProvider>; params: { locale?: string } }

/**
 * Gives the order up and leads back to where it was chosen, with everything filled in. The order stays remembered:
 * should its payment arrive after all, the next page shows what was bought.
 */
export async function changeOrder({ context, params }: Args): Promise<Response> {
  const { orderId, choices } = context.get(sessionContext)
  const order = orderId ? await cancelUnpaidOrder(context.get(servicesContext), orderId) : null
  updateSession(context, { draft: null })
  if (order?.kind === "upsell") {
    updateSession(context, { serviceId: order.serviceId })
    return redirect(href("/:locale?/success", params), 303)
  }
  // In another browser than the one it was chosen in, the order itself says what was chosen.
  if (order && choices.plan === null) {
    updateSession(context, { choices: { ...choices, ...choicesOf(order) }, currency: order.total.currency })
  }
  return redirect(screenHref("checkout", order, params), 303)
}

/**
 * Gives the order up and forgets it (spec, section 4: cancelling an order clears all order fields); one whose part
 * payment is credit now stays remembered, because it is what lets this browser use that for its next order.
 */
export async function abortOrder({ context, params }: Args): Promise<Response> {
  const { orderId: current } = context.get(sessionContext)
  const order = current ? await cancelUnpaidOrder(context.get(servicesContext), current) : null
  // Paid meanwhile, or money is on its way: it goes on, on its own screen.
  if (order && order.status !== "cancelled") return redirect(screenHref("waiting", order, params), 303)
  const session = context.get(sessionContext)
  const serviceIds =
    order && order.kind !== "upsell"
      ? session.serviceIds.filter((id) => id !== order.serviceId)
      : session.serviceIds
  const orderId = order && order.credited.minor > 0 ? order.id : null
  updateSession(context, { orderId, draft: null, serviceIds })
  return redirect(screenHref("checkout", order, params), 303)
}
