import { type BillingError, isRefusedByBilling, PromotionRefusedError } from "~/billing/billing"
import type { Attempt } from "~/billing/payments/payment-repository"
import type { LoggedServices } from "~/context/services.server"
import type { PricingContext, Quote } from "~/domain/catalogue/pricing"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import { type Choices, isComplete } from "~/domain/orders/choices"
import { awaitsConsent, type Order } from "~/domain/orders/order"
import type { Declarations } from "~/domain/orders/sale-terms"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import { creditCoversPurchase } from "./available-credit.server"
import { type CreateOrderInput, createOrder, orCustomerRejected } from "./create-order.server"
import { agreeToRequote } from "./held-order.server"
import { type Agreed, changeSince, type Price, priceChoice, priceOrder } from "./quote-choices.server"
import { messageOf, validatePromoCode } from "./validate-promo-code.server"

/** The agreed total is null if the form is invalid. */
export type OrderRequest = Agreed & {
  choices: Choices
  /** The signed-in customer, if any. */
  customer: AuthenticatedCustomer | null
  /** Idempotency key of the draft: the same key returns the same order. Null without a draft. */
  key: string | null
  /** Id of the session's current order, if any: an order whose payment could not be created continues. */
  orderId: string | null
  pricing: PricingContext
  locale: LocaleCode
  address: string | null
  /** Browser id. */
  browser: string | null
  affiliateId: string | null
  /** What the buyer has declared; absent without any declaration. "missing": the law asks for some that have not been made. */
  declarations?: Declarations | null | "missing"
  /** A bot orders; missing for a person. */
  isBot?: boolean
}

export type Placement =
  /** `attempt`: the attempt that was written with it; null if it is not payable (yet), or was placed before. */
  | { readonly kind: "placed"; readonly order: Order; readonly attempt: Attempt | null }
  /** The visitor has not agreed to this price yet. It may be in another currency: the account's only one. */
  | { readonly kind: "price-changed"; readonly quote: Quote }
  /** The visitor has not agreed to this number of the reseller plan's credits yet. */
  | { readonly kind: "credits-changed"; readonly credits: Price["plan"]["credits"]; readonly total: number }
  | { readonly kind: "rejected"; readonly field: Rejected; readonly reason: string }
  /** Nothing has been placed: this customer has used the promo code as often as one person may. The price without it. */
  | { readonly kind: "code-used"; readonly quote: Quote }
  /** Nothing has been placed: external billing does not take the promo code for this order, without a reason. The price without it. */
  | { readonly kind: "code-refused"; readonly quote: Quote }
  /** Nothing has been placed: billing does not let the customer with this e-mail order. */
  | { readonly kind: "customer-rejected" }
  /** Nothing has been placed: billing does not take this order, for a reason that only the operator understands. */
  | { readonly kind: "order-refused" }

type Rejected = "plan" | "promoCode" | "gateway" | "declarations"

/**
 * Quotes the selection again and places the order if its price and credits are still the agreed ones. A form that was sent before, and
 * whose answer was lost, gets the order that it has placed: its promo code is used up by that order, and its price may have changed since.
 */
export async function placeOrder(services: LoggedServices, request: OrderRequest): Promise<Placement> {
  const started = await goOn(services, request)
  if (started) return started

  const { choices, key, customer } = request
  // A reseller plan needs an authenticated customer.
  const isAnonymous = choices.kind === "reseller" && customer === null
  if (key === null || !isComplete(choices) || isAnonymous) {
    return { kind: "rejected", field: "plan", reason: "checkout.plan.required" }
  }
  const placement = await placeNew(services, { ...request, choices, key })
  return placement.kind === "placed" ? placement : ((await placedBefore(services, key)) ?? placement)
}

async function placedBefore({ billing }: LoggedServices, key: string): Promise<Placement | null> {
  const order = await billing.orderByIdempotencyKey(key)
  return order && { kind: "placed", order, attempt: null }
}

type Sent = OrderRequest & Pick<CreateOrderInput, "choices" | "key">

async function placeNew(services: LoggedServices, request: Sent): Promise<Placement> {
  const { choices, declarations } = request
  if (declarations === "missing")
    return { kind: "rejected", field: "declarations", reason: "checkout.declare.consent" }
  const priced = await priceOrder(services, choices, request.pricing)
  if (priced.kind === "rejected") return priced
  const { total } = priced.quote
  const refused = await refusedGateway(services, choices.gateway, () =>
    creditCoversPurchase(services, request, { email: choices.email, total }),
  )
  if (refused) return refused
  return changed(priced, request) ?? orderAtPrice(services, { ...request, declarations }, priced)
}

