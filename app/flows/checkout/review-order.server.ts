import type { LoggedServices, Services } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { Quote } from "~/domain/catalogue/pricing"
import type { BuyerPlace } from "~/domain/customers/country"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { hostOf } from "~/domain/host"
import { type Currency, type Money, money } from "~/domain/money/money"
import { type Choices, isComplete } from "~/domain/orders/choices"
import { awaitsConsent, creditUsedBy, type Order } from "~/domain/orders/order"
import { unpaidFinalStatuses } from "~/domain/orders/order-status"
import type { OrderTax } from "~/domain/orders/order-tax"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { usableAccountCredit } from "./available-credit.server"
import { requote } from "./held-order.server"
import { type Agreed, changeSince, priceOrder } from "./quote-choices.server"
import { taxOfQuote } from "./tax-of-quote.server"

export type ReviewError = "price-changed" | "credits-changed" | "credit-changed" | "payment-not-opened"

export type Review =
  | {
      readonly kind: "review"
      readonly quote: Quote
      /** The tax in it; null in a shop that taxes nothing. */
      readonly tax: OrderTax | null
      readonly email: string
      readonly gatewayHost: string
      /** The part that account credit pays. */
      readonly accountCredit: Money
      /** Id of the order already placed by this draft, while its payment could not be created. */
      readonly orderId: string | null
      /** Of a reseller plan that is not ordered yet. */
      readonly credits?: number | undefined
      readonly error: ReviewError | null
    }
  /** External billing has not confirmed the order yet. */
  | { readonly kind: "pending"; readonly orderId: string; readonly placedAt: Instant }
  /** The order is on hold, and there is no newer draft. */
  | { readonly kind: "held"; readonly orderId: string; readonly placedAt: Instant; readonly refused: boolean }
  | { readonly kind: "rejected" }

/** Without a draft nothing is agreed to. */
type Draft = Agreed & {
  choices: Choices
  customer: AuthenticatedCustomer | null
  orderId: string | null
  /** Idempotency key of the draft; missing without one. */
  key?: string | null | undefined
  /** The account credit that the visitor was shown, in minor units; missing if none was. */
  agreedCredit?: number | undefined
  /** Currency of the prices. */
  currency: Currency
  /** Where the buyer is, in a shop that taxes. */
  buyer?: BuyerPlace | undefined
}

/** The review step before the gateway: the quote, and what the visitor must know first. */
export async function reviewOrder(services: LoggedServices, draft: Draft): Promise<Review> {
  const { choices, orderId, agreedTotal, currency, buyer } = draft
  const order = orderId ? await services.billing.order(orderId) : null
  if (order?.status === "placed") return placedBefore(services, order, choices)
  if (order?.status === "fraud" && agreedTotal === null) return heldBefore(services, order, choices)
  if (agreedTotal === null || !isComplete(choices)) return { kind: "rejected" }

  const priced = await priceOrder(services, choices, { currency, buyer })
  if (priced.kind === "rejected") return sentBefore(services, draft)
  const { credits } = priced.plan
  const { email } = choices
  const details = { email, gatewayHost: hostOfGateway(services, choices.gateway) }
  const accountCredit = await usableAccountCredit(services, draft, { email, total: priced.quote.total })
  const error = changeSince(priced, draft) ?? creditChange(accountCredit, priced.quote.total, draft)
  const tax = taxOfQuote(services, priced.quote, buyer)
  return {
    kind: "review",
    ...details,
    accountCredit,
    quote: priced.quote,
    tax,
    orderId: null,
    credits,
    error,
  }
}

/**
 * Review of the order that a draft has placed before, if the answer was lost: its promo code may be used up by that order. Rejected
 * without one that can go on.
 */
async function sentBefore(services: LoggedServices, { key, choices }: Draft): Promise<Review> {
  const order = key ? await services.billing.orderByIdempotencyKey(key) : null
  if (!order || unpaidFinalStatuses.includes(order.status)) return { kind: "rejected" }
  const review = await placedBefore(services, order, choices)
  return review.kind === "review" ? { ...review, error: null } : review
}

/** Whether less account credit is left than the visitor was shown. More of it, or a lower total, needs no word. */
function creditChange(accountCredit: Money, total: Money, { agreedCredit = 0 }: Draft): ReviewError | null {
  return accountCredit.minor < Math.min(agreedCredit, total.minor) ? "credit-changed" : null
}

/** Review of an order on hold; a released one with a changed price is shown with the new price. */
async function heldBefore(services: LoggedServices, order: Order, { email }: Choices): Promise<Review> {
  const { id: orderId, placedAt } = order
  if (!awaitsConsent(order)) return { kind: "held", orderId, placedAt, refused: order.decision === "refused" }
  const requoted = await requote(services, order)
  if (!requoted) return { kind: "rejected" }
  return {
    kind: "review",
    quote: requoted.quote,
    tax: taxOfQuote(services, requoted.quote, order.tax?.buyer),
    email: email ?? "",
    gatewayHost: hostOfGateway(services, order.gateway),
    accountCredit: money(0, order.total.currency),
    orderId: order.id,
    error: "price-changed",
  }
}

/**
 * Review of an order whose payment could not be created: as it was placed; later choices do not matter. An order that
 * waited for external billing continues as if it had just been placed.
 */
async function placedBefore(
  services: Pick<Services, "orderSync" | "payments" | "gateways">,
  order: Order,
  { email }: Choices,
): Promise<Review> {
  if (await services.orderSync?.isBeingPlaced(order.id))
    return { kind: "pending", orderId: order.id, placedAt: order.placedAt }
  const attempt = await services.payments.latestAttempt(order.id)
  return {
    kind: "review",
    quote: { lines: order.lines, total: order.total },
    tax: order.tax ?? null,
    email: email ?? "",
    gatewayHost: hostOfGateway(services, order.gateway),
    accountCredit: creditUsedBy(order),
    orderId: order.id,
    error: attempt ? "payment-not-opened" : null,
  }
}

function hostOfGateway({ gateways }: Pick<Services, "gateways">, id: GatewayId): string {
  return hostOf(gateways.get(id)?.origins[0])
}
