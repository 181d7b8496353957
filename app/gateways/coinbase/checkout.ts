import { z } from "zod"
import { currencies, fromDecimal, type Money, money, toDecimal } from "~/domain/money"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payment"
import { refundedOf } from "./refunds"

/**
 * The provider's words and ours (reference: coinbase, section 2). A word that is not here is unreadable. Of a payment
 * that was refunded in part the rest is still there, so it is paid.
 */
const statusOf = {
  ACTIVE: "pending",
  PROCESSING: "processing",
  COMPLETED: "paid",
  DEACTIVATED: "expired",
  EXPIRED: "expired",
  FAILED: "failed",
  REFUNDED: "refunded",
  PARTIALLY_REFUNDED: "paid",
} as const satisfies Record<string, PaymentStatus>

type CheckoutStatus = keyof typeof statusOf
const statuses = Object.keys(statusOf) as [CheckoutStatus, ...CheckoutStatus[]]

/** What is asked, in a currency of ours: at most whole cents. */
export const Price = z.object({
  amount: z.string().regex(/^\d{1,12}(\.\d{1,2}0*)?$/, "is not an amount of money"),
  currency: z.enum(currencies),
})

/** Becomes part of an address, so it cannot be "..". */
export const CheckoutName = z.string().regex(/^\w[\w-]{0,99}$/, "is not a checkout's name")

/**
 * The price in money of ours stands in `fiat…` where `amount` is what it comes to in USDC. Only the price must be
 * exact: USDC has six decimals, and the provider's own samples differ in which other members there are.
 */
const WireCheckout = z.object({
  id: CheckoutName,
  url: z.url({ protocol: /^https?$/ }).nullish(),
  status: z.enum(statuses),
  amount: z.string(),
  currency: z.string(),
  fiatAmount: z.string().nullish(),
  fiatCurrency: z.string().nullish(),
  metadata: z.object({ attempt: z.string().min(1).max(100) }),
  transactionHash: z.string().max(200).nullish(),
  refunds: z.array(z.unknown()).max(1_000).nullish(),
})
type WireCheckout = z.output<typeof WireCheckout>

/** A checkout as every answer and callback shows it, turned into ours in one step. */
export const CoinbaseCheckout = WireCheckout.transform((wire, context) => {
  const price = Price.safeParse(
    wire.fiatCurrency ? { amount: wire.fiatAmount, currency: wire.fiatCurrency } : wire,
  )
  if (!price.success) {
    context.addIssue({
      code: "custom",
      message: `names no price of the shop: ${z.prettifyError(price.error)}`,
    })
    return z.NEVER
  }
  const status = statusOf[wire.status]
  const asked = fromDecimal(price.data.amount, price.data.currency)
  // A checkout takes its price at once or nothing.
  const received = isTaken[wire.status] ? asked : money(0, asked.currency)
  const refunded = refundedFor(wire, asked)
  if (!refunded) {
    context.addIssue({ code: "custom", message: "does not say how much of it was refunded" })
    return z.NEVER
  }
  return {
    paymentId: wire.id,
    url: wire.url ?? null,
    attemptId: wire.metadata.attempt,
    isDeactivated: wire.status === "DEACTIVATED",
    status,
    received,
    refunded,
    transactionId: wire.transactionHash ?? (received.minor > 0 ? wire.id : null),
    /** The same state of the same checkout has the same key, however it is learnt. */
    stateKey: [wire.id, wire.status, ...[received, ...named(refunded)].map(toDecimal)].join(":"),
  }
})

export type CoinbaseCheckout = z.output<typeof CoinbaseCheckout>

export function toPaymentUpdate({ stateKey, ...checkout }: CoinbaseCheckout): PaymentUpdate {
  const { attemptId, status, received, refunded, transactionId } = checkout
  const [back] = named(refunded)
  return { eventKey: stateKey, attemptId, status, received, ...(back && { refunded: back }), transactionId }
}

const isTaken: Readonly<Record<CheckoutStatus, boolean>> = {
  ACTIVE: false,
  PROCESSING: false,
  COMPLETED: true,
  DEACTIVATED: false,
  EXPIRED: false,
  FAILED: false,
  REFUNDED: true,
  PARTIALLY_REFUNDED: true,
}

/** All that has gone back so far. Null: there is no telling. */
function refundedFor(wire: WireCheckout, price: Money): Money | null {
  if (wire.status === "PARTIALLY_REFUNDED") return refundedOf(wire, price)
  return wire.status === "REFUNDED" ? price : money(0, price.currency)
}

/** Where nothing has gone back there is nothing to name. */
function named(refunded: Money): readonly Money[] {
  return refunded.minor > 0 ? [refunded] : []
}
