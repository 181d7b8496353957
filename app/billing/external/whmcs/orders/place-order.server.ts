import { BillingError, CustomerRejectedError, PromotionRefusedError } from "~/billing/billing"
import type { ExternalOrder, PlacedExternally } from "~/billing/external/external-orders"
import { promoCodeIn } from "~/domain/catalogue/pricing"
import type { Currency } from "~/domain/money/money"
import { changeFor, valueHeld } from "../catalogue/option-values"
import { isOncePerClient } from "../catalogue/promotions.server"
import { AnyResponse } from "../client/api.server"
import { encodedMap } from "../client/encoded-map"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { adjustInvoiceTotal, invoiceAt, taxesIn } from "../payments/invoices.server"
import { serviceAt } from "../services/services.server"
import { orderParams, planIdOf, type Quantity, quantitiesOf } from "./order-params"
import { AddOrderResponse } from "./order-schema"
import { clientsOrder } from "./orders.server"

/** AddOrder's error for a closed client. */
const CLOSED = /status is closed/i

export type Made = { readonly orderId: string; readonly invoiceId: string | null; readonly serviceId: string }

/**
 * Creates an order at the quoted price. Not idempotent: after an `unavailable` error the order may exist, so the caller
 * must call `findOrder` before it retries. Throws `BillingError` "refused" if WHMCS cannot fulfil the quote.
 */
export async function placeOrder(whmcs: Whmcs, order: ExternalOrder): Promise<PlacedExternally> {
  const product = await whmcs.products.ordered(planIdOf(order))
  if (order.kind !== "line") await assertClientCurrency(whmcs, order.customerId, order.quote.total.currency)
  const params = orderParams(order, product, whmcs.settings)
  const body = await nullOnError(CLOSED, whmcs.api.write("AddOrder", params, AddOrderResponse))
  if (body === null)
    throw new CustomerRejectedError(`Cannot place order: WHMCS client ${order.customerId} is closed`)
  const { orderid: orderId, invoiceid: invoiceId } = body
  const serviceId = body.serviceids[0] ?? body.productids[0]
  if (serviceId === undefined)
    throw new BillingError("unreadable", "Invalid WHMCS response to AddOrder: no service id")
  return completeOrder(whmcs, order, { orderId, invoiceId, serviceId })
}

/**
 * Brings a created order in line with its quote: checks the promo code, sets the quantities and adjusts the invoice
 * total. Idempotent. Throws `BillingError` "refused" after cancelling the WHMCS order if the quote cannot be met.
 */
export async function completeOrder(
  whmcs: Whmcs,
  order: ExternalOrder,
  made: Made,
): Promise<PlacedExternally> {
  const { customerId, quote } = order
  const code = promoCodeIn(quote.lines)
  if (code !== null) await checkPromoCodeApplied(whmcs, { customerId, code }, made)
  await setQuantities(whmcs, order, made)
  const { invoiceId, orderId } = made
  if (invoiceId !== null) {
    const invoice = await invoiceAt(whmcs, { invoiceId, customerId })
    const adjusted = await adjustInvoiceTotal(whmcs, invoice, { total: quote.total, mark: null })
    return { ...made, link: null, taxes: taxesIn(adjusted) }
  }
  if (order.kind !== "line" && quote.total.minor > 0) {
    await withdraw(whmcs, orderId)
    throw new BillingError("refused", "Cannot place order: WHMCS created no invoice for a non-zero total")
  }
  return { ...made, link: null }
}

/**
 * WHMCS invoices a client in the client's currency. Throws `CustomerRejectedError` if that is not the quote's or not
 * known: `adjustInvoiceTotal` would set the same number of another currency.
 */
export async function assertClientCurrency(
  whmcs: Whmcs,
  customerId: string,
  currency: Currency,
): Promise<void> {
  const code = await whmcs.currencies.currencyCodeOf(customerId)
  if (code === currency) return
  throw new CustomerRejectedError(
    `Cannot place order: WHMCS client ${customerId} pays in ${code ?? "an unknown currency"}, order is in ${currency}`,
  )
}

/**
 * Checks that WHMCS applied the promo code: AddOrder ignores an unusable one, such as a used-up one, or one that is not for this client,
 * without an error. Otherwise cancels the order and throws `PromotionRefusedError`.
 */
async function checkPromoCodeApplied(
  whmcs: Whmcs,
  { customerId, code }: { customerId: string; code: string },
  { orderId }: Made,
): Promise<void> {
  const order = await clientsOrder(whmcs, { orderId, customerId })
  if (order?.promocode !== "") return
  if (order.status === "pending") await withdraw(whmcs, orderId)
  const reason = (await isOncePerClient(whmcs, code)) ? "used-by-person" : "by-billing"
  throw new PromotionRefusedError(reason, code)
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
