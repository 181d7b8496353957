import type { Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import { type Plan, type ProductKind, plansOffered, resellerPlansOffered } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import { type Quote, quote } from "~/domain/pricing"
import { checkPromotion, type Promotion, type PromotionCheck } from "~/domain/promotion"

export type Priced =
  | {
      readonly kind: "priced"
      readonly plan: Plan
      readonly quote: Quote
      readonly promotion: Promotion | null
    }
  | { readonly kind: "rejected"; readonly field: "plan" | "promoCode"; readonly reason: string }

/** Services that pricing depends on. */
export type Pricing = Pick<Services, "billing" | "pricingContext" | "now"> & {
  readonly shop: Pick<Services["shop"], "timeZone">
}

/** Validates a promo code for a plan today, by the shop's calendar. */
export async function validatePromoCode(
  services: Pricing,
  code: string,
  planId: string,
): Promise<PromotionCheck> {
  const { billing, shop, pricingContext, now } = services
  const today = dayIn(shop.timeZone, now())
  return checkPromotion(await billing.promotion(code), {
    productId: planId,
    currency: pricingContext.currency,
    today,
  })
}

/** Quotes a selection now, or returns the field in error with its translation key. */
export async function priceChoice(services: Pricing, choice: Choices): Promise<Priced> {
  const [plans, verdict] = await Promise.all([
    plansOn[choice.kind](services),
    choice.promoCode && choice.plan ? validatePromoCode(services, choice.promoCode, choice.plan) : null,
  ])
  const plan = plans.find(({ id }) => id === choice.plan)
  if (!plan) return { kind: "rejected", field: "plan", reason: "checkout.plan.gone" }
  if (verdict?.ok === false)
    return { kind: "rejected", field: "promoCode", reason: `promotion.${verdict.reason}` }

  const promotion = verdict?.promotion ?? null
  return { kind: "priced", plan, promotion, quote: quote(plan, choice, promotion) }
}

/** Products read from the billing backend: an order is never priced from the cached catalogue. */
const plansOn: Record<ProductKind, (services: Pricing) => Promise<readonly Plan[]>> = {
  plan: async ({ billing, pricingContext }) => plansOffered(await billing.plans(), pricingContext.currency),
  reseller: async ({ billing, pricingContext }) =>
    resellerPlansOffered(await billing.resellerPlans(), pricingContext.currency),
}
