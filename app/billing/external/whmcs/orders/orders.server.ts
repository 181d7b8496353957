import { allOf } from "../client/pagination.server"
import type { Whmcs } from "../context.server"
import { OrderShape, type WhmcsOrder } from "./order-schema"

type Named = { readonly orderId: string; readonly customerId: string }

/** The orders of a client; those of others, should WHMCS tell of them, are not his. */
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

/** A client's own order; null: none of that name is his. WHMCS's actions on orders ask for no client. */
export async function orderAt(whmcs: Whmcs, { orderId, customerId }: Named): Promise<WhmcsOrder | null> {
  const found = await ordersOf(whmcs, customerId, { id: orderId })
  return found.find(({ id }) => id === orderId) ?? null
}
