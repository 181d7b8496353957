import { z } from "zod"
import { fromDecimal, type Money, money, toDecimal } from "~/domain/money/money"
import { coinReferences } from "~/domain/payments/coin-reference"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payments/payment"
import { Currency, MoneyText, PageUrl, resourceId } from "~/gateways/fields"
import { refundedOf } from "./refunds"

/**
 * Maps the checkout status to the shop's (docs/gateways.md, Coinbase). An unknown status is unreadable. A partially
 * refunded payment counts as paid.
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

/** A price in a currency of the shop, with at most two decimal places. */
const Price = z.object({
  amount: MoneyText,
  currency: Currency,
})

export const CheckoutName = resourceId("a checkout id")

/**
 * `fiatAmount` holds the price where `amount` is its value in USDC. Only the price must be exact: USDC has six
 * decimals, and the provider's samples differ in their other members.
 */
const WireCheckout = z.object({
  id: CheckoutName,
  url: PageUrl.nullish(),
  status: z.enum(statuses),
  amount: z.string(),
  currency: z.string(),
  fiatAmount: z.string().nullish(),
  fiatCurrency: z.string().nullish(),
  metadata: z.object({ attempt: z.string().min(1).max(100) }),
  transactionHash: z.string().max(200).nullish(),
  address: z.string().max(200).nullish(),
  refunds: z.array(z.unknown()).max(1_000).nullish(),
})
type WireCheckout = z.output<typeof WireCheckout>

/** Parses a checkout from API responses and callbacks. */
export const CoinbaseCheckout = WireCheckout.transform((wire, context) => {
  const price = Price.safeParse(
    wire.fiatCurrency ? { amount: wire.fiatAmount, currency: wire.fiatCurrency } : wire,
  )
  if (!price.success) {
    context.addIssue({
      code: "custom",
      message: `has no price in a currency of the shop: ${z.prettifyError(price.error)}`,
    })
    return z.NEVER
  }
  const status = statusOf[wire.status]
  const requested = fromDecimal(price.data.amount, price.data.currency)
  // A checkout is paid in full or not at all.
  const received = isTaken[wire.status] ? requested : money(0, requested.currency)
  const refunded = refundedFor(wire, requested)
  if (!refunded) {
    context.addIssue({ code: "custom", message: "has no readable refunded amount" })
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
    coinReferences: coinReferences([wire.address], [wire.transactionHash]),
    /** Deterministic per checkout state: a callback and a poll of the same state are duplicates. */
    stateKey: [wire.id, wire.status, ...[received, ...named(refunded)].map(toDecimal)].join(":"),
  }
})

export type CoinbaseCheckout = z.output<typeof CoinbaseCheckout>

export function toPaymentUpdate({ stateKey, ...checkout }: CoinbaseCheckout): PaymentUpdate {
  const { attemptId, status, received, refunded, transactionId, coinReferences: references } = checkout
  const [back] = named(refunded)
  const sums = { received, ...(back && { refunded: back }) }
  return { eventKey: stateKey, attemptId, status, ...sums, transactionId, coinReferences: references }
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

/** Total refunded so far; null when it cannot be determined. */
function refundedFor(wire: WireCheckout, price: Money): Money | null {
  if (wire.status === "PARTIALLY_REFUNDED") return refundedOf(wire, price)
  return wire.status === "REFUNDED" ? price : money(0, price.currency)
}

/** The refunded amount as a list, empty when it is zero. */
function named(refunded: Money): readonly Money[] {
  return refunded.minor > 0 ? [refunded] : []
}
