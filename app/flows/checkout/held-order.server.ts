import { isRefusedByBilling } from "~/billing/billing"
import type { Customers } from "~/billing/customers/customers"
import type { HeldOrders, OrderRepository } from "~/billing/orders/order-repository"
import type { Renewals } from "~/billing/services/renewals"
import type { ServiceRepository } from "~/billing/services/service-repository"
import type { LoggedServices, Services } from "~/context/services.server"
import type { Quote } from "~/domain/catalogue/pricing"
import { choicesOf } from "~/domain/orders/choices"
import { awaitsConsent, type Order, PAYMENT_DEADLINE } from "~/domain/orders/order"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
import { priceRenewals } from "./price-renewal.server"
import { priceUpsell } from "./price-upsell.server"
import { pricedFor, pricedForCustomer } from "./priced-for.server"
import { type Pricing, priceChoice } from "./quote-choices.server"

export type Requote = { readonly quote: Quote; readonly promoCode: string | null }

/** Services that the quote of a placed order depends on. */
type Requoting = Pricing &
  Pick<Services, "vatNumbers"> & {
    readonly billing: Pick<ServiceRepository, "service"> &
      Pick<Renewals, "renewalItems" | "renewalTerms"> &
      Pick<Customers, "businessOf" | "countryOf">
    readonly shop: Pick<Services["shop"], "terms" | "timeZone" | "tax">
  }

/** Services that decide about an order on hold. */
type HoldServices = Requoting & { readonly billing: Pick<OrderRepository, "order"> & HeldOrders }

/** Current quote of an order for its buyer, without a promo code that is no longer valid; null if a product is no longer available. */
export async function requote(services: Requoting, order: Order): Promise<Requote | null> {
  const buyer = order.tax?.buyer
  const priced = buyer
    ? pricedFor(services, async () => buyer)
    : pricedForCustomer(services, order.customerId)
  return requoteAt(priced, order)
}

async function requoteAt(services: Requoting, order: Order): Promise<Requote | null> {
  // A free trial stays free.
  if (order.trialHours !== undefined)
    return { quote: { lines: order.lines, total: order.total }, promoCode: null }
  // The figures of a change of plan are those of the time at which they were shown.
  if (order.kind === "line" || order.kind === "topup" || order.kind === "plan-change")
    return { quote: { lines: order.lines, total: order.total }, promoCode: null }
  if (order.kind === "upsell") return requoteUpsell(services, order)
  if (order.kind === "renewal") return requoteRenewal(services, order)
  const terms = { currency: order.total.currency, buyer: order.tax?.buyer }
  const choices = { ...choicesOf(order), email: null }
  const priced = await priceChoice(services, choices, { ...terms, customerId: order.customerId })
  if (priced.kind === "priced") return { quote: priced.quote, promoCode: choices.promoCode }
  if (priced.field === "plan") return null
  const without = await priceChoice(services, { ...choices, promoCode: null }, terms)
  return without.kind === "priced" ? { quote: without.quote, promoCode: null } : null
}

async function requoteUpsell(services: Requoting, order: Order): Promise<Requote | null> {
  const { billing } = services
  const service = await billing.service(order.serviceId)
  if (service?.status !== "Active") return null
  const price = await priceUpsell(services, billing, { service, buyer: order.tax?.buyer })
  const bought = order.lines.reduce((sum, it) => sum + (it.kind === "moreConnections" ? it.quantity : 0), 0)
  return price && { quote: price.quote(bought), promoCode: null }
}

async function requoteRenewal(services: Requoting, order: Order): Promise<Requote | null> {
  const { billing } = services
  const items = await billing.renewalItems(order.id)
  const found = await Promise.all(items.map(({ serviceId }) => billing.service(serviceId)))
  const priced = await priceRenewals(services, billing, {
    candidates: found.filter((it) => it !== null),
    buyer: order.tax?.buyer,
  })
  const lines = items.flatMap((item) => {
    const renewal = priced.find(({ service }) => service.id === item.serviceId)
    const choice = renewal?.choices.find(({ cycles }) => cycles === item.cycles)
    return renewal && choice ? [renewalLine(renewal.service, { ...item, amount: choice.total })] : []
  })
  return lines.length === items.length ? { quote: renewalQuote(lines), promoCode: null } : null
}

