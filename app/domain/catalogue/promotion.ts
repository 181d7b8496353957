import type { Day } from "../calendar"
import { type Money, min, share } from "../money/money"
import type { Cycle } from "./billing-cycle"

export type Promotion = {
  readonly code: string
  /** Products that it applies to. An empty list applies to nothing (specification, Promotions). */
  readonly productIds: readonly string[]
  readonly startsOn: Day | null
  /** Last day of validity. */
  readonly endsOn: Day | null
  readonly discount: Discount
  /** Remaining uses; null: unlimited. */
  readonly remainingUses: number | null
  /** Renewals that the discount covers too, after the purchase: a number, or all. Without a value none. */
  readonly renewals?: number | "all" | undefined
  /** Billing cycles that it applies to. Without a value all. */
  readonly cycles?: readonly Cycle[] | undefined
  /** Most orders of one customer. Without a value any number. */
  readonly usesPerPerson?: number | undefined
  /** An operator has switched it off. */
  readonly isOff?: boolean | undefined
}

/** A valid promotion without the remaining uses, which are not public. */
export type AppliedPromotion = Pick<Promotion, "code" | "productIds" | "discount">

/** A percentage in basis points (12.5 % is 1 250), or a fixed amount, which applies in its own currency only. */
export type Discount =
  | { readonly kind: "percentage"; readonly basisPoints: number }
  | { readonly kind: "fixed"; readonly amount: Money }

export const promotionRejections = [
  "unknown",
  "not-for-this-product",
  "not-started",
  "ended",
  "used-up",
  "used-by-person",
  "wrong-currency",
] as const
export type PromotionRejection = (typeof promotionRejections)[number]

export type PromotionCheck =
  | { readonly ok: true; readonly promotion: Promotion }
  | { readonly ok: false; readonly reason: PromotionRejection }

type Intended = {
  readonly productId: string
  /** Billing cycle of the product; absent: not known yet, and not checked. */
  readonly cycle?: Cycle | undefined
  readonly currency: string
  readonly today: Day
  /** Orders that the customer has placed with it; absent: nobody knows yet who orders. */
  readonly usesBefore?: number | undefined
}

/** Reasons against a promo code, in the order in which they are reported. */
const stands: readonly [PromotionRejection, (promotion: Promotion, order: Intended) => boolean][] = [
  ["not-for-this-product", ({ productIds }, { productId }) => productIds.includes(productId)],
  ["not-for-this-product", (promotion, { cycle }) => cycle === undefined || coversCycle(promotion, cycle)],
  ["ended", ({ isOff }) => !isOff],
  ["not-started", ({ startsOn }, { today }) => startsOn === null || today >= startsOn],
  ["ended", ({ endsOn }, { today }) => endsOn === null || today <= endsOn],
  ["used-up", ({ remainingUses }) => remainingUses === null || remainingUses > 0],
  ["used-by-person", (promotion, { usesBefore = 0 }) => !isUsedByPerson(promotion, usesBefore)],
  [
    "wrong-currency",
    ({ discount }, { currency }) => discount.kind !== "fixed" || discount.amount.currency === currency,
  ],
]

/**
 * Validates a promotion for a product on a day of the shop's calendar, the last day included (specification, Promotions). Null: an
 * unknown promo code.
 */
export function checkPromotion(promotion: Promotion | null, order: Intended): PromotionCheck {
  if (!promotion) return { ok: false, reason: "unknown" }
  const broken = stands.find(([, holds]) => !holds(promotion, order))
  return broken ? { ok: false, reason: broken[0] } : { ok: true, promotion }
}

export const promotionStates = ["on", "off", "planned", "ended", "used-up", "without-products"] as const
export type PromotionState = (typeof promotionStates)[number]

/** What a promotion is on a day of the shop's calendar, whichever products it applies to. */
export function promotionState(
  {
    productIds,
    startsOn,
    endsOn,
    remainingUses,
    isOff,
  }: Pick<Promotion, "productIds" | "startsOn" | "endsOn" | "remainingUses" | "isOff">,
  today: Day,
): PromotionState {
  if (isOff) return "off"
  if (endsOn !== null && today > endsOn) return "ended"
  if (remainingUses !== null && remainingUses <= 0) return "used-up"
  if (productIds.length === 0) return "without-products"
  return startsOn !== null && today < startsOn ? "planned" : "on"
}

/** Whether a promotion applies to a product that is sold in a billing cycle. */
export function coversCycle({ cycles }: Pick<Promotion, "cycles">, cycle: Cycle): boolean {
  return cycles === undefined || cycles.includes(cycle)
}

/** Whether a customer with so many orders of a promotion can have no other. */
export function isUsedByPerson({ usesPerPerson }: Pick<Promotion, "usesPerPerson">, uses: number): boolean {
  return usesPerPerson !== undefined && uses >= usesPerPerson
}

/** The amount of a discount, at most the amount itself. */
export function discountOn(amount: Money, discount: Discount): Money {
  const off = discount.kind === "percentage" ? share(amount, discount.basisPoints) : discount.amount
  return min(off, amount)
}
