import type { RouteContext } from "~/context/route-context"
import { sessionContext } from "~/context/session.server"
import { shownPricesText } from "~/domain/forms/shown-prices"
import type { RefusedForm } from "~/domain/refused-form"
import type { Offer } from "~/flows/checkout/show-offer.server"

/**
 * An offer with the reasons why stored choices are no longer valid, in the form of the answer to a refused form. `missing`: further
 * reasons why a draft was not ordered, by field.
 */
export function withAnswer<Offered extends { errors: RefusedForm["error"] }>(
  { errors, ...offer }: Offered,
  missing: Record<string, string[]> = {},
) {
  const error = { ...errors, ...missing }
  return { ...offer, lastResult: Object.keys(error).length > 0 ? { error } : null }
}

/** An offer with a code that was typed before the language was changed; without one it is that of all visitors. */
export function withTypedCode<Offered extends Pick<Offer, "choices">>(
  context: RouteContext,
  offer: Offered,
): Offered & { readonly typedCode?: string } {
  const { typedCode, choices } = context.get(sessionContext)
  const isTyped = typedCode !== undefined && choices.kind === offer.choices.kind
  return isTyped ? { ...offer, typedCode } : offer
}

/** An offer with the prices that its page shows, as a form without script returns them. */
export function withShownPrices<Offered extends Pick<Offer, "currency" | "plans">>(offer: Offered) {
  return { ...offer, prices: shownPricesText(offer.currency, offer.plans) }
}
