import type { Plan } from "~/domain/catalogue"
import type { CompleteChoices } from "~/domain/choices"
import { newCredentials, newOrderNumber } from "~/domain/credentials"
import type { Proven } from "~/domain/customer"
import type { LocaleCode } from "~/domain/locales"
import { type Order, PAYMENT_DEADLINE } from "~/domain/order"
import type { Quote } from "~/domain/pricing"
import type { Services } from "~/services.server"
import { fraudVerdict, markIfFraud } from "./check-fraud.server"
import { creditMost } from "./usable-credit.server"
import { whereabouts } from "./whereabouts.server"

export type Writing = {
  choices: CompleteChoices
  /** Who has proven himself in this browser, if anybody. */
  customer: Proven | null
  /** The order this browser has in hand. */
  orderId: string | null
  /** One-time key: the same key is the same order, however often it is sent. */
  key: string
  plan: Plan
  quote: Quote
  locale: LocaleCode
  address: string | null
  affiliateId: string | null
}

/**
 * Puts a priced choice into the books: fraud check, customer, order. A suspicious order is written down and marked,
 * so that the operator sees it; nothing can be paid for it. Throws a `BillingError`.
 */
export async function writeOrder(services: Services, writing: Writing): Promise<Order> {
  const { choices, customer, key, plan, quote, locale, affiliateId } = writing
  const { billing, market, draw } = services
  const at = services.now()
  const verdict = await fraudVerdict(services, writing.address)
  const { country, address } = whereabouts(services, writing.address)
  const { customerId } = await billing.identify({
    ...{ email: choices.email, currency: market.currency, country, locale, address, at },
  })
  const order = await billing.placeOrder({
    ...{ key, kind: choices.kind, customerId, quote, locale, address, affiliateId, at },
    proven: customer?.id === customerId,
    creditMost: await creditMost(services, writing, customerId),
    cycle: plan.cycle,
    promoCode: quote.lines.find((line) => line.kind === "discount")?.code ?? null,
    addressAssumed: writing.address === null,
    gateway: choices.gateway,
    connections: quote.lines.some(({ kind }) => kind === "extraConnection") ? 2 : 1,
    credentials: newCredentials(draw),
    number: () => newOrderNumber(draw),
    deadline: at + PAYMENT_DEADLINE,
  })
  return markIfFraud(services, order, verdict)
}