export type Released =
  /** The order continues unchanged. */
  | { readonly kind: "released"; readonly order: Order }
  /** Price or promo code changed: the buyer has to accept. */
  | { readonly kind: "buyer-is-asked"; readonly order: Order }
  /** The order is not on hold, or has been decided already. */
  | { readonly kind: "not-held"; readonly order: Order }

/**
 * Releases an order on hold for the operator, with a new deadline. Null for an unknown order. Throws `BillingError`
 * "refused" if the reseller has no credits left for the line, or no active plan.
 */
export async function releaseOrder(
  services: HoldServices,
  id: string,
  reference: string,
): Promise<Released | null> {
  const { billing, now } = services
  const held = await billing.order(id)
  if (!held) return null
  if (held.status !== "fraud" || held.decision !== null) return { kind: "not-held", order: held }
  const requoted = await requote(services, held)
  const { promoCode } = choicesOf(held)
  const quoteHolds = requoted?.quote.total.minor === held.total.minor && requoted.promoCode === promoCode
  const release = { at: now(), deadline: now() + PAYMENT_DEADLINE, reference }
  const order =
    (quoteHolds && (await released(services, held, release))) ||
    (await billing.releaseOrder(id, { ...release, quoteHolds: false }))
  if (!order) return null
  return { kind: awaitsConsent(order) ? "buyer-is-asked" : "released", order }
}

type Release = { readonly at: number; readonly deadline: number; readonly reference: string }

/** Null if a concurrent order redeemed the promotion's last use since it was validated. */
async function released({ billing }: HoldServices, held: Order, release: Release): Promise<Order | null> {
  try {
    return await billing.releaseOrder(held.id, { ...release, quoteHolds: true })
  } catch (error) {
    const isCode = choicesOf(held).promoCode !== null
    if (!isRefusedByBilling(error) || !isCode) throw error
    return null
  }
}

export type Refused =
  | { readonly kind: "refused"; readonly order: Order }
  /** The order is not on hold, or has been refused already. */
  | { readonly kind: "not-held"; readonly order: Order }

/**
 * Refuses an order on hold for the operator, for good; also one that is released and awaits the buyer's consent. Null for
 * an unknown order.
 */
export async function refuseOrder(
  { billing, now }: Pick<HoldServices, "billing" | "now">,
  id: string,
  reference: string,
): Promise<Refused | null> {
  const held = await billing.order(id)
  if (!held) return null
  if (held.status !== "fraud" || held.decision === "refused") return { kind: "not-held", order: held }
  const order = await billing.refuseOrder(id, { at: now(), reference })
  return order && { kind: "refused", order }
}

export type Consent =
  | { readonly kind: "placed"; readonly order: Order }
  | { readonly kind: "price-changed"; readonly quote: Quote }
  | { readonly kind: "rejected"; readonly field: "plan"; readonly reason: string }

/** The buyer accepts the new price of a released order. `total`: the amount shown, in minor units. */
export async function agreeToRequote(
  services: LoggedServices,
  order: Order,
  agreedTotal: number | null,
): Promise<Consent> {
  const requoted = await requote(services, order)
  if (!requoted) return { kind: "rejected", field: "plan", reason: "checkout.plan.gone" }
  if (requoted.quote.total.minor !== agreedTotal) return { kind: "price-changed", quote: requoted.quote }
  const at = services.now()
  const terms = { ...requoted, at, deadline: at + PAYMENT_DEADLINE }
  return { kind: "placed", order: await services.billing.requoteOrder(order.id, terms) }
}
