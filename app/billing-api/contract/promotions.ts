import { z } from "zod"
import { currencies, toDecimal } from "~/domain/money"
import type { Promotion } from "~/domain/promotion"

const PromotionResponse = z.object({
  code: z.string(),
  type: z.enum(["Percentage", "Fixed Amount"]),
  value: z.string().regex(/^\d+\.\d\d$/),
  currency: z.enum(currencies).optional().describe("Currency of a fixed amount"),
  appliesto: z.string().describe("Comma-separated product ids"),
  startdate: z.string(),
  expirationdate: z.string().describe("Last valid day; 0000-00-00: no end"),
  maxuses: z.number().int().describe("0: unlimited"),
  uses: z.number().int(),
  usesreturn: z.literal(true).describe("A cancelled or expired order releases its redemption"),
})

/** A promo code is valid if the response has exactly one promotion (specification, Promotions). */
export const Promotions = z.object({
  result: z.literal("success"),
  message: z.string(),
  totalresults: z.number().int(),
  promotions: z.object({ promotion: z.array(PromotionResponse) }),
})

const NO_DAY = "0000-00-00"

/** `uses`: number of redemptions so far. */
export function promotionsOf(promotion: Promotion | null, uses: number): z.input<typeof Promotions> {
  const result = promotion ? [toResponse(promotion, uses)] : []
  return { result: "success", message: "", totalresults: result.length, promotions: { promotion: result } }
}

function toResponse(
  { code, productIds, startsOn, endsOn, discount, remainingUses }: Promotion,
  uses: number,
) {
  return {
    code,
    ...discountOf(discount),
    appliesto: productIds.join(","),
    startdate: startsOn ?? NO_DAY,
    expirationdate: endsOn ?? NO_DAY,
    ...limitOf(remainingUses, uses),
    usesreturn: true as const,
  }
}

function discountOf(discount: Promotion["discount"]) {
  if (discount.kind === "fixed") {
    const { amount } = discount
    return { type: "Fixed Amount" as const, value: toDecimal(amount), currency: amount.currency }
  }
  // Basis points have two decimals, like the minor units of EUR.
  return { type: "Percentage" as const, value: toDecimal({ minor: discount.basisPoints, currency: "EUR" }) }
}

/** In WHMCS a `maxuses` of 0 means unlimited, so a promotion limited to 0 uses is reported as 1 of 1 used. */
function limitOf(usesLeft: number | null, uses: number) {
  if (usesLeft === null) return { maxuses: 0, uses }
  const maxuses = Math.max(1, uses + usesLeft)
  return { maxuses, uses: maxuses - usesLeft }
}
