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
  const promotion = code === "" ? null : await promotionNamed(whmcs, code)
  if (!promotion) return null
  const currency = promotion.type === "percentage" ? null : defaultCurrency(await whmcs.currencies.list())
  return promotionOf(promotion, await productsOf(whmcs, promotion), currency)
}

/** Whether each client may use a code once. */
export async function isOncePerClient(whmcs: Whmcs, code: string): Promise<boolean> {
  return (await promotionNamed(whmcs, code))?.onceperclient ?? false
}

async function promotionNamed({ api }: Whmcs, code: string): Promise<WhmcsPromotion | null> {
  const promotions = await api.read("GetPromotions", { code }, PromotionsResponse)
  return promotions.find((it) => matchesText(it.code, code)) ?? null
}

async function productsOf({ products }: Whmcs, promotion: WhmcsPromotion): Promise<readonly string[]> {
  const named = productsNamed(promotion)
  if (promotion.cycles.length === 0) return named
  const known = await Promise.all(named.map((id) => products.product(id)))
  return known.flatMap((product) => (product && isForCycleOf(promotion, product) ? [product.pid] : []))
}
