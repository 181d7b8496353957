import { href, type RouterContextProvider, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { remember, sessionContext } from "~/context/session.server"
import { choicesOf } from "~/domain/choices"
import { giveUpOrder } from "~/flows/payments/cancel-order.server"
import { screenHref } from "./screen-href.server"

type Args = { context: Readonly<RouterContextProvider>; params: { locale?: string } }

/**
 * Gives the order up and leads back to where it was chosen, with everything filled in. The order stays remembered:
 * should its payment arrive after all, the next page shows what was bought.
 */
export async function changeOrder({ context, params }: Args): Promise<Response> {
  const { orderId, choices } = context.get(sessionContext)
  const order = orderId ? await giveUpOrder(context.get(servicesContext), orderId) : null
  remember(context, { draft: null })
  if (order?.kind === "upsell") {
    remember(context, { serviceId: order.serviceId })
    return redirect(href("/:locale?/success", params), 303)
  }
  // In another browser than the one it was chosen in, the order itself says what was chosen.
  if (order && choices.plan === null) {
    remember(context, { choices: { ...choices, ...choicesOf(order) }, currency: order.total.currency })
  }
  return redirect(screenHref("checkout", order, params), 303)
}

/**
 * Gives the order up and forgets it (spec, section 4: cancelling an order clears all order fields); one whose part
 * payment is credit now stays remembered, because it is what lets this browser use that for its next order.
 */
export async function abortOrder({ context, params }: Args): Promise<Response> {
  const { orderId: current } = context.get(sessionContext)
  const order = current ? await giveUpOrder(context.get(servicesContext), current) : null
  // Paid meanwhile, or money is on its way: it goes on, on its own screen.
  if (order && order.status !== "cancelled") return redirect(screenHref("waiting", order, params), 303)
  const session = context.get(sessionContext)
  const serviceIds =
    order && order.kind !== "upsell"
      ? session.serviceIds.filter((id) => id !== order.serviceId)
      : session.serviceIds
  const orderId = order && order.credited.minor > 0 ? order.id : null
  remember(context, { orderId, draft: null, serviceIds })
  return redirect(screenHref("checkout", order, params), 303)
}
