import { z } from "zod"
import { type Money, money } from "~/domain/money"
import { ceilToCents, ExactDecimal } from "~/gateways/exact-decimal"

/**
 * A refund as checkouts list it: in the currency it was ordered in, and where that is not the price's, perhaps in that
 * too. `refundedAmount` beside the list is not read: nobody says in which of the two currencies it is.
 */
const Refund = z.object({
  status: z.enum(["PENDING", "COMPLETED", "FAILED"]),
  amount: ExactDecimal,
  currency: z.string(),
  fiatAmount: ExactDecimal.nullish(),
  fiatCurrency: z.string().nullish(),
})
type Refund = z.output<typeof Refund>

type Refunded = { readonly amount: string; readonly currency: string; readonly refunds?: unknown }

/** How much of a price has been refunded, in whole cents; null when that cannot be told exactly. */
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
  // In coins: the same share of the price as it is of the coins that were paid.
  const paid = ExactDecimal.safeParse(checkout.amount)
  if (refund.currency !== checkout.currency || !paid.success || paid.data === 0n) return null
  return Number((BigInt(minor) * refund.amount + paid.data - 1n) / paid.data)
}
