import type { Services } from "~/context/services.server"
import type { CompleteChoices } from "~/domain/choices"
import { isOffered } from "~/flows/payments/available-gateways.server"
import { orPauseOrdering } from "./pause-on-outage.server"
import { priceChoice, validatePromoCode } from "./quote-choices.server"

export type Start =
  | { readonly kind: "ready"; readonly choices: CompleteChoices; readonly total: number }
  | { readonly kind: "rejected"; readonly field: Rejected; readonly reason: string }

/** `form`: ordering is paused; no field is in error. */
type Rejected = "plan" | "promoCode" | "gateway" | "form"

/** What the page showed when the form was submitted. */
type AgreedTerms = {
  /** The promo code applied before; if it is not valid for the plan, the page has shown that already. */
  readonly code: string | null
  /** The total in minor units; undefined if the page could not keep it up to date (no script). */
  readonly total: number | undefined
}

/**
 * Validates a complete selection for the review step: products must be available and a typed promo code valid. Returns
 * the agreed total in minor units: the one shown, or the current one if that is lower.
 */
export async function startOrder(
  services: Services,
  request: CompleteChoices,
  agreed: AgreedTerms,
): Promise<Start> {
  return orPauseOrdering(services, () => validated(services, request, agreed), orderingPaused)
}

export const orderingPaused = { kind: "rejected", field: "form", reason: "checkout.paused" } as const

async function validated(services: Services, request: CompleteChoices, agreed: AgreedTerms): Promise<Start> {
  if (!(await isOffered(services, request.gateway))) {
    return { kind: "rejected", field: "gateway", reason: "checkout.gateway.required" }
  }
  const applied = request.promoCode ? null : await appliedBefore(services, agreed.code, request.plan)
  if (applied === "unchecked") return uncheckedCode
  const choices = { ...request, promoCode: request.promoCode || applied }
  const priced = await priceChoice(services, choices)
  if (priced.kind === "rejected") return priced
  const total = priced.quote.total.minor
  return { kind: "ready", choices, total: Math.min(total, agreed.total ?? total) }
}

const uncheckedCode = { kind: "rejected", field: "promoCode", reason: "promotion.unchecked" } as const

/** The code applied before, null where it is not valid any more. One that cannot be checked is reported, not dropped. */
async function appliedBefore(
  services: Services,
  code: string | null,
  planId: string,
): Promise<string | null | "unchecked"> {
  const verdict = code ? await validatePromoCode(services, code, planId) : null
  if (verdict?.ok) return code
  return verdict?.reason === "unchecked" ? "unchecked" : null
}
