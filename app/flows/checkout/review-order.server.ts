import type { Services } from "~/context/services.server"
import { type Choices, isComplete } from "~/domain/choices"
import type { AuthenticatedCustomer } from "~/domain/customer"
import type { GatewayId } from "~/domain/gateway-id"
import { hostOf } from "~/domain/host"
import { type Money, money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { Quote } from "~/domain/pricing"
import { usableCredit } from "./available-credit.server"
import { awaitsConsent, requote } from "./held-order.server"
import { priceChoice } from "./quote-choices.server"

export type ReviewProblem = "price-changed" | "payment-not-opened"

export type Review =
  | {
      readonly kind: "review"
      readonly quote: Quote
      readonly email: string
      readonly gatewayHost: string
      /** What the customer's credit pays of it. */
      readonly credit: Money
      /** The order this purchase has made already, while its payment could not be opened. */
      readonly orderId: string | null
      readonly problem: ReviewProblem | null
    }
  /** Whether external billing has the order is not known yet. */
  | { readonly kind: "pending"; readonly orderId: string }
  /** The order is held as suspicious, and nothing else has been taken to this step since. */
  | { readonly kind: "held"; readonly orderId: string; readonly refused: boolean }
  | { readonly kind: "rejected" }

/** `agreedTotal` in minor units; null when nothing was taken to the review step. */
type Draft = {
  choices: Choices
  customer: AuthenticatedCustomer | null
  orderId: string | null
  agreedTotal: number | null
}

/** The step before the gateway: what is ordered, and what the visitor must know before he goes on. */
export async function reviewOrder(services: Services, draft: Draft): Promise<Review> {
  const { choices, orderId, agreedTotal } = draft
  const order = orderId ? await services.billing.order(orderId) : null
  if (order?.status === "placed") return placedBefore(services, order, choices)
  if (order?.status === "fraud" && agreedTotal === null) return heldBefore(services, order, choices)
  if (agreedTotal === null || !isComplete(choices)) return { kind: "rejected" }

  const priced = await priceChoice(services, choices)
  if (priced.kind === "rejected") return { kind: "rejected" }
  const problem = priced.quote.total.minor === agreedTotal ? null : "price-changed"
  const { email } = choices
  const facts = { email, gatewayHost: hostOfGateway(services, choices.gateway) }
  const credit = await usableCredit(services, draft, { email, total: priced.quote.total })
  return { kind: "review", ...facts, credit, quote: priced.quote, orderId: null, problem }
}

/** One that has been released at a price that no longer holds is shown with the new one, to be agreed to. */
async function heldBefore(services: Services, order: Order, { email }: Choices): Promise<Review> {
  if (!awaitsConsent(order)) return { kind: "held", orderId: order.id, refused: order.decision === "refused" }
  const requoted = await requote(services, order)
  if (!requoted) return { kind: "rejected" }
  return {
    kind: "review",
    quote: requoted.quote,
    email: email ?? "",
    gatewayHost: hostOfGateway(services, order.gateway),
    credit: money(0, order.total.currency),
    orderId: order.id,
    problem: "price-changed",
  }
}

/**
 * An order whose payment could not be opened stands as it was placed, whatever has been chosen since. Nothing has been
 * tried yet for one that external billing had to be asked about first: it goes on as if it had just been placed.
 */
async function placedBefore(services: Services, order: Order, { email }: Choices): Promise<Review> {
  if (await services.billing.isOnItsWay(order.id)) return { kind: "pending", orderId: order.id }
  const attempt = await services.payments.latestAttempt(order.id)
  return {
    kind: "review",
    quote: { lines: order.lines, total: order.total },
    email: email ?? "",
    gatewayHost: hostOfGateway(services, order.gateway),
    credit: money(Math.max(0, -order.credited.minor), order.total.currency),
    orderId: order.id,
    problem: attempt ? "payment-not-opened" : null,
  }
}

function hostOfGateway({ gateways }: Services, id: GatewayId): string {
  return hostOf(gateways.get(id)?.origins[0])
}
