import { z } from "zod"
import { currencies, fromDecimal, type Money, money, toDecimal } from "~/domain/money"
import type { PaymentNews, PaymentStatus } from "~/domain/payment"

/** The provider's words and ours (reference: coinbase, section 2). A word that is not here is unreadable. */
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

const Decimal = z.string().regex(/^\d{1,12}(\.\d{1,2}0*)?$/, "is not an amount of money")
const Currency = z.enum(currencies)

/** A checkout priced in money of ours carries that price in `fiat…`, and what it comes to in USDC elsewhere. */
const WireCheckout = z
  .object({
    id: z.string().regex(/^\w[\w-]{0,99}$/, "is not a checkout's name"),
    url: z.url({ protocol: /^https?$/ }),
    status: z.enum(statuses),
    amount: Decimal,
    currency: z.string(),
    fiatAmount: Decimal.nullish(),
    fiatCurrency: Currency.nullish(),
    metadata: z.object({ attempt: z.string().min(1).max(100) }),
    transactionHash: z.string().max(200).nullish(),
  })
  .refine(({ fiatCurrency, currency }) => fiatCurrency || Currency.safeParse(currency).success, {
    message: "names no price in a currency of the shop",
  })

/** A checkout as every answer and callback shows it, turned into ours in one step. */
export const CoinbaseCheckout = WireCheckout.transform((wire) => {
  const status = statusOf[wire.status]
  const price = priceOf(wire)
  const received = status === "paid" || status === "refunded" ? price : money(0, price.currency)
  return {
    paymentId: wire.id,
    url: wire.url,
    attemptId: wire.metadata.attempt,
    deactivated: wire.status === "DEACTIVATED",
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

function priceOf({ amount, currency, fiatAmount, fiatCurrency }: z.output<typeof WireCheckout>): Money {
  if (fiatAmount && fiatCurrency) return fromDecimal(fiatAmount, fiatCurrency)
  return fromDecimal(amount, Currency.parse(currency))
}
