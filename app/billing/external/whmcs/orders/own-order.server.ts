import { BillingError } from "~/billing/billing"
import type { ExternalOrderRef } from "~/billing/external/external-orders"
import type { Whmcs } from "../context.server"
import { invoiceIfAny } from "../payments/invoices.server"
import { usernamesOf } from "../services/service-credentials.server"
import { serviceAt } from "../services/services.server"
import { hasMarkOf } from "./order-mark"
import type { WhmcsOrder } from "./order-schema"
import { orderAt } from "./orders.server"

export type OrderRef = Pick<
  ExternalOrderRef,
  "orderId" | "invoiceId" | "serviceId" | "customerId" | "number" | "username"
>

/**
 * Loads an order and checks that it is the client's and this one, because WHMCS's order actions check neither. Throws `BillingError`
 * "refused".
 */
export async function ownOrder(whmcs: Whmcs, owned: OrderRef): Promise<WhmcsOrder> {
  const order = await ownOrderIfAny(whmcs, owned)
  if (order) return order
  throw new BillingError("refused", `Order ${owned.orderId} not found in WHMCS`)
}

/**
 * As `ownOrder`; null without an id, and if WHMCS does not have the order any more: nothing is there under its id, or an order that
 * was given the id anew after a restore. "refused" if the order is another client's.
 */
export async function ownOrderIfAny(whmcs: Whmcs, owned: OrderRef): Promise<WhmcsOrder | null> {
  const { orderId, customerId } = owned
  if (orderId === null) return null
  const order = await orderAt(whmcs, orderId)
  if (!order || !(await isSame(whmcs, owned, order))) return null
  if (order.userid === customerId) return order
  throw new BillingError("refused", `Order ${orderId} of this client not found in WHMCS`)
}

/** By the mark of the order or of its invoice; if WHMCS has dropped it, by the service. */
async function isSame(whmcs: Whmcs, owned: OrderRef, order: WhmcsOrder): Promise<boolean> {
  return hasMarkOf(order.notes, owned.number) ?? (await isSameUnmarked(whmcs, owned, order))
}

async function isSameUnmarked(whmcs: Whmcs, owned: OrderRef, order: WhmcsOrder): Promise<boolean> {
  const { serviceId, username, invoiceId, number } = owned
  const customerId = order.userid
  const products = order.lineitems.filter(({ type }) => type.toLowerCase() === "product")
  if (products.length > 0) {
    const isOrdered = products.some(({ relid }) => relid === serviceId)
    const service = isOrdered ? await serviceAt(whmcs, { customerId, serviceId }) : null
    return service !== null && usernamesOf(whmcs, service).includes(username)
  }
  const invoice = invoiceId === null ? null : await invoiceIfAny(whmcs, { invoiceId, customerId })
  return invoice === null || (hasMarkOf(invoice.notes, number) ?? true)
}
