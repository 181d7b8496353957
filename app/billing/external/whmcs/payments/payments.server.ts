import { BillingError } from "~/billing/billing"
import type { PaidExternalOrder, PaymentRecord } from "~/billing/external/external-services"
import type { Instant } from "~/domain/calendar"
import { money, toDecimal } from "~/domain/money"
import { AnyResponse } from "../client/api.server"
import type { Whmcs } from "../context.server"
import type { WhmcsInvoice } from "../orders/order-schema"
import { invoiceAt } from "./invoices.server"
import { transactionsOf } from "./transactions.server"

type Entry = Omit<PaymentRecord, "amount"> & { readonly minor: number }

/**
 * Records an order's payments on its invoice and closes it. Idempotent per transaction id. A remaining balance (local
 * account credit, payment tolerance, or marked as paid by an operator) is recorded with the transaction id
 * `NUMBER-settled`. Never records more than the balance: an overpayment is local account credit, and WHMCS would grant
 * it a second time. Throws `BillingError` "refused" for a refunded invoice or a payment in another currency.
 */
export async function settle(whmcs: Whmcs, paid: PaidExternalOrder): Promise<void> {
  const { invoiceId, customerId } = paid
  if (invoiceId === null) return
  const named = { invoiceId, customerId }
  const invoice = await reopened(whmcs, await invoiceAt(whmcs, named))
  let open = balanceOf(invoice)
  for (const payment of paid.payments) open -= await book(whmcs, paid, entryOf(paid, payment, open))
  const after = await invoiceAt(whmcs, named)
  if (after.status !== "paid") await closeRest(whmcs, paid, after)
}

/** Reopens a cancelled or draft invoice: WHMCS rejects payments on those, but a received payment must be recorded. */
async function reopened(whmcs: Whmcs, invoice: WhmcsInvoice): Promise<WhmcsInvoice> {
  const { invoiceid, status } = invoice
  if (status === "refunded") {
    throw new BillingError("refused", `Cannot settle WHMCS invoice ${invoiceid}: already refunded`)
  }
  if (status !== "cancelled" && status !== "draft") return invoice
  await whmcs.api.write("UpdateInvoice", { invoiceid, status: "Unpaid" }, AnyResponse)
  return { ...invoice, status: "unpaid" }
}

function entryOf({ total }: PaidExternalOrder, payment: PaymentRecord, open: number): Entry {
  const { amount, ...made } = payment
  if (amount.currency === total.currency) return { ...made, minor: Math.min(amount.minor, open) }
  throw new BillingError(
    "refused",
    `Cannot record payment: payment is in ${amount.currency}, order is in ${total.currency}`,
  )
}

/** Records a payment unless WHMCS has its transaction. Returns the recorded amount in minor units. */
async function book(whmcs: Whmcs, paid: PaidExternalOrder, entry: Entry): Promise<number> {
  const { transactionId: transid, gateway, minor, at } = entry
  if (minor <= 0 || (await isBooked(whmcs, paid, transid))) return 0
  const amount = toDecimal(money(minor, paid.total.currency))
  const date = whmcs.clock.stampOf(at)
  const noemail = !whmcs.settings.sendsMail
  const payment = { invoiceid: paid.invoiceId, transid, gateway, date, amount, noemail }
  await whmcs.api.write("AddInvoicePayment", payment, AnyResponse)
  return minor
}

/** AddInvoicePayment accepts a transaction id twice, so this checks first. */
async function isBooked(whmcs: Whmcs, paid: PaidExternalOrder, transid: string): Promise<boolean> {
  const known = await transactionsOf(whmcs, { transid })
  return known.some(
    (it) => it.transid === transid && (it.invoiceid === paid.invoiceId || it.userid === paid.customerId),
  )
}

async function closeRest(whmcs: Whmcs, paid: PaidExternalOrder, invoice: WhmcsInvoice): Promise<void> {
  const rest = { transactionId: `${paid.number}-settled`, gateway: paid.gateway, at: lastAt(paid) }
  const booked = await book(whmcs, paid, { ...rest, minor: balanceOf(invoice) })
  if (booked > 0) return
  await whmcs.api.write("UpdateInvoice", { invoiceid: invoice.invoiceid, status: "Paid" }, AnyResponse)
}

function lastAt({ payments, at }: PaidExternalOrder): Instant {
  return payments.at(-1)?.at ?? at
}

export function balanceOf({ balance, total }: WhmcsInvoice): number {
  return balance ?? total ?? 0
}
