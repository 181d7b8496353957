import { type Plan, plansOffered, resellerPlansOffered } from "~/domain/catalogue/catalogue"
import { normalizeEmail } from "~/domain/customers/email"
import { type Choices, choicesOf } from "~/domain/orders/choices"
import type { Order } from "~/domain/orders/order"
import { orPauseOrdering, type PausingServices } from "./pause-on-outage.server"

/**
 * Whether a selection is another than the one that an order was placed with: another plan, other extras, or for another e-mail, as of a
 * buyer who goes back to correct it. Gateway and promo code do not count, and neither do extras that the plan does not have.
 */
export async function isOtherSelection(
  services: PausingServices,
  order: Pick<Order, "kind" | "lines" | "gateway" | "total" | "email">,
  { kind, plan, extraConnection, proxyProtection, email }: Choices,
): Promise<boolean> {
  if (plan === null) return false
  if (isForAnotherEmail(order, email)) return true
  const placed = choicesOf(order)
  if (kind !== placed.kind || plan !== placed.plan) return true
  if (kind === "reseller") return false
  const products = await orPauseOrdering(services, () => services.catalogue.plans(), [])
  const offered = plansOffered(products, order.total.currency).find(({ id }) => id === plan)
  return (
    (extraConnection && Boolean(offered?.extraConnection)) !== placed.extraConnection ||
    (proxyProtection && Boolean(offered?.proxyProtection)) !== placed.proxyProtection
  )
}

/** Whether a selection is for another e-mail than an order is. */
export function isForAnotherEmail(order: Pick<Order, "email">, email: string | null): boolean {
  return email !== null && normalizeEmail(email) !== normalizeEmail(order.email)
}

/** Whether a selection is another than an order's, and of a plan on sale. */
export async function isOtherOnSale(
  services: PausingServices,
  order: Parameters<typeof isOtherSelection>[1],
  choices: Choices,
): Promise<boolean> {
  const onSale = await plansOnSale(services, choices, order.total)
  return onSale.some(({ id }) => id === choices.plan) && isOtherSelection(services, order, choices)
}

/** The plans on sale in a currency, of the kind that is chosen; none while ordering is paused. */
export async function plansOnSale(
  services: PausingServices,
  { kind }: Pick<Choices, "kind">,
  { currency }: Order["total"],
): Promise<readonly Plan[]> {
  const { catalogue } = services
  return kind === "reseller"
    ? resellerPlansOffered(await orPauseOrdering(services, () => catalogue.resellerPlans(), []), currency)
    : plansOffered(await orPauseOrdering(services, () => catalogue.plans(), []), currency)
}
