import { BillingError } from "~/billing/billing"
import type { ExternalOrder, ExternalOrderIds } from "~/billing/external/external-orders"
import type { Currency } from "~/domain/money"
import { changeFor, valueHeld } from "../catalogue/option-values"
import { AnyResponse } from "../client/api.server"
import { encodedMap } from "../client/encoded-map"
import type { Whmcs } from "../context.server"
import { adjustInvoiceTotal, invoiceAt } from "../payments/invoices.server"
import { serviceAt } from "../services/services.server"
import { orderParams, planIdOf, promoCodeOf, type Quantity, quantitiesOf } from "./order-params"
import { AddOrderResponse } from "./order-schema"
import { orderAt } from "./orders.server"

export type Made = { readonly orderId: string; readonly invoiceId: string | null; readonly serviceId: string }

/** Makes an order once, at the agreed price. After a failure it may be there: see `find-order`. */
export async function placeOrder(whmcs: Whmcs, order: ExternalOrder): Promise<ExternalOrderIds> {
  const product = await whmcs.products.ordered(planIdOf(order))
  if (order.kind !== "line") await assertClientCurrency(whmcs, order.customerId, order.quote.total.currency)
  const params = orderParams(order, product, whmcs.settings)
  const body = await whmcs.api.write("AddOrder", params, AddOrderResponse)
  const { orderid: orderId, invoiceid: invoiceId } = body
  const serviceId = body.serviceids[0] ?? body.productids[0]
  if (serviceId === undefined) throw new BillingError("unreadable", "WHMCS made an order without a service")
  return completeOrder(whmcs, order, { orderId, invoiceId, serviceId })
}

/**
 * What an order needs besides being there: the code has counted, the quantities are those ordered, and its invoice
 * comes to what was agreed. May be repeated. An order that cannot be had as agreed is cancelled there, and refused.
 */
export async function completeOrder(
  whmcs: Whmcs,
  order: ExternalOrder,
  made: Made,
): Promise<ExternalOrderIds> {
  const { customerId, quote } = order
  if (promoCodeOf(quote.lines) !== null) await mustHaveCode(whmcs, order, made)
  await setQuantities(whmcs, order, made)
  const { invoiceId, orderId } = made
  if (invoiceId !== null) {
    const invoice = await invoiceAt(whmcs, { invoiceId, customerId })
    await adjustInvoiceTotal(whmcs, invoice, { total: quote.total, mark: null })
  } else if (order.kind !== "line" && quote.total.minor > 0) {
    await withdraw(whmcs, orderId)
    throw new BillingError("refused", "WHMCS made no invoice for an order that costs something")
  }
  return { ...made, link: null }
}

/** The invoice of a client is in his own currency, whatever he was shown. */
export async function assertClientCurrency(
  whmcs: Whmcs,
  customerId: string,
  currency: Currency,
): Promise<void> {
  const remote = await whmcs.currencies.of(customerId)
  if (remote === null || remote === currency) return
  throw new BillingError("refused", `This client of WHMCS pays in ${remote}, and the order is in ${currency}`)
}

/** AddOrder leaves a code that may not be used out without a word: for this client, say, or because it is used up. */
async function mustHaveCode(whmcs: Whmcs, { customerId }: ExternalOrder, { orderId }: Made): Promise<void> {
  const order = await orderAt(whmcs, { orderId, customerId })
  if (order?.promocode !== "") return
  if (order.status === "pending") await withdraw(whmcs, orderId)
  throw new BillingError("refused", "WHMCS did not accept the code of an order")
}

async function withdraw({ api }: Whmcs, orderid: string): Promise<void> {
  await api.write("CancelOrder", { orderid, noemail: true }, AnyResponse)
}

async function setQuantities(whmcs: Whmcs, order: ExternalOrder, { serviceId }: Made): Promise<void> {
  const ordered = order.quote.lines.some((line) => "optionId" in line)
  if (!ordered) return
  const quantities = quantitiesOf(order, await whmcs.products.ordered(planIdOf(order)))
  if (quantities.length === 0) return
  const service = await serviceAt(whmcs, { customerId: order.customerId, serviceId })
  const isHeld = ({ option, value }: Quantity) => valueHeld(option, service?.configoptions ?? []) === value
  const wrong = quantities.filter((it) => !isHeld(it))
  if (wrong.length === 0) return
  const configoptions = encodedMap(
    new Map(wrong.map(({ option, value }) => [option.id, changeFor(option, value)])),
  )
  await whmcs.api.write(
    "UpdateClientProduct",
    { serviceid: serviceId, configoptions, autorecalc: true },
    AnyResponse,
  )
}
