import { z } from "zod"
import { type Instant, SECOND } from "~/domain/calendar"
import { fromDecimal, type Money, money, toDecimal } from "~/domain/money/money"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payments/payment"
import { AttemptId, Currency, MoneyText, PageUrl, resourceId } from "~/gateways/fields"

export const InvoiceName = resourceId("an invoice id")

/** An invoice in API responses (docs/gateways.md, BTCPay). */
const WireInvoice = z.object({
  id: InvoiceName,
  storeId: z.string(),
  /** A top-up invoice accepts any amount as full payment; the shop never creates one. */
  type: z.literal("Standard").nullish(),
  amount: MoneyText,
  /** Absent on older servers. */
  paidAmount: MoneyText.nullish(),
  currency: Currency,
  checkoutLink: PageUrl,
  expirationTime: z.int(),
  status: z.enum(["New", "Processing", "Expired", "Invalid", "Settled"]),
  additionalStatus: z.enum(["None", "PaidLate", "PaidPartial", "Marked", "Invalid", "PaidOver"]),
  metadata: z.object({
    attemptId: AttemptId,
    /** Id of the payment method the buyer chose on the shop's own page ("BTC-CHAIN"). */
    coin: z.string().max(100).nullish(),
  }),
})

export type BtcpayInvoice = {
  readonly paymentId: string
  readonly storeId: string
  readonly attemptId: string
  readonly url: string
  readonly method: string | null
  readonly amount: Money
  /** Amount seen so far, confirmed or not; null if the server does not report it. */
  readonly paid: Money | null
  readonly expiresAt: Instant
  readonly status: z.output<typeof WireInvoice>["status"]
  /** The status was set manually or by the API. */
  readonly isMarked: boolean
}

export const BtcpayInvoice = WireInvoice.transform(
  ({ metadata, ...wire }): BtcpayInvoice => ({
    paymentId: wire.id,
    storeId: wire.storeId,
    attemptId: metadata.attemptId,
    url: wire.checkoutLink,
    method: metadata.coin ?? null,
    amount: fromDecimal(wire.amount, wire.currency),
    paid: typeof wire.paidAmount === "string" ? fromDecimal(wire.paidAmount, wire.currency) : null,
    expiresAt: wire.expirationTime * SECOND,
    status: wire.status,
    isMarked: wire.additionalStatus === "Marked",
  }),
)

/** Amounts received for an invoice, in its currency: `seen` includes unconfirmed payments, `confirmed` does not. */
export type Sums = { readonly seen: Money; readonly confirmed: Money }

/**
 * Derives the amounts from the invoice alone. Null when its payments must be fetched, because `paid` also counts
 * payments that are still reversible.
 */
export function sumsByItself({ paid, amount, status }: BtcpayInvoice): Sums | null {
  if (!paid) return null
  const isPlain = paid.minor === 0 || (status === "Settled" && paid.minor <= amount.minor)
  return isPlain ? { seen: paid, confirmed: paid } : null
}

export function toPaymentUpdate(invoice: BtcpayInvoice, sums: Sums): PaymentUpdate {
  const received = receivedFor(invoice, sums)
  const status = statusOf[invoice.status](invoice, { ...sums, confirmed: received })
  const { paymentId, attemptId } = invoice
  return {
    // Deterministic per invoice state, so that repeated polls are detected as duplicates.
    eventKey: `${paymentId}:${invoice.status}:${status}:${toDecimal(received)}`,
    attemptId,
    status,
    received,
    transactionId: received.minor > 0 ? paymentId : null,
    ...(invoice.status === "Expired" && status === "partially-paid" && { ended: true }),
  }
}

/** An invoice that the operator settles manually counts as paid in full, whatever was received. */
function receivedFor({ status, amount }: BtcpayInvoice, { confirmed }: Sums): Money {
  return status === "Settled" && confirmed.minor < amount.minor ? amount : confirmed
}

/** Maps the BTCPay status to the shop's. */
const statusOf: Record<BtcpayInvoice["status"], (invoice: BtcpayInvoice, sums: Sums) => PaymentStatus> = {
  New: (_, { confirmed }) => (confirmed.minor > 0 ? "partially-paid" : "pending"),
  Processing: () => "processing",
  Settled: () => "paid",
  // Marked invalid and unpaid: the state after `closePayment`.
  Invalid: ({ isMarked }, { seen }) => (isMarked && seen.minor === 0 ? "expired" : "failed"),
  Expired: expiredStatus,
}

/** An invoice that is paid late stays `Expired`, so the received amount decides the status. */
function expiredStatus({ amount }: BtcpayInvoice, { seen, confirmed }: Sums): PaymentStatus {
  if (confirmed.minor >= amount.minor) return "paid"
  if (seen.minor > confirmed.minor) return "processing"
  return confirmed.minor > 0 ? "partially-paid" : "expired"
}

/** Whether the invoice was marked invalid before any payment was seen, so that it accepts no more money. */
export function isClosed({ status, isMarked }: BtcpayInvoice, { seen }: Sums): boolean {
  return status === "Invalid" && isMarked && seen.minor === 0
}

/** Whether nothing was paid, and no coin was chosen in the checkout: an address is made once the buyer chooses one at the provider. */
export function hasNoAddress({ status, paid, method }: BtcpayInvoice): boolean {
  return status === "New" && method === null && paid?.minor === 0
}

/** Limits the confirmed sum of the payments to the amount that the invoice reports as paid. */
export function sumsOf(invoice: BtcpayInvoice, payments: Sums): Sums {
  const { paid } = invoice
  const seen = paid ?? payments.seen
  const { minor } = payments.confirmed
  return { seen, confirmed: money(Math.min(minor, seen.minor), seen.currency) }
}
