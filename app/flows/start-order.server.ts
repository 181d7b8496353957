import type { CompleteChoices } from "~/domain/choices"
import type { Services } from "~/services.server"
import { judgeCode, priceChoice } from "./price-choice.server"

export type Start =
  | { readonly kind: "ready"; readonly choices: CompleteChoices; readonly total: number }
  | { readonly kind: "rejected"; readonly field: "plan" | "promoCode" | "gateway"; readonly reason: string }

/**
 * Takes a complete choice to the review step: everything must be for sale, and a code that was typed must hold.
 * `remembered` is the code that was applied before; when it is not for this plan the page has said so, and the
 * order goes on without it. Gives the total in minor units.
 */
export async function startOrder(
  services: Services,
  wish: CompleteChoices,
  remembered: string | null,
): Promise<Start> {
  if (!services.gateways.has(wish.gateway)) {
    return { kind: "rejected", field: "gateway", reason: "checkout.gateway.required" }
  }
  const promoCode = wish.promoCode || (await stillHolds(services, remembered, wish.plan))
  const choices = { ...wish, promoCode }
  const priced = await priceChoice(services, choices)
  if (priced.kind === "rejected") return priced
  return { kind: "ready", choices, total: priced.quote.total.minor }
}

async function stillHolds(services: Services, code: string | null, planId: string): Promise<string | null> {
  return code && (await judgeCode(services, code, planId)).ok ? code : null
}
