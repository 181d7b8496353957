import { BillingError } from "~/billing/billing"
import type { PaidExternalOrder, PaymentRecord } from "~/billing/external/external-services"
import type { Instant } from "~/domain/calendar"
import { money, toDecimal } from "~/domain/money/money"
import { AnyResponse } from "../client/api.server"
import type { Whmcs } from "../context.server"
import type { WhmcsInvoice } from "./invoice-schema"
import { invoiceAt, invoiceIfAny } from "./invoices.server"
import { creditClient, recordedAs } from "./transactions.server"

type Invoiced = PaidExternalOrder & {
  readonly invoiceId: string
  readonly beforePayment: () => Promise<void>
}
type Entry = Omit<PaymentRecord, "amount"> & { readonly minor: number }

/**
 * Records an order's payments on its invoice and closes it. Idempotent per transaction id. A remaining balance (local
 * account credit, payment tolerance, or marked as paid by an operator) is recorded with the transaction id
 * `NUMBER-settled`. Never records more than the balance and the total: an overpayment is local account credit, and WHMCS would grant
 * it a second time. What covers the order here and is not needed there, because WHMCS has used the client's credit or staff have changed
 * or paid the invoice, or deleted it or merged it into another, becomes the client's credit as `NUMBER-credit`. Throws `BillingError` "refused" for a refunded invoice or a payment
 * in another currency.
 */
export async function settle(
  whmcs: Whmcs,
  order: PaidExternalOrder,
  beforePayment: () => Promise<void> = async () => {},
): Promise<void> {
  const { invoiceId, customerId } = order
  if (invoiceId === null) return
  const paid = { ...order, invoiceId, beforePayment }
  const named = { invoiceId, customerId }
  const found = await invoiceIfAny(whmcs, named)
  if (!found) return creditUnneeded(whmcs, paid, 0)
  const invoice = await reopened(whmcs, found)
  let open = balanceOf(invoice)
  let payments = 0
  for (const payment of paid.payments) {
    const room = Math.min(open, paid.total.minor - payments)
    const { added, held } = await book(whmcs, paid, entryOf(paid, payment, room))
    open -= added
    payments += held
  }
  const after = await invoiceAt(whmcs, named)
  if (after.status !== "paid") await closeRest(whmcs, paid, { invoice: after, payments })
  // The payments of a recreated line were settled when it was first created.
  if (!paid.isRecreation) await creditUnneeded(whmcs, paid, payments)
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

function entryOf({ total }: PaidExternalOrder, payment: PaymentRecord, room: number): Entry {
  const { amount, ...made } = payment
  if (amount.currency === total.currency) return { ...made, minor: Math.min(amount.minor, room) }
  throw new BillingError(
    "refused",
    `Cannot record payment: payment is in ${amount.currency}, order is in ${total.currency}`,
  )
}

/** In minor units: what the call has recorded, and what WHMCS has under the transaction id now. */
type Booked = { readonly added: number; readonly held: number }

/** Records a payment unless WHMCS has its transaction: AddInvoicePayment accepts a transaction id twice. */
async function book(whmcs: Whmcs, paid: Invoiced, entry: Entry): Promise<Booked> {
  const { transactionId: transid, gateway, minor, at } = entry
  const held = await recordedAs(whmcs, paid, transid)
  if (minor <= 0 || held !== null) return { added: 0, held: held ?? 0 }
  const amount = toDecimal(money(minor, paid.total.currency))
  const date = whmcs.clock.stampOf(at)
  const noemail = !whmcs.settings.sendsMail
  const payment = { invoiceid: paid.invoiceId, transid, gateway, date, amount, noemail }
  await paid.beforePayment()
  await whmcs.api.write("AddInvoicePayment", payment, AnyResponse)
  return { added: minor, held: minor }
}

/** What staff have added to the invoice, such as another one that they merged into it, stays to be paid. */
async function closeRest(
  whmcs: Whmcs,
  paid: Invoiced,
  { invoice, payments }: { invoice: WhmcsInvoice; payments: number },
): Promise<void> {
  const { invoiceId, total, number: orderId, gateway } = paid
  const balance = balanceOf(invoice)
  if (balance <= 0) {
    await whmcs.api.write("UpdateInvoice", { invoiceid: invoiceId, status: "Paid" }, AnyResponse)
    return
  }
  const rest = { transactionId: settledId(paid), gateway, at: lastAt(paid) }
  const { added } = await book(whmcs, paid, { ...rest, minor: Math.min(balance, total.minor - payments) })
  if (added >= balance) return
  const left = toDecimal(money(balance - added, total.currency))
  whmcs.settings.log.warn({ invoiceId, orderId, left }, "WHMCS invoice exceeds its order")
}

const settledId = ({ number }: PaidExternalOrder) => `${number}-settled`

/** `payments`: what WHMCS has of the order's payments, in minor units. */
async function creditUnneeded(whmcs: Whmcs, paid: Invoiced, payments: number): Promise<void> {
  const { customerId, invoiceId, number, gateway, covered } = paid
  if (payments >= covered.minor) return
  const settled = (await recordedAs(whmcs, paid, settledId(paid))) ?? 0
  const unneeded = covered.minor - payments - settled
  const transid = `${number}-credit`
  if (unneeded <= 0 || (await recordedAs(whmcs, paid, transid)) !== null) return
  const amount = money(unneeded, covered.currency)
  await creditClient(whmcs, { customerId, invoiceId, transid, gateway, amount })
  whmcs.settings.log.warn(
    { invoiceId, orderId: number, credit: toDecimal(amount) },
    "payment not needed by WHMCS invoice",
  )
}

function lastAt({ payments, at }: PaidExternalOrder): Instant {
  return payments.at(-1)?.at ?? at
}

export function balanceOf({ balance, total }: WhmcsInvoice): number {
  return balance ?? total ?? 0
}
