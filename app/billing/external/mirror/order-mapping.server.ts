import { BillingError } from "~/billing/billing"
import type { ExternalOrder, ExternalOrderRef, ExternalUpsell } from "~/billing/external/external-orders"
import type { ExternalUpgrade } from "~/billing/external/external-upgrades"
import { cycleOfMonths } from "~/domain/catalogue/billing-cycle"
import type { Order } from "~/domain/orders/order"
import { planChangeLine } from "~/domain/services/plan-change"
import type { Service } from "~/domain/services/service"
import type { ExternalOrderRow } from "./external-order-row"
import type { MirrorStore } from "./mirror-store"

export type Known = { readonly order: Order; readonly service: Service }

/** Maps an order for a plan to the external port. Throws `refused` for an upsell. */
export async function toExternalOrder(store: MirrorStore, { order, service }: Known): Promise<ExternalOrder> {
  const { email, country, address, affiliateId } = await store.buyer(order.id)
  const { id: orderId, kind, customerId, locale, gateway, accessScope, placedAt: at } = order
  if (kind === "upsell")
    throw new BillingError("refused", `Cannot place order ${orderId} for a plan: it is an upsell`)
  const { username, password, connections } = service
  return {
    orderId,
    kind,
    customerId,
    email,
    country,
    address,
    locale,
    gateway,
    affiliateId,
    accessScope,
    at,
    quote: { lines: order.lines, total: order.total },
    cycle: service.cycle ?? "monthly",
    credentials: { username, password },
    connections,
  }
}

/** Maps an order for extra connections to the external port. */
export async function toExternalUpsell(
  store: MirrorStore,
  { order, service }: Known,
): Promise<ExternalUpsell> {
  const { email } = await store.buyer(order.id)
  const { id: orderId, customerId, locale, gateway, accessScope, placedAt: at } = order
  const lines = order.lines.filter((line) => line.kind === "moreConnections")
  const quantity = lines.reduce((sum, line) => sum + line.quantity, 0)
  // A paid upsell is already part of the local number; the external system still has the number before it.
  const connections = order.status === "paid" ? service.connections - quantity : service.connections
  return {
    orderId,
    customerId,
    email,
    locale,
    gateway,
    accessScope,
    at,
    quantity,
    connections,
    quote: { lines: order.lines, total: order.total },
    serviceId: service.id,
  }
}

/** Maps an order for a change of plan to the external port. */
export function toExternalUpgrade({ order, service }: Known): ExternalUpgrade {
  const { id: orderId, customerId, gateway, total, placedAt: at } = order
  const line = planChangeLine(order.lines)
  const cycle = line && cycleOfMonths(line.months)
  if (!line || !cycle) throw new BillingError("unreadable", `Order ${orderId} names no plan and cycle`)
  return { orderId, customerId, serviceId: service.id, productId: line.productId, cycle, gateway, total, at }
}

/** External ids of an order that exists externally. */
export function toExternalOrderRef({ order, service }: Known, row: ExternalOrderRow): ExternalOrderRef {
  const { id: number, kind, customerId, serviceId } = order
  const names = { orderId: row.their_order_id, invoiceId: row.their_invoice_id, link: row.link }
  return { ...names, number, kind, customerId, serviceId, username: service.username }
}
