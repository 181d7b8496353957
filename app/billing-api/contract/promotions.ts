import { z } from "zod"
import type { Promotion } from "~/domain/catalogue/promotion"
import { discountFields, promotionTypes } from "~/domain/catalogue/promotion-type"
import { currencies } from "~/domain/money/money"

const PromotionResponse = z.object({
  code: z.string(),
  type: z.enum(promotionTypes),
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
    ...discountFields(discount),
    appliesto: productIds.join(","),
    startdate: startsOn ?? NO_DAY,
    expirationdate: endsOn ?? NO_DAY,
    ...limitOf(remainingUses, uses),
    usesreturn: true as const,
  }
}

/** In WHMCS a `maxuses` of 0 means unlimited, so a promotion limited to 0 uses is reported as 1 of 1 used. */
function limitOf(usesLeft: number | null, uses: number) {
  if (usesLeft === null) return { maxuses: 0, uses }
  const maxuses = Math.max(1, uses + usesLeft)
  return { maxuses, uses: maxuses - usesLeft }
}
