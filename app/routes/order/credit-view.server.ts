import { redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { ShownCredit } from "~/domain/forms/checkout-form"
import { type Currency, times } from "~/domain/money/money"
import { creditEarnedBy, type Order } from "~/domain/orders/order"
import { CREDIT_CHANGED, pathOf } from "~/domain/orders/screen-paths"
import type { AppliedCredit, UsableCredit } from "~/domain/payments/usable-credit"
import { asksMore, visitorsAccountCredit } from "~/flows/checkout/available-credit.server"
import { orPauseOrdering } from "~/flows/checkout/pause-on-outage.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { isEndedSession } from "~/middleware/customers/ended-session.server"
import type { LawShown } from "~/ui/checkout/order-summary"
import type { OwnCredit } from "~/ui/checkout/use-choices"
import { discountText } from "~/ui/layout/format"
import type { ChosenPlanView } from "~/ui/renewal/plan-screen"
import { screenHref } from "../screen-href.server"

/** The account whose order it would be, and the currency of its price. */
type Ordered = { readonly customerId: string; readonly currency: Currency }

/**
 * The account credit that a visitor's order would use, for a form that names its price: all of a signed-in customer, otherwise what
 * was paid too much for the order of this browser. Absent without any: the form is that of all other visitors. `order`: spares the
 * question for a browser whose order this is and has earned no credit.
 */
export async function creditView(
  context: RouteContext,
  { customerId, currency }: Ordered,
  order: Order | null = null,
): Promise<UsableCredit | undefined> {
  const visitor = context.get(sessionContext)
  if (!visitor.customer && order?.id === visitor.orderId && creditEarnedBy(order).minor === 0) return
  const ordered = { customerId, currency }
  const amount = await visitorsAccountCredit(context.get(servicesContext), visitor, ordered)
  if (amount.minor === 0 || (await isEndedSession(context))) return
  const t = screenTexts(context.get(localeContext).code)
  const texts = { used: t("payments.credit"), left: t("buying.payNow"), covered: t("buying.fromCredit") }
  return { amount, texts }
}

/** The account credit that an order of a signed-in customer would use; null for other visitors, and while billing is unavailable. */
export async function ownCredit(context: RouteContext): Promise<OwnCredit | null> {
  const { customer } = context.get(sessionContext)
  if (!customer) return null
  const { currency } = context.get(pricingContext)
  const ordered = { customerId: customer.id, currency }
  const credit = await orPauseOrdering(
    context.get(servicesContext),
    () => creditView(context, ordered),
    undefined,
  )
  return credit ? { ...credit, email: customer.email } : null
}

/** An offer of plans with account credit; without any it is that of all visitors, also in its loader data. */
export function withCredit<Offered extends object>(
  offer: Offered,
  credit: OwnCredit | null,
): Offered & { readonly credit?: OwnCredit } {
  return credit ? { ...offer, credit } : offer
}

/**
 * Redirects to the review of a placed order that asks for more than its form said, since the credit which that showed was used by
 * another order or taken back meanwhile: no gateway asks for what the buyer has not seen.
 */
export function askIfMore(context: RouteContext, order: Order, form: FormData): void {
  if (asksMore(order, ShownCredit.parse(form.get("credit"))))
    throw redirect(`${screenHref(context, pathOf.viewer.creatingOrder)}?${CREDIT_CHANGED}`, 303)
}

/** The button of a change that account credit pays whole; null: it does not. */
export function coveredSubmit({ orderButton }: LawShown, credit: AppliedCredit | null): string | null {
  return credit?.covered ? (orderButton ?? credit.covered) : null
}

/** What account credit pays of a change. */
export function creditFigure(context: RouteContext, credit: AppliedCredit | null): ChosenPlanView["figures"] {
  if (!credit) return []
  const { texts, used } = credit
  return [{ label: texts.used, value: discountText(times(used, -1), context.get(localeContext)) }]
}
