import { type Currency, money, toDecimal } from "../money/money"
import type { Discount } from "./promotion"

/** Names of the kinds of discount in catalogue files, in the console and in the billing API (specification, Promotions). */
export const promotionTypes = {
  percentage: "Percentage",
  fixed: "Fixed Amount",
} as const satisfies Record<Discount["kind"], string>

export type DiscountFields = {
  readonly type: (typeof promotionTypes)[Discount["kind"]]
  /** Percent, or an amount, with two decimals. */
  readonly value: string
  /** Of a fixed amount. */
  readonly currency?: Currency
}

/** A discount as catalogue files, the console and the billing API write it. */
export function discountFields(discount: Discount): DiscountFields {
  const type = promotionTypes[discount.kind]
  if (discount.kind === "fixed")
    return { type, value: toDecimal(discount.amount), currency: discount.amount.currency }
  // Basis points have two decimals, like the minor units of EUR.
  return { type, value: toDecimal(money(discount.basisPoints, "EUR")) }
}
