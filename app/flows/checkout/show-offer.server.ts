import { BillingError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import {
  bestOffer,
  currenciesOffered,
  type Plan,
  type Product,
  type ProductKind,
  plansOffered,
  type ResellerPlan,
  resellerPlansOffered,
} from "~/domain/catalogue/catalogue"
import type { PricingContext } from "~/domain/catalogue/pricing"
import { type AppliedPromotion, coversCycle } from "~/domain/catalogue/promotion"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import { type Choices, choicesOn } from "~/domain/orders/choices"
import {
  type AvailableGateway,
  availableGateways,
  gatewayGone,
  presetGateway,
} from "~/flows/payments/available-gateways.server"
import { orPauseOrdering, type PausingServices } from "./pause-on-outage.server"
import { messageOf, type PromoCodeUse, validatePromoCode } from "./validate-promo-code.server"

export type Offer<P extends Plan = Plan> = {
  readonly plans: readonly P[]
  readonly gateways: readonly AvailableGateway[]
  /** The currency of the prices, and all in which such plans are sold to the visitor. */
  readonly currency: Currency
  readonly currencies: readonly Currency[]
  /** The visitor's choices, with defaults for the others. */
  readonly choices: Choices
  /** The applied promotion for the chosen plan. */
  readonly promotion: AppliedPromotion | null
  /** The billing backend is unavailable: the page is shown, but ordering is paused. */
  readonly paused: boolean
  /** Why a stored choice is no longer valid; translation keys by field. */
  readonly errors: { readonly plan?: string[]; readonly gateway?: string[]; readonly promoCode?: string[] }
}

/** Data of the checkout; null if nothing is for sale in this currency. */
export async function showOffer(
  services: LoggedServices,
  remembered: Choices,
  { currency, isOnlyCurrency, locale }: Visit,
): Promise<Offer | null> {
  const { catalogue, shop } = services
  const products = await listed(services, () => catalogue.plans())
  const plans = plansOffered(products, currency)
  const preset = plans.find(({ id }) => id === shop.defaultPlan) ?? bestOffer(plans)
  return offerOf(
    services,
    { kind: "plan", products, plans, preset, currency, isOnlyCurrency, locale },
    remembered,
  )
}

/** Currency of the prices (see `PricingContext`), and language of the page. */
type Visit = Pick<PricingContext, "currency" | "isOnlyCurrency"> & { readonly locale: LocaleCode }

type ResellerVisitor = Visit & {
  readonly customer: AuthenticatedCustomer | null
  readonly claimsExisting: boolean
}

/**
 * Data of the reseller checkout; null without reseller plans. Preselects the second plan, or the operator's setting, which
 * may differ for customers without a reseller plan (specification, Catalogue).
 */
export async function showResellerOffer(
  services: LoggedServices,
  remembered: Choices,
  visitor: ResellerVisitor,
): Promise<Offer<ResellerPlan> | null> {
  const { catalogue, shop } = services
  const { currency, isOnlyCurrency, locale } = visitor
  const isReseller = await knownReseller(services, visitor)
  const products = await listed(services, () => catalogue.resellerPlans())
  const plans = resellerPlansOffered(products, currency).map((plan) =>
    shop.terms === null ? plan : paidOnce(plan),
  )
  const wanted = (isReseller ? null : shop.newResellerPlan) ?? shop.defaultResellerPlan
  const preset = plans.find(({ id }) => id === wanted) ?? plans[1] ?? plans[0] ?? null
  return offerOf(
    services,
    { kind: "reseller", products, plans, preset, currency, isOnlyCurrency, locale },
    remembered,
  )
}

/** A shop that decides on terms ends no reseller's account, whatever its product says: it sells credits (specification, Terms). */
function paidOnce(plan: ResellerPlan): ResellerPlan {
  return { ...plan, payType: "onetime" }
}

/** Whether reseller plans are sold in a currency: the checkout links to them. */
export async function sellsToResellers(
  services: Pick<LoggedServices, "catalogue" | "log">,
  currency: Currency,
): Promise<boolean> {
  const products = await listed(services, () => services.catalogue.resellerPlans())
  return resellerPlansOffered(products, currency).length > 0
}

async function knownReseller(
  services: PausingServices & Pick<LoggedServices, "billing">,
  { customer, claimsExisting }: ResellerVisitor,
): Promise<boolean> {
  if (!customer) return claimsExisting
  return orPauseOrdering(services, () => services.billing.isReseller(customer.id), claimsExisting)
}

type PlanList<P extends Plan> = Visit & {
  kind: ProductKind
  products: readonly Product[]
  plans: readonly P[]
  preset: P | null
}

async function offerOf<P extends Plan>(
  services: LoggedServices,
  { kind, products, plans, preset, currency, isOnlyCurrency, locale }: PlanList<P>,
  before: Choices,
): Promise<Offer<P> | null> {
  if (!preset) return null
  const remembered = choicesOn(kind, before)
  const gateways = await availableGateways(services, locale)
  const plan = plans.find(({ id }) => id === remembered.plan) ?? preset
  const gateway =
    gateways.find(({ id }) => id === remembered.gateway)?.id ?? presetGateway(services, gateways)
  const choices = { ...remembered, plan: plan.id, gateway }
  const isGone = (field: "plan" | "gateway") =>
    remembered[field] !== null && remembered[field] !== choices[field]
  const { promotion, reason } = await codeInForce(services, choices.promoCode, { plan, plans, currency })
  const errors = {
    ...(isGone("plan") && { plan: ["checkout.plan.gone"] }),
    // Where none is offered the page says so.
    ...(isGone("gateway") && gateways.length > 0 && { gateway: [gatewayGone.reason] }),
    ...(reason && { promoCode: [reason] }),
  }
  return {
    plans,
    gateways,
    currency,
    currencies: isOnlyCurrency ? [currency] : currenciesOffered(kind, products),
    choices,
    promotion,
    errors,
    paused: services.catalogue.paused(),
  }
}

/** An unreadable catalogue counts as empty: the page shows a message and a link to try again. */
async function listed<T>(
  { log }: Pick<LoggedServices, "log">,
  read: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    log.error({ err: error }, "catalogue unavailable")
    return []
  }
}

type CodeUse = { readonly plan: Plan; readonly plans: readonly Plan[]; readonly currency: Currency }

/** The page gets the products whose billing cycle the promotion covers: it applies the code to what the visitor chooses. */
async function codeInForce(
  services: LoggedServices,
  code: string | null,
  { plan, plans, currency }: CodeUse,
) {
  const use: PromoCodeUse = { planId: plan.id, cycle: plan.cycle, currency }
  if (!code) return { promotion: null, reason: null }
  const verdict = await orPauseOrdering(services, () => validatePromoCode(services, code, use), notNow)
  if (!verdict.ok) return { promotion: null, reason: messageOf(verdict) }
  const { promotion } = verdict
  const { code: written, discount } = promotion
  const productIds = promotion.productIds.filter((id) =>
    plans.every((it) => it.id !== id || coversCycle(promotion, it.cycle)),
  )
  return { promotion: { code: written, productIds, discount }, reason: null }
}

/** The promo code cannot be validated while the billing backend is unavailable. */
const notNow = { ok: false, reason: "unchecked" } as const
