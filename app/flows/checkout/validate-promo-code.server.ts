import { BillingError, CodeRejectedError } from "~/billing/billing"
import type { Promotions } from "~/billing/catalogue/catalogue"
import type { LoggedServices, Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import { checkPromotion, type Promotion, type PromotionCheck } from "~/domain/catalogue/promotion"
import { visibleCode } from "~/domain/catalogue/promotion-code"
import type { Currency } from "~/domain/money/money"

/** Services that promo codes are looked up with. `log`: of a request; absent: nothing is logged. */
type CodeServices = Pick<Services, "now"> & {
  readonly billing: Pick<Promotions, "promotion">
  readonly shop: Pick<Services["shop"], "timeZone">
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
  services: Pick<CodeServices, "billing" | "log">,
  code: string,
): Promise<FoundPromotion> {
  const seen = visibleCode(code) || code
  const found = await lookUp(services, seen)
  return seen === code || promotionIn(found) ? found : lookUp(services, code)
}

async function lookUp(
  { billing, log }: Pick<CodeServices, "billing" | "log">,
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
  services: CodeServices,
  code: string,
  use: PromoCodeUse,
): Promise<PromoCodeCheck> {
  return validatePromotion(services, await findPromotion(services, code), use)
}

/** Validates a promotion that this request has looked up. */
export function validatePromotion(
  { shop, now }: Pick<CodeServices, "shop" | "now">,
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

/** The promotion that was found; null: the code is unknown, rejected, or could not be looked up. */
export function promotionIn(found: FoundPromotion | undefined): Promotion | null {
  return !found || found === "unchecked" || isRejectedCode(found) ? null : found
}
