import type { FormFields } from "~/http/form-client.server"
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
  const orders = await listed(api, { userid: customerId, ...which })
  return orders.filter(({ userid }) => userid === customerId)
}

function listed(api: Whmcs["api"], params: FormFields): Promise<readonly WhmcsOrder[]> {
  return allOf(api, { action: "GetOrders", params, path: ["orders", "order"], item: OrderShape })
}

/**
 * An order of this client; null if not found. Callers must check ownership: WHMCS's order actions take no client id.
 */
export async function clientsOrder(whmcs: Whmcs, { orderId, customerId }: Named): Promise<WhmcsOrder | null> {
  const found = await ordersOf(whmcs, customerId, { id: orderId })
  return found.find(({ id }) => id === orderId) ?? null
}

/** The order with an id, whoever's it is; null if WHMCS has none. */
export async function orderAt({ api }: Whmcs, orderId: string): Promise<WhmcsOrder | null> {
  return (await listed(api, { id: orderId })).find(({ id }) => id === orderId) ?? null
}
