import { z } from "zod"
import { currencies, fromDecimal, type Money, money, toDecimal } from "~/domain/money"
import type { PaymentNews, PaymentStatus } from "~/domain/payment"
import { keptAfterRefunds } from "./refunds"

/**
 * The provider's words and ours (reference: coinbase, section 2). A word that is not here is unreadable. Of a payment
 * that was refunded in part the rest is still there, so it is paid with less.
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

/**
 * The price in money of ours stands in `fiat…` where `amount` is what it comes to in USDC. Only the price must be
 * exact: USDC has six decimals, and the provider's own samples differ in which other members there are.
 */
const WireCheckout = z.object({
  id: z.string().regex(/^\w[\w-]{0,99}$/, "is not a checkout's name"),
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
  const received = receivedFor(wire, fromDecimal(price.data.amount, price.data.currency))
  if (!received) {
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
    transactionId: wire.transactionHash ?? (received.minor > 0 ? wire.id : null),
    /** The same state of the same checkout has the same key, however it is learnt. */
    stateKey: `${wire.id}:${wire.status}:${toDecimal(received)}`,
  }
})

export type CoinbaseCheckout = z.output<typeof CoinbaseCheckout>

export function newsOf({ stateKey, ...checkout }: CoinbaseCheckout): PaymentNews {
  const { attemptId, status, received, transactionId } = checkout
  return { eventKey: stateKey, attemptId, status, received, transactionId }
}

/**
 * A checkout takes its price at once or nothing, and what has been given back pays for nothing: a shop that first
 * hears of a payment when it is refunded must not deliver. Null: there is no telling.
 */
function receivedFor(wire: WireCheckout, price: Money): Money | null {
  if (wire.status === "PARTIALLY_REFUNDED") return keptAfterRefunds(wire, price)
  return wire.status === "COMPLETED" ? price : money(0, price.currency)
}
