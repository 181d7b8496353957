import { BillingError, OrderFlaggedError } from "~/billing/billing"
import type {
  ExternalOrder,
  ExternalOrderIds,
  ExternalOrders,
  PlacedExternally,
} from "~/billing/external/external-orders"
import { planIdIn } from "~/domain/catalogue/pricing"
import { type Currency, fromDecimal, toDecimal } from "~/domain/money/money"
import type { TaxAtRate } from "~/domain/orders/order-tax"
import { nullIfUnsupported, type RemoteCall } from "./api-client.server"
import type { RemoteCatalogue } from "./catalogue.server"
import { type MapText, toOrderRequest, toUpsellRequest } from "./order-request"
import { payLink } from "./payment-url"
import { calls, type TaxedResponse } from "./remote-calls"
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
    placeOrder: (order) => placeRemoteOrder(placing, order),

    async findOrder(order) {
      return (await byKey(remoteCall, order)) ?? (await byName(placing, order))
    },

    async addInvoice(upsell) {
      const { customerId, serviceId, quantity } = upsell
      // Without it nobody could tell on an older server whether the connections were paid.
      const service = await lines.read({ customerId, serviceId })
      if (!service) throw new BillingError("refused", `Service not found at the billing server: ${serviceId}`)
      const before = service.connections
      const result = await remoteCall(calls.addInvoice, toUpsellRequest(upsell), { customerId })
      await checkAgreed(placing, { order: upsell, result })
      const named = before === null ? null : encodeUpsellReference(before + quantity)
      return { ...placedAs(result, upsell), serviceId, orderId: result.orderid ?? named }
    },

    /** Null on an older server, which reports no invoices: the retry creates another, and the buyer pays that one. */
    findInvoice: (upsell) => byKey(remoteCall, upsell),
  }
}

async function placeRemoteOrder(
  { remoteCall, catalogue, lines, mapText }: Placing,
  order: ExternalOrder,
): Promise<PlacedExternally> {
  const { customerId, quote } = order
  const pid = planIdIn(quote.lines) ?? ""
  const [product, fields] = await Promise.all([catalogue.product(pid), catalogue.fields(pid)])
  const result = await remoteCall(calls.order, toOrderRequest(order, { product, fields }, mapText), {
    customerId,
  })
  if (result.fraud)
    throw new OrderFlaggedError(`Order ${result.orderid} is marked as fraud at the billing server`)
  await checkAgreed({ remoteCall }, { order, result })
  const serviceId = result.serviceids ?? (await lines.ofOrder(customerId, result.orderid))?.serviceId
  if (!serviceId)
    throw new BillingError("unreadable", `Order ${result.orderid} has no service at the billing server`)
  return { ...placedAs(result, order), orderId: result.orderid, serviceId }
}

type Answered = {
  readonly order: Ordered & { readonly customerId: string }
  readonly result: TaxedResponse & { readonly orderid: string | null }
}

/**
 * A server that names the total of what was ordered says whether it is what the buyer has agreed to. Another one would never be paid by
 * it: the order is cancelled there. Throws `refused`.
 */
async function checkAgreed(
  { remoteCall }: Pick<Placing, "remoteCall">,
  { order, result }: Answered,
): Promise<void> {
  const { total } = order.quote
  const { total: stated, currency = total.currency, orderid } = result
  if (
    currency === total.currency &&
    (stated === undefined || fromDecimal(stated, currency).minor === total.minor)
  )
    return
  const { customerId } = order
  if (orderid !== null) await remoteCall(calls.cancelOrder, { orderid, clientid: customerId }, { customerId })
  throw new BillingError(
    "refused",
    `Order ${orderid} costs ${stated} ${currency} at the billing server, and not ${toDecimal(total)} ${total.currency}`,
  )
}

/** A newer server finds an order by its idempotency key. */
async function byKey(
  remoteCall: RemoteCall,
  order: Ordered & { readonly orderId: string; readonly customerId: string },
): Promise<PlacedExternally | null> {
  const { orderId: key, customerId } = order
  const result = await nullIfUnsupported(
    remoteCall(calls.invoice, { key, clientid: customerId }, { customerId }),
  )
  if (!result?.serviceids) return null
  return { ...placedAs(result, order), orderId: result.orderid, serviceId: result.serviceids }
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

type Ordered = Pick<ExternalOrder, "quote">
type Placed = TaxedResponse & { readonly invoiceid: string | null; readonly link: string }

/** Invoice, payment URL, and the tax that the server states. */
function placedAs(
  result: Placed,
  { quote }: Ordered,
): Pick<PlacedExternally, "invoiceId" | "link" | "taxes"> {
  const { currency } = quote.total
  const isOther = result.currency !== undefined && result.currency !== currency
  return {
    invoiceId: result.invoiceid,
    link: payLink(result.link),
    taxes: isOther ? undefined : taxesIn(result, currency),
  }
}

function taxesIn(
  { tax, taxrate, tax2, taxrate2 }: TaxedResponse,
  currency: Currency,
): readonly TaxAtRate[] | undefined {
  if (tax === undefined && tax2 === undefined) return undefined
  const levels = [
    { amount: tax ?? "0", rate: taxrate },
    { amount: tax2 ?? "0", rate: taxrate2 },
  ]
  return levels
    .map(({ amount, rate }) => ({
      basisPoints: Math.round(Number(rate ?? 0) * 1_000) / 10 || null,
      amount: fromDecimal(amount, currency).minor,
    }))
    .filter(({ amount }) => amount > 0)
}
