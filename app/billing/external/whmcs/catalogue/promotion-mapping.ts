import type { ExternalPromotion } from "~/billing/external/external-billing"
import { cycleNamed, cycles } from "~/domain/catalogue/billing-cycle"
import type { Discount } from "~/domain/catalogue/promotion"
import { type Currency, isCurrency, money } from "~/domain/money/money"
import { productOf } from "./product-mapping"
import type { WhmcsProduct } from "./product-schema"
import type { WhmcsPromotion } from "./promotion-schema"

/**
 * Maps a WHMCS promotion. It gets no products, so it never applies, if its type is unsupported (price override, free
 * set-up) or if it requires another product in the order.
 */
export function promotionOf(
  promotion: WhmcsPromotion,
  productIds: readonly string[],
  currency: Currency | null,
): ExternalPromotion {
  const { code, maxuses, uses, startdate: startsOn, expirationdate: endsOn, requires } = promotion
  const discount = discountOf(promotion, currency)
  const isUsable = discount !== null && requires.length === 0
  return {
    code,
    startsOn,
    endsOn,
    productIds: isUsable ? productIds : [],
    discount: discount ?? { kind: "percentage", basisPoints: 0 },
    maxUses: maxuses ? maxuses : null,
    uses: uses ?? 0,
    releasesUses: false,
  }
}

/** A fixed amount is in the installation's default currency; WHMCS sends it without one. */
function discountOf({ type, value }: WhmcsPromotion, currency: Currency | null): Discount | null {
  if (value === null || value < 0) return null
  if (type === "percentage") return { kind: "percentage", basisPoints: Math.min(value, 10_000) }
  const isFixed = type === "fixedamount" || type === "fixed"
  return isFixed && currency ? { kind: "fixed", amount: money(value, currency) } : null
}

/** Drops addons (`A1`) and domains (`D.com`) from the list of products. */
export function productsNamed({ appliesto }: WhmcsPromotion): readonly string[] {
  return appliesto.filter((it) => /^\d+$/.test(it))
}

/**
 * Whether a promotion covers the cycle in which the checkout sells the product: its shortest one, in every currency.
 */
export function isForCycleOf(promotion: WhmcsPromotion, product: WhmcsProduct): boolean {
  if (promotion.cycles.length === 0) return true
  const named = promotion.cycles.map((name) => nameOf(name))
  if (product.paytype !== "recurring") return named.includes(product.paytype)
  const { pricing } = productOf(product, { kind: "plan", resellerCredits: new Map() })
  const sold = Object.entries(pricing).flatMap(([code, prices]) =>
    isCurrency(code) ? cycles.filter((cycle) => prices[cycle] !== undefined).slice(0, 1) : [],
  )
  return sold.every((cycle) => named.includes(cycle))
}

function nameOf(cycle: string): string {
  const name = cycle.toLowerCase().replaceAll(/[\s-]/g, "")
  if (name === "onetime") return name
  return name.startsWith("free") ? "free" : (cycleNamed(name) ?? name)
}
