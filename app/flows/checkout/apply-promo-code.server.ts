import type { Services } from "~/context/services.server"
import type { Choices } from "~/domain/choices"
import type { Currency } from "~/domain/money"
import { type FoundPromotion, validatePromotion } from "./quote-choices.server"

export type Applied =
  | { readonly kind: "applied"; readonly choices: Choices }
  | { readonly kind: "rejected"; readonly field: "promoCode"; readonly reason: string }

/**
 * Validates a promotion that was looked up for the chosen plan; undefined if it could not be looked up. The choices get its
 * code in the stored spelling.
 */
export function applyCode(
  services: Pick<Services, "shop" | "now">,
  choices: Choices & { plan: string },
  { promotion = "unchecked", currency }: { promotion: FoundPromotion | undefined; currency: Currency },
): Applied {
  const verdict = validatePromotion(services, promotion, { planId: choices.plan, currency })
  if (!verdict.ok) return { kind: "rejected", field: "promoCode", reason: `promotion.${verdict.reason}` }
  return { kind: "applied", choices: { ...choices, promoCode: verdict.promotion.code } }
}
