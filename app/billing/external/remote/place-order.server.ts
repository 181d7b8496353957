import { BillingError } from "~/billing/billing"
import type { ExternalOrder, ExternalOrderIds, ExternalOrders } from "~/billing/external/external-orders"
import { nullIfUnsupported, type RemoteCall } from "./api-client.server"
import type { RemoteCatalogue } from "./catalogue.server"
import { calls } from "./endpoints"
import { type MapText, orderSaid, upsellSaid } from "./order-request"
import { payLink } from "./payment-url"
import type { ServiceLookup } from "./service-lookup.server"
import { encodeUpsellReference } from "./upsell-reference"

export type Placing = {
  readonly ask: RemoteCall
  readonly shelf: RemoteCatalogue
  readonly lines: ServiceLookup
  readonly mapText: MapText
}

/** Orders that are written down there, and found again after an answer that was lost. */
export function remoteOrderPlacement(
  placing: Placing,
): Pick<ExternalOrders, "placeOrder" | "findOrder" | "addInvoice" | "findInvoice"> {
  const { ask, lines } = placing
  return {
    placeOrder: (order) => place(placing, order),

    async findOrder(order) {
      return (await byKey(ask, order)) ?? (await byName(placing, order))
    },

    async addInvoice(upsell) {
      const { customerId, serviceId, quantity } = upsell
      const before = (await lines.read({ customerId, serviceId }))?.connections ?? null
      const told = await ask(calls.addInvoice, upsellSaid(upsell), { customerId })
      const named = before === null ? null : encodeUpsellReference(before + quantity)
      return { ...namesOf(told), serviceId, orderId: told.orderid ?? named }
    },

    /** An older server tells of no invoice: one more is made, and whoever pays pays that one. */
    findInvoice: (upsell) => byKey(ask, upsell),
  }
}

async function place(
  { ask, shelf, lines, mapText }: Placing,
  order: ExternalOrder,
): Promise<ExternalOrderIds> {
  const { customerId, quote } = order
  const pid = quote.lines.find((line) => line.kind === "plan")?.productId ?? ""
  const [goods, fields] = await Promise.all([shelf.goods(pid), shelf.fields(pid)])
  const told = await ask(calls.order, orderSaid(order, { goods, fields }, mapText), { customerId })
  if (told.fraud) throw new BillingError("refused", `Order ${told.orderid} is held as suspicious there`)
  const serviceId = told.serviceids ?? (await lines.ofOrder(customerId, told.orderid))?.serviceId
  if (!serviceId) throw new BillingError("unreadable", `Order ${told.orderid} has no service there`)
  return { ...namesOf(told), orderId: told.orderid, serviceId }
}

/** A newer server knows an order by the key it was sent with. */
async function byKey(ask: RemoteCall, { orderId: key, customerId }: { orderId: string; customerId: string }) {
  const told = await nullIfUnsupported(ask(calls.invoice, { key, clientid: customerId }, { customerId }))
  if (!told?.serviceids) return null
  return { ...namesOf(told), orderId: told.orderid, serviceId: told.serviceids }
}

/**
 * On an older server an order is known by its line's name, and nobody tells its invoice. Where something is owed it
 * cannot be paid then: it is cancelled, and another is made in its place.
 */
async function byName({ ask, lines }: Placing, order: ExternalOrder): Promise<ExternalOrderIds | null> {
  const { customerId, credentials, quote } = order
  const found = await lines.named(customerId, credentials.username)
  if (!found) return null
  const { orderId, serviceId, invoiceId } = found
  if (invoiceId !== null || quote.total.minor === 0) return { orderId, serviceId, invoiceId, link: null }
  if (orderId === null) throw new BillingError("unavailable", `Service ${serviceId} is of no order there`)
  await ask(calls.cancelOrder, { orderid: orderId, clientid: customerId }, { customerId })
  return null
}

function namesOf({ invoiceid, link }: { invoiceid: string | null; link: string }) {
  return { invoiceId: invoiceid, link: payLink(link) }
}
