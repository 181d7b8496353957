import type { PaymentStatus } from "~/domain/payment"

type Meaning = {
  readonly status: PaymentStatus
  /** What has come for good: the price, at least the price, the part of it that was sent, or nothing to count on. */
  readonly brings: "price" | "price-or-more" | "part" | "nothing"
}

/**
 * The provider's words and ours (reference: cryptomus, section 4). Money held by its checks (`locked`) or on its way
 * back pays for nothing: a shop that first hears of a payment then must not deliver. After `wrong_amount` nothing more
 * is taken, and the shop keeps what has come.
 */
const meanings = {
  check: { status: "pending", brings: "nothing" },
  process: { status: "processing", brings: "nothing" },
  confirm_check: { status: "processing", brings: "nothing" },
  wrong_amount_waiting: { status: "partially-paid", brings: "part" },
  locked: { status: "processing", brings: "nothing" },
  paid: { status: "paid", brings: "price" },
  paid_over: { status: "paid", brings: "price-or-more" },
  wrong_amount: { status: "expired", brings: "part" },
  cancel: { status: "expired", brings: "nothing" },
  fail: { status: "failed", brings: "nothing" },
  system_fail: { status: "failed", brings: "nothing" },
  refund_process: { status: "processing", brings: "nothing" },
  refund_fail: { status: "processing", brings: "nothing" },
  refund_paid: { status: "refunded", brings: "nothing" },
} as const satisfies Record<string, Meaning>

export type InvoiceStatus = keyof typeof meanings
export const invoiceStatuses = Object.keys(meanings) as [InvoiceStatus, ...InvoiceStatus[]]

export function isInvoiceStatus(status: string): status is InvoiceStatus {
  return Object.hasOwn(meanings, status)
}

/**
 * Whether nothing needs to be on its way yet. `process` is said both of invoices that only have their coin and of
 * transfers in work: these have a name.
 */
export function awaitsMoney(status: InvoiceStatus, transfer: string | null | undefined): boolean {
  return status === "check" || status === "wrong_amount_waiting" || (status === "process" && !transfer)
}

/** An invoice counts as paid once that is final; what is said to be paid before that is on its way. */
export function meaningOf(status: InvoiceStatus, isFinal: boolean): Meaning {
  const meaning = meanings[status]
  return meaning.status === "paid" && !isFinal ? meanings.process : meaning
}
