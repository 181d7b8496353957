import { BillingError } from "~/billing/billing"
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
  readonly log?: Services["log"]
}

/** `unchecked`: the billing backend answered the look-up with an error. The code may be valid, and is not used. */
export type PromoCodeCheck = PromotionCheck | { readonly ok: false; readonly reason: "unchecked" }

/**
 * Looks a promo code up; `unchecked` when the billing backend answers that with an error. An error in one code must not
 * keep visitors from the checkout. Rethrows the `BillingError` of a backend that is unavailable.
 */
export async function findPromotion(
  { billing, log }: Pick<Pricing, "billing" | "log">,
  code: string,
): Promise<Promotion | null | "unchecked"> {
  try {
    return await billing.promotion(code)
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind === "unavailable") throw error
    log?.error({ err: error }, "promo code look-up failed")
    return "unchecked"
  }
}

/** Validates a promo code for a plan today, by the shop's calendar. */
export async function validatePromoCode(
  services: Pricing,
  code: string,
  planId: string,
): Promise<PromoCodeCheck> {
  const { shop, pricingContext, now } = services
  const today = dayIn(shop.timeZone, now())
  const promotion = await findPromotion(services, code)
  if (promotion === "unchecked") return { ok: false, reason: "unchecked" }
  return checkPromotion(promotion, {
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
