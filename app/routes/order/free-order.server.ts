import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import type { Plan } from "~/domain/catalogue/catalogue"
import type { AppliedPromotion } from "~/domain/catalogue/promotion"
import { screenTexts } from "~/i18n/load-screen-texts.server"

type Offered = {
  readonly plans: readonly Pick<Plan, "price">[]
  readonly promotion: AppliedPromotion | null
}

/** An offer with the words of the button for a total of nothing, which a code or a plan without a price may lead to; without either as it was. */
export function withFreeOrder<O extends Offered>(
  context: RouteContext,
  offer: O,
): O & { readonly freeButton?: string } {
  const mayBeFree = offer.promotion !== null || offer.plans.some(({ price }) => price.minor === 0)
  return mayBeFree
    ? { ...offer, freeButton: screenTexts(context.get(localeContext).code)("orderReview.order") }
    : offer
}
