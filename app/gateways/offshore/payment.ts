import { z } from "zod"
import { type Currency, currencies, fromDecimal, type Money, money, toDecimal } from "~/domain/money"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payment"

/** The gateway's words and ours. A word that is not here is unreadable: guessing would be worse than asking. */
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

const Decimal = z.string().regex(/^\d{1,12}(\.\d{1,2}0*)?$/, "is not an amount of money")

/** Becomes part of an address, so it starts with a letter or digit and cannot be "..". */
const PaymentId = z.string().regex(/^\w[\w.:~-]{0,199}$/, "is not a payment's name")

/** What `POST /payments` answers. Dates are ours already, so `expires_at` is not read. */
export const OpenedOffshorePayment = z.object({
  id: PaymentId,
  url: z.url({ protocol: /^https?$/ }),
  status: z.enum(statuses),
})

type Wire = z.output<typeof WirePayment>
const WirePayment = z.object({
  id: PaymentId,
  status: z.enum(statuses),
  amount: Decimal,
  amount_paid: Decimal.nullish(),
  amount_refunded: Decimal.nullish(),
  currency: z.enum(currencies),
  reference: z.string().min(1).max(200),
  transaction_id: z.string().max(200).nullish(),
})

/** A payment as `GET /payments/{id}` and callbacks show it, turned into ours in one step. */
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
    /** The same state of the same payment has the same key, however often it is asked for. */
    stateKey: [wire.id, wire.status, ...amounts].join(":"),
  }
})

export type OffshorePayment = z.output<typeof OffshorePayment>

export function toPaymentUpdate(payment: OffshorePayment, eventKey: string): PaymentUpdate {
  const { attemptId, status, received, refunded, transactionId } = payment
  return { eventKey, attemptId, status, received, ...(refunded && { refunded }), transactionId }
}

function received(wire: Wire, currency: Currency): Money {
  if (wire.amount_paid) return fromDecimal(wire.amount_paid, currency)
  return statusOf[wire.status] === "paid" ? fromDecimal(wire.amount, currency) : money(0, currency)
}

/**
 * All that has been refunded so far. Null where nothing is named: with the status `refunded` `amount_paid` then says
 * what is left or, unchanged, that all of it went back.
 */
function refunded({ amount_refunded }: Wire, currency: Currency): Money | null {
  const amount = fromDecimal(amount_refunded ?? "0", currency)
  return amount.minor > 0 ? amount : null
}
