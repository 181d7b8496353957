import type { CompleteChoices } from "~/domain/choices"
import type { Quote } from "~/domain/pricing"
import type { Services } from "~/services.server"
import { priceChoice } from "./price-choice.server"
import { hostOf } from "./show-offer.server"

export type ReviewProblem = "price-changed" | "payment-not-opened"

export type Review =
  | {
      readonly kind: "review"
      readonly quote: Quote
      readonly email: string
      readonly gatewayHost: string
      /** The order this purchase has made already, while its payment could not be opened. */
      readonly orderId: string | null
      readonly problem: ReviewProblem | null
    }
  | { readonly kind: "rejected" }

type Draft = { choices: CompleteChoices; orderId: string | null; agreedTotal: number }

/** The step before the gateway: what is ordered, and what the visitor must know before he goes on. */
export async function reviewOrder(services: Services, draft: Draft): Promise<Review> {
  const { choices, orderId } = draft
  const order = orderId ? await services.billing.order(orderId) : null
  const { origins } = services.gateways.get(choices.gateway) ?? { origins: [] }
  const facts = { email: choices.email, gatewayHost: hostOf(origins[0]) }
  if (order?.status === "placed") {
    const quote = { lines: order.lines, total: order.total }
    return { kind: "review", ...facts, quote, orderId: order.id, problem: "payment-not-opened" }
  }

  const priced = await priceChoice(services, choices)
  if (priced.kind === "rejected") return { kind: "rejected" }
  const changed = priced.quote.total.minor !== draft.agreedTotal
  return {
    kind: "review",
    ...facts,
    quote: priced.quote,
    orderId: null,
    problem: changed ? "price-changed" : null,
  }
}
