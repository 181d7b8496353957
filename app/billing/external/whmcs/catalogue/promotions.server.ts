import type { ExternalPromotion } from "~/billing/external/external-billing"
import { matchesText } from "../client/html-entities"
import type { Whmcs } from "../context.server"
import { defaultCurrency } from "./currencies.server"
import { isForCycleOf, productsNamed, promotionOf } from "./promotion-mapping"
import { PromotionsResponse, type WhmcsPromotion } from "./promotion-schema"

/**
 * Finds a promotion by code, ignoring case and outer spaces; null if not found. Does not check dates, uses or products.
 */
export async function promotionAt(whmcs: Whmcs, typed: string): Promise<ExternalPromotion | null> {
  const code = typed.trim()
  if (code === "") return null
  const { promotions } = await whmcs.api.read("GetPromotions", { code }, PromotionsResponse)
  const promotion = promotions.find((it) => matchesText(it.code, code))
  if (!promotion) return null
  const currency = promotion.type === "percentage" ? null : defaultCurrency(await whmcs.currencies.list())
  return promotionOf(promotion, await productsOf(whmcs, promotion), currency)
}

async function productsOf({ products }: Whmcs, promotion: WhmcsPromotion): Promise<readonly string[]> {
  const named = productsNamed(promotion)
  if (promotion.cycles.length === 0) return named
  const known = await Promise.all(named.map((id) => products.product(id)))
  return known.flatMap((product) => (product && isForCycleOf(promotion, product) ? [product.pid] : []))
}
