import type { LoggedServices } from "~/context/services.server"
import type { Extras } from "~/domain/catalogue/pricing"
import type { BuyerPlace } from "~/domain/customers/country"
import { type ShownPrices, shownCost } from "~/domain/forms/shown-prices"
import type { Currency } from "~/domain/money/money"
import type { CompleteChoices } from "~/domain/orders/choices"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import { type CreditIdentity, creditCoversPurchase } from "./available-credit.server"
import { orPauseOrdering } from "./pause-on-outage.server"
import { type Price, priceChoice, validateForPlan } from "./quote-choices.server"
import { type FoundPromotion, findPromotion, messageOf } from "./validate-promo-code.server"

export type Start =
  | {
      readonly kind: "ready"
      readonly choices: CompleteChoices
      readonly total: number
      /** Of a reseller plan. */
      readonly credits?: number | undefined
    }
  | { readonly kind: "rejected"; readonly field: Rejected; readonly reason: string }

/** `form`: ordering is paused; no field is in error. */
type Rejected = "plan" | "promoCode" | "gateway" | "form"

/** What the page showed when the form was submitted. */
export type AgreedTerms = {
  readonly currency: Currency
  /** The promo code applied before. */
  readonly code: string | null
  /** The page took that code off the price; otherwise it has said already why the code is not valid. */
  readonly isDiscounted?: boolean
  /** The total, or the prices of a page that could not keep it up to date (no script); undefined: unknown. */
  readonly shown: ShownPrices | undefined
  /** The promotion of the submitted code, if this request has looked it up. */
  readonly promotion?: FoundPromotion | undefined
  /** Where the buyer is, in a shop that taxes. */
  readonly buyer?: BuyerPlace | undefined
  /** Whose account credit the order may use; absent: nobody's. */
  readonly visitor?: CreditIdentity
}

/**
 * Validates a complete selection for the review step: products must be available and a typed promo code valid. Returns
 * the agreed total in minor units: the one shown, or the current one if that is lower.
 */
export async function startReview(
  services: LoggedServices,
  request: CompleteChoices,
  agreed: AgreedTerms,
): Promise<Start> {
  const start = await orPauseOrdering(services, () => validated(services, request, agreed), null)
  if (start === null) return notStarted(services)
  // The plans were read: the page says no longer that nothing can be ordered, even while they are not to be read for display.
  services.catalogue.resume()
  return start
}

/** The rejection of a form whose step `orPauseOrdering` has not carried out. If billing asked this call alone to wait, others may order. */
export function notStarted({ catalogue }: Pick<LoggedServices, "catalogue">) {
  const reason = catalogue.paused() ? "checkout.paused" : "signIn.busy"
  return { kind: "rejected", field: "form", reason } as const
}

async function validated(
  services: LoggedServices,
  request: CompleteChoices,
  agreed: AgreedTerms,
): Promise<Start> {
  const { currency, buyer, visitor = { orderId: null, customer: null } } = agreed
  const applied = await codeOf(services, request, agreed)
  if ("kind" in applied) return applied
  const { code: promoCode, promotion } = applied
  const choices = { ...request, promoCode }
  const priced = await priceChoice(services, choices, { currency, promotion, buyer })
  if (priced.kind === "rejected") return priced
  const { total } = priced.quote
  const { email, gateway } = request
  const refused = await refusedGateway(services, gateway, () =>
    creditCoversPurchase(services, visitor, { email, total }),
  )
  if (refused) return refused
  const { credits } = priced.plan
  return { kind: "ready", choices, total: agreedTotal(priced, choices, agreed), credits }
}

/** The total that was shown, or the present one if it is lower and buys all that was chosen. */
function agreedTotal(price: Price, choices: CompleteChoices, terms: AgreedTerms): number {
  const { plan, quote } = price
  const shown = totalShown(price, choices, terms)
  const present = quote.total.minor
  const lacks = (extra: keyof Extras) => choices[extra] && plan[extra] === null
  const isCut = lacks("extraConnection") || lacks("proxyProtection")
  return isCut ? (shown ?? present) : Math.min(present, shown ?? present)
}

/** The total that was shown, by the prices that were shown; undefined if neither is known. The discount is taken as it is. */
function totalShown(
  { quote: { lines, total } }: Price,
  choices: CompleteChoices,
  { shown }: AgreedTerms,
): number | undefined {
  const cost = shown && shownCost(shown, choices)
  if (cost === undefined) return shown?.total
  const before = lines.filter(({ kind }) => kind !== "discount")
  const present = before.reduce((sum, { amount }) => sum + amount.minor, 0)
  return Math.max(0, total.minor + cost - present)
}

type PromoCodeInUse = {
  readonly code: string | null
  readonly promotion?: FoundPromotion | undefined
}
type RejectedCode = Extract<Start, { kind: "rejected" }>

/**
 * The submitted code; without one the code applied before. One that is not valid any more is dropped where the page has said so, and
 * rejected where the page took it off the price, or if it cannot be checked.
 */
async function codeOf(
  services: LoggedServices,
  request: CompleteChoices,
  { code, currency, promotion: found, isDiscounted = false }: AgreedTerms,
): Promise<PromoCodeInUse | RejectedCode> {
  if (request.promoCode) return { code: request.promoCode, promotion: found }
  if (!code) return { code: null }
  const promotion = await findPromotion(services, code)
  const verdict = await validateForPlan(services, request, { promotion, currency })
  if (verdict.ok) return { code, promotion }
  const isKnown = !isDiscounted && verdict.reason !== "unchecked"
  return isKnown ? { code: null } : { kind: "rejected", field: "promoCode", reason: messageOf(verdict) }
}
