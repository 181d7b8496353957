import type { ExternalPromotion } from "~/billing/external/external-billing"
import { cycleNamed, cycles } from "~/domain/billing-cycle"
import { type Currency, isCurrency, money } from "~/domain/money"
import type { Discount } from "~/domain/promotion"
import { productOf } from "./product-mapping"
import type { WhmcsProduct } from "./product-schema"
import type { WhmcsPromotion } from "./promotion-schema"

/**
 * A code as the checkout knows it. Kinds that are no discount here (another price, no set-up fee), and codes that
 * want another product bought with it, are for no product.
 */
export function promotionOf(
  there: WhmcsPromotion,
  productIds: readonly string[],
  currency: Currency | null,
): ExternalPromotion {
  const { code, maxuses, uses, startdate: startsOn, expirationdate: endsOn, requires } = there
  const discount = discountOf(there, currency)
  const isUsable = discount !== null && requires.length === 0
  return {
    ...{ code, startsOn, endsOn },
    productIds: isUsable ? productIds : [],
    discount: discount ?? { kind: "percentage", basisPoints: 0 },
    maxUses: maxuses ? maxuses : null,
    uses: uses ?? 0,
    releasesUses: false,
  }
}

/** A fixed amount is in the default currency of the installation, which WHMCS does not say with it. */
function discountOf({ type, value }: WhmcsPromotion, currency: Currency | null): Discount | null {
  if (value === null || value < 0) return null
  if (type === "percentage") return { kind: "percentage", basisPoints: Math.min(value, 10_000) }
  const isFixed = type === "fixedamount" || type === "fixed"
  return isFixed && currency ? { kind: "fixed", amount: money(value, currency) } : null
}

/** Addons (`A1`) and domains (`D.com`) stand in the same list. */
export function productsNamed({ appliesto }: WhmcsPromotion): readonly string[] {
  return appliesto.filter((it) => /^\d+$/.test(it))
}

/** Whether a code that is for some cycles only is for the one a product is sold in here: the shortest it has. */
export function isForCycleOf(there: WhmcsPromotion, product: WhmcsProduct): boolean {
  if (there.cycles.length === 0) return true
  const named = there.cycles.map((name) => nameOf(name))
  if (product.paytype !== "recurring") return named.includes(product.paytype)
  const { pricing } = productOf(product, { kind: "plan", credits: new Map() })
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
