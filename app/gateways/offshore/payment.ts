import { z } from "zod"
import {
  type Currency as CurrencyCode,
  fromDecimal,
  type Money,
  money,
  toDecimal,
} from "~/domain/money/money"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payments/payment"
import { AttemptId, Currency, MoneyText, PageUrl } from "~/gateways/fields"

/** Maps the gateway's status to the shop's. An unknown status is unreadable; it is never guessed. */
const statusOf = {
  pending: "pending",
  paid: "paid",
  partially_paid: "partially-paid",
  overpaid: "paid",
  expired: "expired",
  failed: "failed",
  refunded: "refunded",
} as const satisfies Record<string, PaymentStatus>

type OffshoreStatus = keyof typeof statusOf
const statuses = Object.keys(statusOf) as [OffshoreStatus, ...OffshoreStatus[]]

/** Becomes part of a URL path, so it starts with a word character and cannot be "..". */
const PaymentId = z.string().regex(/^\w[\w.:~-]{0,199}$/, "must be a payment id")

/** Response of `POST /payments`. `expires_at` is not read: the shop sent it. */
export const OpenedOffshorePayment = z.object({
  id: PaymentId,
  url: PageUrl,
  status: z.enum(statuses),
})

type Wire = z.output<typeof WirePayment>
const WirePayment = z.object({
  id: PaymentId,
  status: z.enum(statuses),
  amount: MoneyText,
  amount_paid: MoneyText.nullish(),
  amount_refunded: MoneyText.nullish(),
  currency: Currency,
  reference: AttemptId,
  transaction_id: z.string().max(200).nullish(),
})

/** Parses a payment from `GET /payments/{id}` and from callbacks. */
export const OffshorePayment = WirePayment.transform((wire) => {
  const came = received(wire, wire.currency)
  const wentBack = refunded(wire, wire.currency)
  const amounts = [came, ...(wentBack ? [wentBack] : [])].map(toDecimal)
  return {
    paymentId: wire.id,
    attemptId: wire.reference,
    status: statusOf[wire.status],
    received: came,
    refunded: wentBack,
    transactionId: wire.transaction_id ?? null,
    /** Deterministic per payment state, so that repeated polls are detected as duplicates. */
    stateKey: [wire.id, wire.status, ...amounts].join(":"),
  }
})

export type OffshorePayment = z.output<typeof OffshorePayment>

export function toPaymentUpdate(payment: OffshorePayment, eventKey: string): PaymentUpdate {
  const { attemptId, status, received, refunded, transactionId } = payment
  return { eventKey, attemptId, status, received, ...(refunded && { refunded }), transactionId }
}

function received(wire: Wire, currency: CurrencyCode): Money {
  if (wire.amount_paid) return fromDecimal(wire.amount_paid, currency)
  return statusOf[wire.status] === "paid" ? fromDecimal(wire.amount, currency) : money(0, currency)
}

/**
 * Total refunded so far; null if `amount_refunded` is absent or zero. With the status `refunded`, `amount_paid` is then
 * the remaining amount or, if unchanged, everything was refunded.
 */
function refunded({ amount_refunded }: Wire, currency: CurrencyCode): Money | null {
  const amount = fromDecimal(amount_refunded ?? "0", currency)
  return amount.minor > 0 ? amount : null
}
