import type { Currency } from "~/domain/money/money"
import type { Choices } from "~/domain/orders/choices"
import { type Pricing, validateForPlan } from "./quote-choices.server"
import { type FoundPromotion, messageOf } from "./validate-promo-code.server"

export type Applied =
  | { readonly kind: "applied"; readonly choices: Choices }
  | { readonly kind: "rejected"; readonly field: "promoCode"; readonly reason: string }

/**
 * Validates a promotion that was looked up for the chosen plan; undefined if it could not be looked up. The choices get its
 * code in the stored spelling.
 */
export async function applyCode(
  services: Pricing,
  choices: Choices & { plan: string },
  { promotion = "unchecked", currency }: { promotion: FoundPromotion | undefined; currency: Currency },
): Promise<Applied> {
  const verdict = await validateForPlan(services, choices, { promotion, currency })
  if (!verdict.ok) return { kind: "rejected", field: "promoCode", reason: messageOf(verdict) }
  return { kind: "applied", choices: { ...choices, promoCode: verdict.promotion.code } }
}
