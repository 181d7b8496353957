import { href, type RouterContextProvider, redirect } from "react-router"
import { giveUpOrder } from "~/flows/give-up-order.server"
import { servicesContext } from "~/services.server"
import { remember, sessionContext } from "~/session.server"

type Args = { context: Readonly<RouterContextProvider>; params: { locale?: string } }

/**
 * Back to the checkout with everything filled in. The order stays remembered: should its payment arrive after
 * all, the next page shows what was bought.
 */
export async function changeOrder({ context, params }: Args): Promise<Response> {
  const { orderId } = context.get(sessionContext)
  if (orderId) await giveUpOrder(context.get(servicesContext), orderId)
  remember(context, { draft: null })
  return redirect(href("/:locale?", params), 303)
}
