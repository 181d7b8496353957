import type { Services } from "~/context/services.server"
import type { CompleteChoices } from "~/domain/choices"
import { isOffered } from "~/flows/payments/available-gateways.server"
import { orPauseOrdering } from "./pause-on-outage.server"
import { priceChoice, validatePromoCode } from "./quote-choices.server"

export type Start =
  | { readonly kind: "ready"; readonly choices: CompleteChoices; readonly total: number }
  | { readonly kind: "rejected"; readonly field: Rejected; readonly reason: string }

/** `form`: ordering is paused, and nothing that was chosen is at fault. */
type Rejected = "plan" | "promoCode" | "gateway" | "form"

/** What the page had told the visitor when he pressed the button. */
type Told = {
  /** The code that was applied before; when it is not for this plan the page has said so. */
  readonly code: string | null
  /** The total in minor units; undefined where nothing kept it up to date. */
  readonly total: number | undefined
}

/**
 * Takes a complete choice to the review step: everything must be for sale, and a code that was typed must hold.
 * Gives the total the visitor has agreed to, in minor units: what he was told, unless it comes to less.
 */
export async function startOrder(services: Services, wish: CompleteChoices, told: Told): Promise<Start> {
  return orPauseOrdering(services, () => judged(services, wish, told), orderingPaused)
}

export const orderingPaused = { kind: "rejected", field: "form", reason: "checkout.paused" } as const

async function judged(services: Services, wish: CompleteChoices, told: Told): Promise<Start> {
  if (!(await isOffered(services, wish.gateway))) {
    return { kind: "rejected", field: "gateway", reason: "checkout.gateway.required" }
  }
  const promoCode = wish.promoCode || (await stillHolds(services, told.code, wish.plan))
  const choices = { ...wish, promoCode }
  const priced = await priceChoice(services, choices)
  if (priced.kind === "rejected") return priced
  const total = priced.quote.total.minor
  return { kind: "ready", choices, total: Math.min(total, told.total ?? total) }
}

async function stillHolds(services: Services, code: string | null, planId: string): Promise<string | null> {
  return code && (await validatePromoCode(services, code, planId)).ok ? code : null
}
