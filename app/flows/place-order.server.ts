import { BillingError } from "~/billing/billing"
import { type Choices, type CompleteChoices, isComplete } from "~/domain/choices"
import { newCredentials, newOrderNumber } from "~/domain/credentials"
import type { LocaleCode } from "~/domain/locales"
import { type Order, PAYMENT_DEADLINE } from "~/domain/order"
import type { Quote } from "~/domain/pricing"
import type { Services } from "~/services.server"
import { priceChoice } from "./price-choice.server"

export type OrderRequest = {
  choices: Choices
  /** One-time key: the same key is the same order, however often it is sent. Null: nothing was taken to the review. */
  key: string | null
  /** The order this browser has made already, if any: while its payment could not be opened it just goes on. */
  orderId: string | null
  /** The total the visitor has agreed to, in minor units; null when what he sent cannot be understood. */
  agreedTotal: number | null
  locale: LocaleCode
  address: string | null
}

export type Placement =
  | { readonly kind: "placed"; readonly order: Order }
  | { readonly kind: "price-changed"; readonly quote: Quote }
  | { readonly kind: "rejected"; readonly field: "plan" | "promoCode"; readonly reason: string }

/** Prices the choice again and orders it, unless the price is no longer the one that was agreed to. */
export async function placeOrder(services: Services, request: OrderRequest): Promise<Placement> {
  const begun = request.orderId ? await services.billing.order(request.orderId) : null
  if (begun?.status === "placed") return { kind: "placed", order: begun }

  const { choices, key } = request
  if (key === null || !isComplete(choices)) {
    return { kind: "rejected", field: "plan", reason: "checkout.plan.required" }
  }
  const priced = await priceChoice(services, choices)
  if (priced.kind === "rejected") return priced
  if (priced.quote.total.minor !== request.agreedTotal) return { kind: "price-changed", quote: priced.quote }
  const promoCode = priced.promotion?.code ?? null
  return write(services, { ...request, choices, key }, { quote: priced.quote, promoCode })
}

type Complete = OrderRequest & { choices: CompleteChoices; key: string }
type Price = { quote: Quote; promoCode: string | null }

async function write(services: Services, request: Complete, { quote, promoCode }: Price): Promise<Placement> {
  const { choices, key, locale, address } = request
  const { billing, shop, draw } = services
  const at = services.now()
  const { customerId } = await billing.identify({
    ...{ email: choices.email, currency: shop.currency, locale, address, at },
  })
  try {
    const order = await billing.placeOrder({
      ...{ key, customerId, quote, promoCode, locale, address, at },
      gateway: choices.gateway,
      connections: quote.lines.some(({ kind }) => kind === "extraConnection") ? 2 : 1,
      credentials: newCredentials(draw),
      number: () => newOrderNumber(draw),
      deadline: at + PAYMENT_DEADLINE,
    })
    return { kind: "placed", order }
  } catch (error) {
    // Somebody else took the code's last use between our look and our order.
    const lost = promoCode !== null && error instanceof BillingError && error.kind === "refused"
    if (lost) return { kind: "rejected", field: "promoCode", reason: "promotion.used-up" }
    throw error
  }
}
