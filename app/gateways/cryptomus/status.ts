import type { PaymentStatus } from "~/domain/payments/payment"

type Meaning = {
  readonly status: PaymentStatus
  /** The final received amount: the price, at least the price, the part that was sent, or nothing. */
  readonly brings: "price" | "price-or-more" | "part" | "nothing"
}

/**
 * Maps the provider's status to the shop's (docs/gateways.md, Cryptomus). Money that is held by AML checks
 * (`locked`) or being refunded counts as nothing: an order whose first report has such a status must not be delivered.
 * After `wrong_amount` the invoice accepts no more money, and the merchant keeps the received part.
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

/** Whether the invoice waits for a transfer. */
export function awaitsMoney(status: InvoiceStatus, transfer: string | null | undefined): boolean {
  return status === "check" || status === "wrong_amount_waiting" || isCoinChoice(status, transfer)
}

/**
 * Whether the buyer has chosen a coin and no more. `process` covers such invoices and transfers in progress; the latter have a
 * transaction id.
 */
export function isCoinChoice(status: InvoiceStatus, transfer: string | null | undefined): boolean {
  return status === "process" && !transfer
}

/** Looks up a status. `paid` counts only when final; until then the payment is processing. */
export function meaningOf(status: InvoiceStatus, isFinal: boolean): Meaning {
  const meaning = meanings[status]
  return meaning.status === "paid" && !isFinal ? meanings.process : meaning
}