/** What to show first because it is not as the visitor agreed to it; null: nothing. */
function changed(price: Price, request: OrderRequest): Placement | null {
  const kind = changeSince(price, request)
  const { plan, quote } = price
  if (kind === "credits-changed") return { kind, credits: plan.credits, total: quote.total.minor }
  return kind && { kind, quote }
}

/** Continues an order of this session that is not payable yet. */
async function goOn(
  services: LoggedServices,
  { orderId, key, agreedTotal }: OrderRequest,
): Promise<Placement | null> {
  const order = orderId ? await services.billing.order(orderId) : null
  if (order?.status === "placed") return { kind: "placed", order, attempt: null }
  if (!order || !awaitsConsent(order) || key !== null) return null
  const agreed = await orCustomerRejected(services, () => agreeToRequote(services, order, agreedTotal))
  return agreed.kind === "placed" ? { ...agreed, attempt: null } : agreed
}

type Complete = Sent & Pick<CreateOrderInput, "declarations">

async function orderAtPrice(services: LoggedServices, request: Complete, priced: Price): Promise<Placement> {
  try {
    const written = await createOrder(services, { ...request, plan: priced.plan, quote: priced.quote })
    if (written.kind === "written") return { ...written, kind: "placed" }
    if (written.kind === "customer-rejected") return written
    return await pricedIn(services, request, written.currency)
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    const explained = await rejectedBy(services, { request, priced, error })
    if (explained) return explained
    services.log.error({ err: error }, "order refused by billing")
    return { kind: "order-refused" }
  }
}

type RefusedOrder = { readonly request: Complete; readonly priced: Price; readonly error: BillingError }

/** Null if nothing that a buyer can change explains the refusal: promo code, price or payment method. */
async function rejectedBy(
  services: LoggedServices,
  { request, priced, error }: RefusedOrder,
): Promise<Placement | null> {
  const reason = error instanceof PromotionRefusedError ? error.reason : null
  if (reason === "used-by-person") return withoutCode(services, request, "code-used")
  const explained =
    (await rejectedCode(services, priced)) ??
    (await changedSince(services, request)) ??
    (await goneGateway(services, request))
  return explained || reason === null ? explained : withoutCode(services, request, "code-refused")
}

/** What has changed in the price since it was agreed to; null: nothing. */
async function changedSince(services: LoggedServices, request: Complete): Promise<Placement | null> {
  const priced = await priceChoice(services, request.choices, request.pricing)
  return priced.kind === "rejected" ? priced : changed(priced, request)
}

/** Whether billing has stopped taking the payment method since it was offered; one that nothing is paid by is named to billing too. */
async function goneGateway(services: LoggedServices, { choices }: Complete): Promise<Placement | null> {
  services.catalogue.expire()
  return refusedGateway(services, choices.gateway, async () => false)
}

async function withoutCode(
  services: LoggedServices,
  { choices, pricing }: Complete,
  kind: "code-used" | "code-refused",
): Promise<Placement> {
  const priced = await priceChoice(services, { ...choices, promoCode: null }, pricing)
  return priced.kind === "priced" ? { kind, quote: priced.quote } : priced
}

/** Whether an order was refused for its promo code: it was used up since it was validated, or cannot be checked now. */
async function rejectedCode(services: LoggedServices, { promotion, plan }: Price): Promise<Placement | null> {
  const verdict =
    promotion &&
    (await validatePromoCode(services, promotion.code, {
      planId: plan.id,
      cycle: plan.cycle,
      currency: plan.price.currency,
    }))
  if (verdict === null || verdict.ok) return null
  const isStated = verdict.reason === "unchecked" || verdict.reason === "by-billing"
  return { kind: "rejected", field: "promoCode", reason: isStated ? messageOf(verdict) : "promotion.used-up" }
}

/** A customer who can pay only in a currency without a price for the plan is rejected like any other who cannot order. */
async function pricedIn(
  services: LoggedServices,
  { choices, pricing: { buyer } }: Complete,
  currency: Currency,
): Promise<Placement> {
  const priced = await priceChoice(services, choices, { currency, buyer })
  if (priced.kind === "priced") return { kind: "price-changed", quote: priced.quote }
  if (priced.field !== "plan") return priced
  services.log.warn({ currency, plan: choices.plan }, "customer rejected: currency not sold")
  return { kind: "customer-rejected" }
}
