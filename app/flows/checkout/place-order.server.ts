import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import { type Choices, type CompleteChoices, isComplete } from "~/domain/choices"
import type { AuthenticatedCustomer } from "~/domain/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { Quote } from "~/domain/pricing"
import { isOffered } from "~/flows/payments/available-gateways.server"
import { createOrder } from "./create-order.server"
import { agreeToRequote, awaitsConsent } from "./held-order.server"
import { type Priced, priceChoice, validatePromoCode } from "./quote-choices.server"

export type OrderRequest = {
  choices: Choices
  /** Who has proven himself in this browser, if anybody. */
  customer: AuthenticatedCustomer | null
  /** One-time key: the same key is the same order, however often it is sent. Null: nothing was taken to the review. */
  key: string | null
  /** The order this browser has made already, if any: while its payment could not be opened it just goes on. */
  orderId: string | null
  /** The total the visitor has agreed to, in minor units; null when what he sent cannot be understood. */
  agreedTotal: number | null
  locale: LocaleCode
  address: string | null
  /** The random name of this browser. */
  browser: string | null
  affiliateId: string | null
}

export type Placement =
  | { readonly kind: "placed"; readonly order: Order }
  /** He has not agreed to this price yet. It may be in another currency: the only one his account pays in. */
  | { readonly kind: "price-changed"; readonly quote: Quote }
  | { readonly kind: "rejected"; readonly field: "plan" | "promoCode" | "gateway"; readonly reason: string }

/** Prices the choice again and orders it, unless the price is no longer the one that was agreed to. */
export async function placeOrder(services: Services, request: OrderRequest): Promise<Placement> {
  const begun = await goOn(services, request)
  if (begun) return begun

  const { choices, key, customer } = request
  // A reseller's plan needs an account that has been proven.
  const isNobodys = choices.kind === "reseller" && customer === null
  if (key === null || !isComplete(choices) || isNobodys) {
    return { kind: "rejected", field: "plan", reason: "checkout.plan.required" }
  }
  if (!(await isOffered(services, choices.gateway))) {
    return { kind: "rejected", field: "gateway", reason: "checkout.gateway.required" }
  }
  const priced = await priceChoice(services, choices)
  if (priced.kind === "rejected") return priced
  if (priced.quote.total.minor !== request.agreedTotal) return { kind: "price-changed", quote: priced.quote }
  return write(services, { ...request, choices, key }, priced)
}

/** An order this browser has made already, and that asks for something before it can be paid. */
async function goOn(
  services: Services,
  { orderId, key, agreedTotal }: OrderRequest,
): Promise<Placement | null> {
  const order = orderId ? await services.billing.order(orderId) : null
  if (order?.status === "placed") return { kind: "placed", order }
  return order && awaitsConsent(order) && key === null ? agreeToRequote(services, order, agreedTotal) : null
}

type Price = Extract<Priced, { kind: "priced" }>
type Complete = OrderRequest & { choices: CompleteChoices; key: string }

async function write(services: Services, request: Complete, priced: Price): Promise<Placement> {
  try {
    const written = await createOrder(services, { ...request, plan: priced.plan, quote: priced.quote })
    if (written.kind === "written") return { kind: "placed", order: written.order }
    return pricedIn(services, request.choices, written.currency)
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    if (
      priced.promotion === null ||
      (await validatePromoCode(services, priced.promotion.code, priced.plan.id)).ok
    ) {
      throw error
    }
    // Somebody else took the code's last use between our look and our order.
    return { kind: "rejected", field: "promoCode", reason: "promotion.used-up" }
  }
}

async function pricedIn(services: Services, choices: Choices, currency: Currency): Promise<Placement> {
  const priced = await priceChoice(
    { ...services, pricingContext: { ...services.pricingContext, currency } },
    choices,
  )
  return priced.kind === "rejected" ? priced : { kind: "price-changed", quote: priced.quote }
}
