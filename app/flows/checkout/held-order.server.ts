import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import { choicesOf } from "~/domain/choices"
import { type Order, PAYMENT_DEADLINE } from "~/domain/order"
import type { Quote } from "~/domain/pricing"
import { extraFor, quoteUpsell } from "~/domain/upsell"
import { type Pricing, priceChoice } from "./quote-choices.server"

export type Requote = { readonly quote: Quote; readonly promoCode: string | null }

/** What an order costs now, without a code that no longer holds; null when it is not for sale any more. */
export async function requote(services: Pricing, order: Order): Promise<Requote | null> {
  if (order.kind === "line") return { quote: { lines: order.lines, total: order.total }, promoCode: null }
  if (order.kind === "upsell") return requoteUpsell(services, order)
  const { currency } = order.total
  const there = { ...services, pricingContext: { ...services.pricingContext, currency } }
  const choices = { ...choicesOf(order), email: null }
  const priced = await priceChoice(there, choices)
  if (priced.kind === "priced") return { quote: priced.quote, promoCode: choices.promoCode }
  if (priced.field === "plan") return null
  const without = await priceChoice(there, { ...choices, promoCode: null })
  return without.kind === "priced" ? { quote: without.quote, promoCode: null } : null
}

async function requoteUpsell({ billing }: Pricing, order: Order): Promise<Requote | null> {
  const service = await billing.service(order.serviceId)
  if (service?.status !== "Active") return null
  const products = [...(await billing.plans()), ...(await billing.resellerPlans())]
  const product = products.find(({ id }) => id === service.productId)
  const extra = product && extraFor(service, product)
  const bought = order.lines.reduce((sum, it) => sum + (it.kind === "moreConnections" ? it.quantity : 0), 0)
  return extra ? { quote: quoteUpsell(extra, bought), promoCode: null } : null
}

/** A released order whose price no longer holds: its buyer is asked whether the new one will do. */
export function awaitsConsent({ status, decision }: Order): boolean {
  return status === "fraud" && decision === "released"
}

export type Released =
  /** It goes on as it was ordered. */
  | { readonly kind: "released"; readonly order: Order }
  /** Its price or its code no longer holds: the buyer is asked. */
  | { readonly kind: "buyer-is-asked"; readonly order: Order }
  /** It is not held, or has been decided on. */
  | { readonly kind: "not-held"; readonly order: Order }

/**
 * Lets a held order go on by the operator's word, with a new deadline. Null: no such order. Throws `BillingError`
 * "refused" where a reseller has no credits left for his line.
 */
export async function releaseOrder(
  services: Pricing,
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

/** Null when somebody else took the code's last use between our look and the release. */
async function released({ billing }: Pricing, held: Order, release: Release): Promise<Order | null> {
  try {
    return await billing.releaseOrder(held.id, { ...release, quoteHolds: true })
  } catch (error) {
    const isCode = choicesOf(held).promoCode !== null
    if (!(error instanceof BillingError) || error.kind !== "refused" || !isCode) throw error
    return null
  }
}

export type Consent =
  | { readonly kind: "placed"; readonly order: Order }
  | { readonly kind: "price-changed"; readonly quote: Quote }
  | { readonly kind: "rejected"; readonly field: "plan"; readonly reason: string }

/** The buyer agrees to what his released order costs now: the total he was shown, in minor units. */
export async function agreeToRequote(
  services: Services,
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
