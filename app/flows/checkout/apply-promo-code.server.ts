import type { Services } from "~/context/services.server"
import type { Choices } from "~/domain/choices"
import { orPauseOrdering } from "./pause-on-outage.server"
import { validatePromoCode } from "./quote-choices.server"

export type Applied =
  | { readonly kind: "applied"; readonly choices: Choices }
  | { readonly kind: "rejected"; readonly field: "promoCode"; readonly reason: string }

/** Validates a promo code for the chosen plan and returns it in its stored spelling. */
export async function applyCode(
  services: Services,
  choices: Choices & { plan: string },
  code: string,
): Promise<Applied> {
  const verdict = await orPauseOrdering(
    services,
    () => validatePromoCode(services, code, choices.plan),
    notNow,
  )
  if (!verdict.ok) return { kind: "rejected", field: "promoCode", reason: `promotion.${verdict.reason}` }
  return { kind: "applied", choices: { ...choices, promoCode: verdict.promotion.code } }
}

const notNow = { ok: false, reason: "unchecked" } as const
