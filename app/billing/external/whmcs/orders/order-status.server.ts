import { BillingError } from "~/billing/billing"
import type {
  ExternalClosing,
  ExternalOrderRef,
  ExternalOrderStatus,
} from "~/billing/external/external-orders"
import { type Money, money } from "~/domain/money/money"
import { AnyResponse } from "../client/api.server"
import type { Whmcs } from "../context.server"
import type { WhmcsInvoice } from "../payments/invoice-schema"
import { invoiceIfAny } from "../payments/invoices.server"
import { transactionsOf } from "../payments/transactions.server"
import type { WhmcsOrder } from "./order-schema"
import { ownOrderIfAny } from "./own-order.server"

/**
 * Cancels an order and its invoice, or only the invoice if there is no order. Idempotent. `unknown`: staff have deleted the order, or
 * WHMCS was restored from a backup of before. Throws `BillingError` "refused" if the order has been paid in WHMCS or accepted by staff,
 * or its invoice is gone: the order may be paid by another one.
 */
export async function cancelOrder(whmcs: Whmcs, owned: ExternalOrderRef): Promise<ExternalClosing> {
  if (owned.orderId === null) return cancelInvoice(whmcs, owned)
  const order = await ownOrderIfAny(whmcs, owned)
  if (order === null) return "unknown"
  const { id: orderid, status, paymentstatus } = order
  if (status === "cancelled" || status === "fraud") return "closed"
  const invoice = await ownInvoice(whmcs, owned)
  if (status !== "pending" || (paymentstatus === "paid" && hasMoney(invoice))) {
    throw new BillingError("refused", `Cannot cancel WHMCS order ${orderid}: paid or accepted`)
  }
  if (isGone(owned, invoice)) {
    throw new BillingError(
      "refused",
      `Cannot cancel WHMCS order ${orderid}: its invoice was merged or deleted`,
    )
  }
  await whmcs.api.write("CancelOrder", { orderid, noemail: true }, AnyResponse)
  return "closed"
}

/** WHMCS marks an order with a zero total as paid on creation. */
function hasMoney(invoice: WhmcsInvoice | null): boolean {
  return invoice !== null && (invoice.total ?? 0) + (invoice.credit ?? 0) > 0
}

/** Marks an order as fraud, or cancels the invoice if there is no order. Otherwise as `cancelOrder`; "refused" if it is accepted. */
export async function fraudOrder(whmcs: Whmcs, owned: ExternalOrderRef): Promise<ExternalClosing> {
  if (owned.orderId === null) return cancelInvoice(whmcs, owned)
  const order = await ownOrderIfAny(whmcs, owned)
  if (order === null) return "unknown"
  const { id: orderid, status } = order
  if (status === "fraud") return "closed"
  if (status === "active") {
    throw new BillingError("refused", `Cannot mark WHMCS order ${orderid} as fraud: already accepted`)
  }
  await whmcs.api.write("FraudOrder", { orderid }, AnyResponse)
  return "closed"
}

/**
 * An order's state and received amount. Fraud takes precedence, then a paid invoice, then a cancelled order or invoice. An invoice that is
 * gone takes no payment any more, like a cancelled one, unless the order works already. An order that is gone is unknown, whatever its
 * invoice says: nobody can accept it. Throws `BillingError` "refused" if order or invoice are another client's.
 */
export async function orderStatusOf(whmcs: Whmcs, owned: ExternalOrderRef): Promise<ExternalOrderStatus> {
  const order = await ownOrderIfAny(whmcs, owned)
  if (order === null && owned.orderId !== null) return { state: "unknown", received: null }
  const invoice = await ownInvoice(whmcs, owned)
  const received = invoice && (await receivedFor(whmcs, owned))
  return { state: stateOf(order, invoice) ?? (isGone(owned, invoice) ? "cancelled" : "open"), received }
}

function isGone({ invoiceId }: ExternalOrderRef, invoice: WhmcsInvoice | null): boolean {
  return invoiceId !== null && invoice === null
}

/** Null: nothing has been decided. An order without an invoice costs nothing: it counts as paid once staff accept it. */
function stateOf(
  order: WhmcsOrder | null,
  invoice: WhmcsInvoice | null,
): Exclude<ExternalOrderStatus["state"], "open"> | null {
  if (order?.status === "fraud") return "fraud"
  if (invoice?.status === "paid") return "paid"
  if (order?.status === "cancelled") return "cancelled"
  if (invoice?.status === "cancelled" || invoice?.status === "refunded") return "cancelled"
  return invoice === null && order?.status === "active" ? "paid" : null
}

async function receivedFor(whmcs: Whmcs, { invoiceId, customerId }: ExternalOrderRef): Promise<Money | null> {
  const currency = await whmcs.currencies.of(customerId)
  if (currency === null || invoiceId === null) return null
  const moved = await transactionsOf(whmcs, { invoiceid: invoiceId })
  return money(
    moved.reduce((sum, { amountin, amountout }) => sum + (amountin ?? 0) - (amountout ?? 0), 0),
    currency,
  )
}

async function cancelInvoice(whmcs: Whmcs, owned: ExternalOrderRef): Promise<ExternalClosing> {
  const invoice = await ownInvoice(whmcs, owned)
  if (invoice?.status === "unpaid" || invoice?.status === "draft") {
    const { invoiceid } = invoice
    await whmcs.api.write("UpdateInvoice", { invoiceid, status: "Cancelled" }, AnyResponse)
  }
  return "closed"
}

async function ownInvoice(
  whmcs: Whmcs,
  { invoiceId, customerId }: ExternalOrderRef,
): Promise<WhmcsInvoice | null> {
  return invoiceId === null ? null : invoiceIfAny(whmcs, { invoiceId, customerId })
}
