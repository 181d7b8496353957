import { BillingError } from "~/billing/billing"
import type { ExternalOrder, ExternalOrderIds, ExternalOrders } from "~/billing/external/external-orders"
import { nullIfUnsupported, type RemoteCall } from "./api-client.server"
import type { RemoteCatalogue } from "./catalogue.server"
import { type MapText, toOrderRequest, toUpsellRequest } from "./order-request"
import { payLink } from "./payment-url"
import { calls } from "./remote-calls"
import type { ServiceLookup } from "./service-lookup.server"
import { encodeUpsellReference } from "./upsell-reference"

export type Placing = {
  readonly remoteCall: RemoteCall
  readonly catalogue: RemoteCatalogue
  readonly lines: ServiceLookup
  readonly mapText: MapText
}

/** Creates orders, and looks them up after a lost response. */
export function remoteOrderPlacement(
  placing: Placing,
): Pick<ExternalOrders, "placeOrder" | "findOrder" | "addInvoice" | "findInvoice"> {
  const { remoteCall, lines } = placing
  return {
    placeOrder: (order) => place(placing, order),

    async findOrder(order) {
      return (await byKey(remoteCall, order)) ?? (await byName(placing, order))
    },

    async addInvoice(upsell) {
      const { customerId, serviceId, quantity } = upsell
      const before = (await lines.read({ customerId, serviceId }))?.connections ?? null
      const result = await remoteCall(calls.addInvoice, toUpsellRequest(upsell), { customerId })
      const named = before === null ? null : encodeUpsellReference(before + quantity)
      return { ...namesOf(result), serviceId, orderId: result.orderid ?? named }
    },

    /** Null on an older server, which reports no invoices: the retry creates another, and the buyer pays that one. */
    findInvoice: (upsell) => byKey(remoteCall, upsell),
  }
}

async function place(
  { remoteCall, catalogue, lines, mapText }: Placing,
  order: ExternalOrder,
): Promise<ExternalOrderIds> {
  const { customerId, quote } = order
  const pid = quote.lines.find((line) => line.kind === "plan")?.productId ?? ""
  const [product, fields] = await Promise.all([catalogue.product(pid), catalogue.fields(pid)])
  const result = await remoteCall(calls.order, toOrderRequest(order, { product, fields }, mapText), {
    customerId,
  })
  if (result.fraud)
    throw new BillingError("refused", `Order ${result.orderid} is marked as fraud at the billing server`)
  const serviceId = result.serviceids ?? (await lines.ofOrder(customerId, result.orderid))?.serviceId
  if (!serviceId)
    throw new BillingError("unreadable", `Order ${result.orderid} has no service at the billing server`)
  return { ...namesOf(result), orderId: result.orderid, serviceId }
}

/** A newer server finds an order by its idempotency key. */
async function byKey(
  remoteCall: RemoteCall,
  { orderId: key, customerId }: { orderId: string; customerId: string },
) {
  const result = await nullIfUnsupported(
    remoteCall(calls.invoice, { key, clientid: customerId }, { customerId }),
  )
  if (!result?.serviceids) return null
  return { ...namesOf(result), orderId: result.orderid, serviceId: result.serviceids }
}

/**
 * On an older server an order is found by the username of its line, without its invoice. If something is owed, it could
 * not be paid: it is cancelled, and null lets the caller create another.
 */
async function byName(
  { remoteCall, lines }: Placing,
  order: ExternalOrder,
): Promise<ExternalOrderIds | null> {
  const { customerId, credentials, quote } = order
  const found = await lines.named(customerId, credentials.username)
  if (!found) return null
  const { orderId, serviceId, invoiceId } = found
  if (invoiceId !== null || quote.total.minor === 0) return { orderId, serviceId, invoiceId, link: null }
  if (orderId === null)
    throw new BillingError("unavailable", `Service ${serviceId} has no order at the billing server`)
  await remoteCall(calls.cancelOrder, { orderid: orderId, clientid: customerId }, { customerId })
  return null
}

function namesOf({ invoiceid, link }: { invoiceid: string | null; link: string }) {
  return { invoiceId: invoiceid, link: payLink(link) }
}
