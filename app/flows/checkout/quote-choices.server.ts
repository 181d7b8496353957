import { BillingError } from "~/billing/billing"
import type { Catalogue, Promotions } from "~/billing/catalogue"
import type { LoggedServices, Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import { type Plan, type ProductKind, plansOffered, resellerPlansOffered } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import type { Currency } from "~/domain/money"
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
export type Pricing = Pick<Services, "now"> & {
  readonly billing: Catalogue & Pick<Promotions, "promotion">
  readonly shop: Pick<Services["shop"], "timeZone">
  readonly log?: LoggedServices["log"]
}

/** A promotion as it was looked up; null: the code is unknown. `unchecked`: see `PromoCodeCheck`. */
export type FoundPromotion = Promotion | null | "unchecked"

/** `unchecked`: the billing backend answered the look-up with an error. The code may be valid, and is not used. */
export type PromoCodeCheck = PromotionCheck | { readonly ok: false; readonly reason: "unchecked" }

/**
 * Looks a promo code up; `unchecked` when the billing backend answers that with an error. An error in one code must not
 * keep visitors from the checkout. Rethrows the `BillingError` of a backend that is unavailable.
 */
export async function findPromotion(
  { billing, log }: Pick<Pricing, "billing" | "log">,
  code: string,
): Promise<FoundPromotion> {
  try {
    return await billing.promotion(code)
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind === "unavailable") throw error
    log?.error({ err: error }, "promo code look-up failed")
    return "unchecked"
  }
}

/** What a promo code is used for: a plan at its price in a currency. */
export type PromoCodeUse = { readonly planId: string; readonly currency: Currency }

/** Looks a promo code up and validates it for a plan today, by the shop's calendar. */
export async function validatePromoCode(
  services: Pricing,
  code: string,
  use: PromoCodeUse,
): Promise<PromoCodeCheck> {
  return validatePromotion(services, await findPromotion(services, code), use)
}

/** Validates a promotion that this request has looked up. */
export function validatePromotion(
  { shop, now }: Pick<Pricing, "shop" | "now">,
  promotion: FoundPromotion,
  { planId, currency }: PromoCodeUse,
): PromoCodeCheck {
  if (promotion === "unchecked") return { ok: false, reason: "unchecked" }
  return checkPromotion(promotion, { productId: planId, currency, today: dayIn(shop.timeZone, now()) })
}

/** The currency of the quote, and the choice's promotion if this request has looked it up. */
type QuoteTerms = { readonly currency: Currency; readonly promotion?: FoundPromotion | undefined }

/** Quotes a selection now, or returns the field in error with its translation key. */
export async function priceChoice(
  services: Pricing,
  choice: Choices,
  { currency, promotion: found }: QuoteTerms,
): Promise<Priced> {
  const { plan: planId, promoCode } = choice
  const [plans, looked] = await Promise.all([
    plansOn[choice.kind](services, currency),
    found === undefined && promoCode && planId ? findPromotion(services, promoCode) : found,
  ])
  const verdict =
    promoCode && planId ? validatePromotion(services, looked ?? null, { planId, currency }) : null
  const plan = plans.find(({ id }) => id === choice.plan)
  if (!plan) return { kind: "rejected", field: "plan", reason: "checkout.plan.gone" }
  if (verdict?.ok === false)
    return { kind: "rejected", field: "promoCode", reason: `promotion.${verdict.reason}` }

  const promotion = verdict?.promotion ?? null
  return { kind: "priced", plan, promotion, quote: quote(plan, choice, promotion) }
}

/** Products read from the billing backend: an order is never priced from the cached catalogue. */
const plansOn: Record<ProductKind, (services: Pricing, currency: Currency) => Promise<readonly Plan[]>> = {
  plan: async ({ billing }, currency) => plansOffered(await billing.plans(), currency),
  reseller: async ({ billing }, currency) => resellerPlansOffered(await billing.resellerPlans(), currency),
}
