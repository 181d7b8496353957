import { z } from "zod"
import { ceilToCents, partOfUp } from "~/domain/money/decimal"
import { type Money, money } from "~/domain/money/money"
import { exactDecimal } from "~/gateways/fields"

/** No coin has more decimal places. */
const CoinAmount = exactDecimal({ whole: 12, places: 18 })

/**
 * A refund of a checkout: in the currency it was requested in, and optionally in the price's currency (`fiat…`). The
 * checkout's `refundedAmount` is not used, because its currency is not documented.
 */
const Refund = z.object({
  status: z.enum(["PENDING", "COMPLETED", "FAILED"]),
  amount: CoinAmount,
  currency: z.string(),
  fiatAmount: CoinAmount.nullish(),
  fiatCurrency: z.string().nullish(),
})
type Refund = z.output<typeof Refund>

type Refunded = { readonly amount: string; readonly currency: string; readonly refunds?: unknown }

/** Total refunded, in the price's currency, at most the price; null when it cannot be determined exactly. */
export function refundedOf(checkout: Refunded, price: Money): Money | null {
  const refunds = z.array(Refund).safeParse(checkout.refunds)
  if (!refunds.success) return null
  const done = refunds.data.filter(({ status }) => status === "COMPLETED")
  const cents = done.map((refund) => centsOf(refund, checkout, price))
  if (cents.length === 0 || cents.includes(null)) return null
  const gone = cents.reduce<number>((sum, it) => sum + (it ?? 0), 0)
  return money(Math.min(price.minor, gone), price.currency)
}

function centsOf(refund: Refund, checkout: Refunded, { minor, currency }: Money): number | null {
  if (refund.currency === currency) return ceilToCents(refund.amount)
  if (refund.fiatCurrency === currency && refund.fiatAmount != null) return ceilToCents(refund.fiatAmount)
  // Refunded in coins: convert at the ratio of the price to the coins that were paid, rounded up.
  const paid = CoinAmount.safeParse(checkout.amount)
  if (refund.currency !== checkout.currency || !paid.success || paid.data === 0n) return null
  return partOfUp(minor, refund.amount, paid.data)
}
