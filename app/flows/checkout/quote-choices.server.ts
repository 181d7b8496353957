import type { Catalogue, Promotions } from "~/billing/catalogue/catalogue"
import type { LoggedServices, Services } from "~/context/services.server"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import { type Plan, type ProductKind, plansOffered, resellerPlansOffered } from "~/domain/catalogue/catalogue"
import type { Extras, Quote } from "~/domain/catalogue/pricing"
import type { Promotion } from "~/domain/catalogue/promotion"
import type { BuyerPlace } from "~/domain/customers/country"
import type { Currency } from "~/domain/money/money"
import type { Choices } from "~/domain/orders/choices"
import { quoteWithoutTax } from "~/domain/tax/net-prices"
import { rateOff, type Taxing } from "./tax-of-quote.server"
import {
  type FoundPromotion,
  findPromotion,
  messageOf,
  type PromoCodeCheck,
  promotionIn,
  validatePromotion,
} from "./validate-promo-code.server"

export type Price = {
  readonly kind: "priced"
  readonly plan: Plan
  readonly quote: Quote
  readonly promotion: Promotion | null
}

export type Priced =
  | Price
  | { readonly kind: "rejected"; readonly field: "plan" | "promoCode"; readonly reason: string }

/** Services that pricing depends on. */
export type Pricing = Pick<Services, "now"> & {
  readonly billing: Catalogue & Pick<Promotions, "promotion" | "promotionUsesBy">
  readonly shop: Pick<Services["shop"], "timeZone" | "tax">
  readonly log?: LoggedServices["log"]
}

/**
 * Validates a promotion that was looked up for the plan of a choice, before anybody is known to order: what one person may use is
 * checked when the choice is priced.
 */
export async function validateForPlan(
  services: Pricing,
  choice: Pick<Choices, "kind"> & { readonly plan: string },
  { promotion, currency }: { readonly promotion: FoundPromotion; readonly currency: Currency },
): Promise<PromoCodeCheck> {
  const cycle = await cycleFor(services, choice, { promotion, currency })
  return validatePromotion(services, promotion, { planId: choice.plan, cycle, currency })
}

/** The billing cycle in which a choice's plan is sold, if a promotion depends on it. */
async function cycleFor(
  services: Pricing,
  { kind, plan }: Pick<Choices, "kind" | "plan">,
  { promotion, currency }: { readonly promotion: FoundPromotion; readonly currency: Currency },
): Promise<Cycle | undefined> {
  if (promotionIn(promotion)?.cycles === undefined) return undefined
  return (await plansOn[kind](services, currency)).find(({ id }) => id === plan)?.cycle
}

type QuoteTerms = {
  /** The currency of the quote. */
  readonly currency: Currency
  /** The choice's promotion if this request has looked it up. */
  readonly promotion?: FoundPromotion | undefined
  /** Who orders; absent: nobody knows yet. */
  readonly customerId?: string | undefined
  /** Where the buyer is, in a shop that taxes. */
  readonly buyer?: BuyerPlace | undefined
}

/** Quotes a selection now, or returns the field in error with its translation key. */
export async function priceChoice(
  services: Pricing,
  choice: Choices,
  { currency, promotion: found, customerId, buyer }: QuoteTerms,
): Promise<Priced> {
  const { plan: planId, promoCode } = choice
  const [plans, looked] = await Promise.all([
    plansOn[choice.kind](services, currency),
    found === undefined && promoCode && planId ? findPromotion(services, promoCode) : found,
  ])
  const plan = plans.find(({ id }) => id === choice.plan)
  const usesBefore = await usesOf(services, looked, customerId)
  const verdict =
    promoCode && planId
      ? validatePromotion(services, looked ?? null, { planId, cycle: plan?.cycle, currency, usesBefore })
      : null
  if (!plan) return { kind: "rejected", field: "plan", reason: "checkout.plan.gone" }
  if (verdict?.ok === false) return { kind: "rejected", field: "promoCode", reason: messageOf(verdict) }

  const promotion = verdict?.promotion ?? null
  return {
    kind: "priced",
    plan,
    promotion,
    quote: quotePlan(services, plan, { extras: choice, promotion, buyer }),
  }
}

type Selected = {
  readonly extras: Extras
  /** As it was validated for the plan; null: none. */
  readonly promotion: Promotion | null
  /** Where the buyer is, in a shop that taxes. */
  readonly buyer: BuyerPlace | undefined
}

/** Quotes a plan now as a buyer pays it: without the tax for a business that owes it itself. */
export function quotePlan(services: Taxing, plan: Plan, { extras, promotion, buyer }: Selected): Quote {
  return quoteWithoutTax(plan, extras, {
    applied: promotion,
    basisPoints: rateOff(services, plan.id, buyer),
  })
}

/** Quotes a selection that is about to be ordered. A plan that is sold no more is not shown to the next visitor either. */
export async function priceOrder(
  services: Pricing & Pick<LoggedServices, "catalogue">,
  choice: Choices,
  terms: QuoteTerms,
): Promise<Priced> {
  const priced = await priceChoice(services, choice, terms)
  if (priced.kind === "rejected" && priced.field === "plan") services.catalogue.expire()
  return priced
}

/** What a visitor has agreed to. */
export type Agreed = {
  /** The total in minor units; null if they have agreed to none. */
  readonly agreedTotal: number | null
  /** Currency of that total; missing: that of the price. */
  readonly agreedCurrency?: Currency | undefined
  /** The credits of a reseller plan; missing if none were shown. */
  readonly agreedCredits?: number | undefined
}

/** What of a price is not as the visitor has agreed to it; null: nothing. The words about the credits ask to check the total too. */
export function changeSince(
  { plan: { credits }, quote }: Price,
  { agreedTotal, agreedCurrency = quote.total.currency, agreedCredits = credits }: Agreed,
): "credits-changed" | "price-changed" | null {
  if (credits !== agreedCredits) return "credits-changed"
  const isAgreed = quote.total.minor === agreedTotal && quote.total.currency === agreedCurrency
  return isAgreed ? null : "price-changed"
}

/** Orders of a customer with a promotion, if it has a limit per person. */
async function usesOf(
  { billing }: Pricing,
  found: FoundPromotion | undefined,
  customerId: string | undefined,
): Promise<number | undefined> {
  const promotion = promotionIn(found)
  if (customerId === undefined || promotion?.usesPerPerson === undefined) return undefined
  return billing.promotionUsesBy(customerId, promotion.code)
}

/** Products read from the billing backend: an order is never priced from the cached catalogue. */
const plansOn: Record<ProductKind, (services: Pricing, currency: Currency) => Promise<readonly Plan[]>> = {
  plan: async ({ billing }, currency) => plansOffered(await billing.plans(), currency),
  reseller: async ({ billing }, currency) => resellerPlansOffered(await billing.resellerPlans(), currency),
}
