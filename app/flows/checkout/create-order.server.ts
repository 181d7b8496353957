import { CustomerRejectedError } from "~/billing/billing"
import type { PurchasePorts } from "~/billing/orders/purchase-transaction"
import type { Attempt } from "~/billing/payments/payment-repository"
import type { LoggedServices } from "~/context/services.server"
import type { Plan } from "~/domain/catalogue/catalogue"
import type { PricingContext, Quote } from "~/domain/catalogue/pricing"
import type { NewTrial } from "~/domain/catalogue/trial"
import { type AuthenticatedCustomer, scopeFor } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import type { CompleteChoices } from "~/domain/orders/choices"
import type { Order } from "~/domain/orders/order"
import { paidStatuses, payableStatuses } from "~/domain/orders/order-status"
import type { Declarations } from "~/domain/orders/sale-terms"
import { saleTermsOf } from "~/domain/shop/country-law"
import { countOrderStep } from "~/flows/payments/count-order-step.server"
import { attemptFor } from "~/flows/payments/open-payment.server"
import { accountCreditScope } from "./available-credit.server"
import { addressVerdict, fraudVerdict } from "./check-fraud.server"
import { customerLocation } from "./customer-location.server"
import { newOrder } from "./new-order.server"

export type CreateOrderInput = {
  choices: CompleteChoices
  /** The signed-in customer, if any. */
  customer: AuthenticatedCustomer | null
  /** Id of the session's current order. */
  orderId: string | null
  /** Idempotency key: the same key returns the same order. */
  key: string
  plan: Plan
  quote: Quote
  /** Country of the visitor and currency of the quote. */
  pricing: PricingContext
  locale: LocaleCode
  address: string | null
  /** Browser id; null without one. */
  browser: string | null
  affiliateId: string | null
  /** What the buyer has declared; missing without any declaration. */
  declarations?: Declarations | null
  /** A free trial; missing for what is paid. */
  trial?: NewTrial
  /** A bot orders; missing for a person. */
  isBot?: boolean
}

/** No order was created: the customer can be charged in this currency only, and the price is in another. */
type PaysIn = { readonly kind: "pays-in"; readonly currency: Currency }

export type CreateOrderResult =
  /** `attempt`: the first attempt to pay it; null if it is not payable (yet). */
  | { readonly kind: "written"; readonly order: Order; readonly attempt: Attempt | null }
  | PaysIn
  /** No order was created: billing does not let the customer with this e-mail order. */
  | { readonly kind: "customer-rejected" }

/**
 * Creates the order of a priced selection in one transaction: asks external billing about the address, finds or creates the
 * customer, runs the shop's own fraud check, which needs to know the customer, and stores the order and its first payment attempt. A
 * flagged order is stored on hold, where the operator sees it and nothing can be paid. Idempotent by `key`. Throws `BillingError`.
 */
export async function createOrder(
  services: LoggedServices,
  writing: CreateOrderInput,
): Promise<CreateOrderResult> {
  return orCustomerRejected(services, () => identifyAndPlace(services, writing))
}

/** Runs a step that orders for a customer; `customer-rejected` if billing does not let this customer order. */
export async function orCustomerRejected<T>(
  { log }: Pick<LoggedServices, "log">,
  act: () => Promise<T>,
): Promise<T | { readonly kind: "customer-rejected" }> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof CustomerRejectedError)) throw error
    log.warn({ err: error }, "customer rejected by billing")
    return { kind: "customer-rejected" }
  }
}

async function identifyAndPlace(
  services: LoggedServices,
  input: CreateOrderInput,
): Promise<CreateOrderResult> {
  const result = await services.purchase((ports) => writePurchase(services, ports, input))
  if (result.kind === "pays-in") return result
  const { order, attempt, holdReason } = result
  if (holdReason !== null) services.log.warn({ reason: holdReason }, "order flagged as fraud")
  // Account credit or a promo code has paid all of it: no gateway will report it.
  if (paidStatuses.includes(order.status)) countOrderStep(services, "paid", order)
  return { kind: "written", order, attempt }
}

type Written = {
  readonly kind: "written"
  readonly order: Order
  readonly attempt: Attempt | null
  readonly holdReason: string | null
}

/** The writes of a purchase. The order's fraud verdict is stored with it: see `fraudVerdict`. */
async function writePurchase(
  services: LoggedServices,
  ports: PurchasePorts,
  input: CreateOrderInput,
): Promise<Written | PaysIn> {
  const { choices, customer, key, plan, quote, pricing, locale, affiliateId, browser } = input
  const { country, address } = customerLocation(services, {
    country: pricing.country,
    address: input.address,
  })
  const ofAddress = await addressVerdict(services, ports, input.address)
  const { customerId, requiredCurrency } = await ports.identify({
    email: choices.email,
    currency: pricing.currency,
    country,
    locale,
    address,
    at: services.now(),
  })
  if (requiredCurrency !== null && requiredCurrency !== quote.total.currency)
    return { kind: "pays-in", currency: requiredCurrency }
  const orderer = { address: input.address, country: pricing.country, browser, customerId, customer }
  const ofOrder = await fraudVerdict({ ...services, billing: ports }, orderer)
  const verdict = ofOrder.valid ? ofAddress : ofOrder
  const holdReason = verdict.valid ? null : verdict.reason
  const order = await ports.placeOrder(
    newOrder(services, {
      key,
      kind: choices.kind,
      customerId,
      accessScope: scopeFor(customerId, customer),
      accountCreditScope: accountCreditScope(input, customerId),
      holdReason,
      plan,
      addsCredits: true,
      quote,
      gateway: choices.gateway,
      locale,
      address: input.address,
      browser,
      affiliateId,
      trial: input.trial,
      // A trial is no purchase.
      isUncounted: input.isBot === true || input.trial !== undefined,
      buyer: pricing.buyer,
      saleTerms: saleTermsOf(services.shop.legal.law, pricing.country, input.declarations ?? null),
    }),
  )
  return {
    kind: "written",
    order,
    holdReason,
    attempt: await firstAttempt(services, ports, { order, choices }),
  }
}

/** The attempt to pay a payable order. Null if there is nothing to pay, or the gateway is gone. */
async function firstAttempt(
  services: Pick<LoggedServices, "gateways" | "newId" | "now">,
  { findOrCreateAttempt }: PurchasePorts,
  { order, choices }: { order: Order; choices: CompleteChoices },
): Promise<Attempt | null> {
  const gateway = services.gateways.get(order.gateway)
  if (!findOrCreateAttempt || !gateway || !payableStatuses.includes(order.status)) return null
  return attemptFor({ ...services, payments: { findOrCreateAttempt } }, order, {
    method: { coin: choices.coin },
    gateway,
  })
}
