import { z } from "zod"
import { type Instant, SECOND } from "~/domain/calendar"
import { currencies, fromDecimal, type Money, money, toDecimal } from "~/domain/money"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payment"

const Decimal = z.string().regex(/^\d{1,12}(\.\d{1,2}0*)?$/, "is not an amount of money")

/** Becomes part of an address, so it starts with a letter or digit and cannot be "..". */
export const InvoiceName = z.string().regex(/^\w[\w-]{0,99}$/, "is not an invoice's name")

/** An invoice as the provider shows it (reference: hosted gateways, section 8). */
const WireInvoice = z.object({
  id: InvoiceName,
  storeId: z.string(),
  /** A top-up invoice takes any sum for full payment: none of ours is one. */
  type: z.literal("Standard").nullish(),
  amount: Decimal,
  /** Older servers do not say it. */
  paidAmount: Decimal.nullish(),
  currency: z.enum(currencies),
  checkoutLink: z.url({ protocol: /^https?$/ }),
  expirationTime: z.int(),
  status: z.enum(["New", "Processing", "Expired", "Invalid", "Settled"]),
  additionalStatus: z.enum(["None", "PaidLate", "PaidPartial", "Marked", "Invalid", "PaidOver"]),
  metadata: z.object({
    attemptId: z.string().min(1).max(200),
    /** The payment method the buyer chose on our own page, by the provider's name ("BTC-CHAIN"). */
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
  /** All that has been seen, confirmed or not; null where the provider does not say. */
  readonly paid: Money | null
  readonly expiresAt: Instant
  readonly status: z.output<typeof WireInvoice>["status"]
  /** Somebody has set the status by hand or by the API. */
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

/** What has come for an invoice, in its own currency: all of it, and the part that will stay. */
export type Sums = { readonly seen: Money; readonly confirmed: Money }

/**
 * The sums where the invoice alone tells them; null where its payments must be looked at one by one, because the
 * sum it names counts those too that may still be taken back.
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
    // The same state of the same invoice has the same key, however often it is asked for.
    eventKey: `${paymentId}:${invoice.status}:${status}:${toDecimal(received)}`,
    ...{ attemptId, status, received, transactionId: received.minor > 0 ? paymentId : null },
    ...(invoice.status === "Expired" && status === "partially-paid" && { ended: true }),
  }
}

/** Whoever settles an invoice by hand takes it for paid in full, whatever has come. */
function receivedFor({ status, amount }: BtcpayInvoice, { confirmed }: Sums): Money {
  return status === "Settled" && confirmed.minor < amount.minor ? amount : confirmed
}

/** The provider's words and ours. */
const statusOf: Record<BtcpayInvoice["status"], (invoice: BtcpayInvoice, sums: Sums) => PaymentStatus> = {
  New: (_, { confirmed }) => (confirmed.minor > 0 ? "partially-paid" : "pending"),
  Processing: () => "processing",
  Settled: () => "paid",
  // Marked and nothing paid: so it is when we have closed it.
  Invalid: ({ isMarked }, { seen }) => (isMarked && seen.minor === 0 ? "expired" : "failed"),
  Expired: expiredStatus,
}

/** An invoice that is paid late stays `Expired` for ever; what has come after all decides. */
function expiredStatus({ amount }: BtcpayInvoice, { seen, confirmed }: Sums): PaymentStatus {
  if (confirmed.minor >= amount.minor) return "paid"
  if (seen.minor > confirmed.minor) return "processing"
  return confirmed.minor > 0 ? "partially-paid" : "expired"
}

/** An invoice that takes no money any more because somebody said so before anything came. */
export function isClosed({ status, isMarked }: BtcpayInvoice, { seen }: Sums): boolean {
  return status === "Invalid" && isMarked && seen.minor === 0
}

/** The smaller of what the payments come to and what the provider says has come at all. */
export function sumsOf(invoice: BtcpayInvoice, payments: Sums): Sums {
  const { paid } = invoice
  const seen = paid ?? payments.seen
  const { minor } = payments.confirmed
  return { seen, confirmed: money(Math.min(minor, seen.minor), seen.currency) }
}
