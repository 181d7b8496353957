import type { Day } from "./calendar"
import { least, type Money, share } from "./money"

export type Promotion = {
  readonly code: string
  /** Products the code is for. An empty list applies to nothing (design, section 7). */
  readonly productIds: readonly string[]
  readonly startsOn: Day | null
  /** The last day on which the code still holds. */
  readonly endsOn: Day | null
  readonly discount: Discount
  /** How often the code may still be used; null is without limit. */
  readonly remainingUses: number | null
}

/** What a page needs of a code that holds; how often it may still be used is nobody's business. */
export type AppliedPromotion = Pick<Promotion, "code" | "productIds" | "discount">

/** `hundredths`: hundredths of a percent, so 12.5 % is 1 250. A fixed amount counts only in its own currency. */
export type Discount =
  | { readonly kind: "percentage"; readonly basisPoints: number }
  | { readonly kind: "fixed"; readonly amount: Money }

export const promotionRefusals = [
  "unknown",
  "not-for-this-product",
  "not-started",
  "ended",
  "used-up",
  "wrong-currency",
] as const
export type PromotionRefusal = (typeof promotionRefusals)[number]

export type PromotionCheck =
  | { readonly ok: true; readonly promotion: Promotion }
  | { readonly ok: false; readonly reason: PromotionRefusal }

type Intended = { readonly productId: string; readonly currency: string; readonly today: Day }

/** Why a code may not hold, in the order in which a visitor is told. */
const stands: readonly [PromotionRefusal, (promotion: Promotion, order: Intended) => boolean][] = [
  ["not-for-this-product", ({ productIds }, { productId }) => productIds.includes(productId)],
  ["not-started", ({ startsOn }, { today }) => startsOn === null || today >= startsOn],
  ["ended", ({ endsOn }, { today }) => endsOn === null || today <= endsOn],
  ["used-up", ({ remainingUses }) => remainingUses === null || remainingUses > 0],
  [
    "wrong-currency",
    ({ discount }, { currency }) => discount.kind !== "fixed" || discount.amount.currency === currency,
  ],
]

/**
 * Whether a code holds for a product on a day of the shop's calendar, the last day included (spec, section 5).
 * Null stands for a code the books do not know.
 */
export function checkPromotion(promotion: Promotion | null, order: Intended): PromotionCheck {
  if (!promotion) return { ok: false, reason: "unknown" }
  const broken = stands.find(([, holds]) => !holds(promotion, order))
  return broken ? { ok: false, reason: broken[0] } : { ok: true, promotion }
}

/** What a discount takes off an amount: never more than the amount itself. */
export function discountOn(amount: Money, discount: Discount): Money {
  const off = discount.kind === "percentage" ? share(amount, discount.basisPoints) : discount.amount
  return least(off, amount)
}
