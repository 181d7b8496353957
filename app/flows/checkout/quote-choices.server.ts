import { BillingError, CodeRejectedError } from "~/billing/billing"
import type { Catalogue, Promotions } from "~/billing/catalogue/catalogue"
import type { LoggedServices, Services } from "~/context/services.server"
import type { Cycle } from "~/domain/billing-cycle"
import { dayIn } from "~/domain/calendar"
import { type Plan, type ProductKind, plansOffered, resellerPlansOffered } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import type { BuyerPlace } from "~/domain/country"
import type { Currency } from "~/domain/money"
import { quoteWithoutTax } from "~/domain/net-prices"
import type { Extras, Quote } from "~/domain/pricing"
import { checkPromotion, type Promotion, type PromotionCheck } from "~/domain/promotion"
import { visibleCode } from "~/domain/promotion-code"
import { rateOff, type Taxing } from "./tax-of-quote.server"

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

/** A code that the billing backend rejects with a sentence for its buyer. */
type RejectedCode = { readonly sentence: string }

/** A promotion as it was looked up; null: the code is unknown. `unchecked`: see `PromoCodeCheck`. */
export type FoundPromotion = Promotion | RejectedCode | null | "unchecked"

/**
 * `unchecked`: the billing backend answered the look-up with an error. The code may be valid, and is not used. `by-billing`: the
 * backend rejects it, with a sentence of its own.
 */
export type PromoCodeCheck =
  | PromotionCheck
  | { readonly ok: false; readonly reason: "unchecked" }
  | { readonly ok: false; readonly reason: "by-billing"; readonly sentence: string }

/** Why a code is not used: a translation key, or the billing backend's own sentence (specification, Promotions). */
export function messageOf(verdict: Extract<PromoCodeCheck, { ok: false }>): string {
  return verdict.reason === "by-billing" ? verdict.sentence : `promotion.${verdict.reason}`
}

/**
 * Looks a promo code up as it is seen, and otherwise as it was typed; `unchecked` when the billing backend answers that with an
 * error. An error in one code must not keep visitors from the checkout. Rethrows the `BillingError` of a backend that is unavailable.
 */
export async function findPromotion(
  services: Pick<Pricing, "billing" | "log">,
  code: string,
): Promise<FoundPromotion> {
  const seen = visibleCode(code) || code
  const found = await lookUp(services, seen)
  return seen === code || promotionIn(found) ? found : lookUp(services, code)
}

async function lookUp(
  { billing, log }: Pick<Pricing, "billing" | "log">,
  code: string,
): Promise<FoundPromotion> {
  try {
    return await billing.promotion(code)
  } catch (error) {
    if (error instanceof CodeRejectedError) return { sentence: error.sentence }
    if (!(error instanceof BillingError) || error.kind === "unavailable") throw error
    log?.error({ err: error }, "promo code look-up failed")
    return "unchecked"
  }
}

/** What a promo code is used for: a plan at its price in a currency. */
export type PromoCodeUse = {
  readonly planId: string
  readonly cycle: Cycle | undefined
  readonly currency: Currency
  /** Orders that the customer has placed with the code; absent: nobody knows yet who orders. */
  readonly usesBefore?: number | undefined
}

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
  { planId, ...use }: PromoCodeUse,
): PromoCodeCheck {
  if (promotion === "unchecked") return { ok: false, reason: "unchecked" }
  if (isRejectedCode(promotion)) return { ok: false, reason: "by-billing", sentence: promotion.sentence }
  return checkPromotion(promotion, { ...use, productId: planId, today: dayIn(shop.timeZone, now()) })
}

/** Whether the billing backend has rejected a code that was looked up. */
export function isRejectedCode(found: FoundPromotion | undefined): found is RejectedCode {
  return typeof found === "object" && found !== null && "sentence" in found
}

function promotionIn(found: FoundPromotion | undefined): Promotion | null {
  return !found || found === "unchecked" || isRejectedCode(found) ? null : found
}

/** The billing cycle in which a choice's plan is sold, if a promotion depends on it. */
export async function cycleFor(
  services: Pricing,
  { kind, plan }: Pick<Choices, "kind" | "plan">,
  { promotion, currency }: { promotion: FoundPromotion | undefined; currency: Currency },
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
