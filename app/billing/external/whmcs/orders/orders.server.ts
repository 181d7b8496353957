import { allOf } from "../client/pagination.server"
import type { Whmcs } from "../context.server"
import { OrderShape, type WhmcsOrder } from "./order-schema"

type Named = { readonly orderId: string; readonly customerId: string }

/** The orders of a client. Filters out orders of other clients, in case WHMCS ignores `userid`. */
export async function ordersOf(
  { api }: Whmcs,
  customerId: string,
  which: { id?: string; status?: string } = {},
): Promise<readonly WhmcsOrder[]> {
  const orders = await allOf(api, {
    action: "GetOrders",
    params: { userid: customerId, ...which },
    path: ["orders", "order"],
    item: OrderShape,
  })
  return orders.filter(({ userid }) => userid === customerId)
}

/**
 * An order of this client; null if not found. Callers must check ownership: WHMCS's order actions take no client id.
 */
export async function orderAt(whmcs: Whmcs, { orderId, customerId }: Named): Promise<WhmcsOrder | null> {
  const found = await ordersOf(whmcs, customerId, { id: orderId })
  return found.find(({ id }) => id === orderId) ?? null
}
