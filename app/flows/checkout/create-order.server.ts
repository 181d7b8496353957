import { CustomerRejectedError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import type { Plan } from "~/domain/catalogue"
import type { CompleteChoices } from "~/domain/choices"
import { type AuthenticatedCustomer, scopeFor } from "~/domain/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { PricingContext, Quote } from "~/domain/pricing"
import { accountCreditScope } from "./available-credit.server"
import { holdReason } from "./check-fraud.server"
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
}

export type CreateOrderResult =
  | { readonly kind: "written"; readonly order: Order }
  /** No order was created: the customer can be charged in this currency only, and the price is in another. */
  | { readonly kind: "pays-in"; readonly currency: Currency }
  /** No order was created: billing does not let the customer with this e-mail order. */
  | { readonly kind: "customer-rejected" }

/**
 * Creates the order of a priced selection: finds or creates the customer, runs the fraud check, stores the order. A flagged
 * order is stored on hold, where the operator sees it and nothing can be paid. Idempotent by `key`. Throws `BillingError`.
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
  writing: CreateOrderInput,
): Promise<CreateOrderResult> {
  const { choices, customer, key, plan, quote, pricing, locale, affiliateId, browser } = writing
  const { billing, now } = services
  const { country, address } = customerLocation(services, {
    country: pricing.country,
    address: writing.address,
  })
  const { customerId, requiredCurrency } = await billing.identify({
    email: choices.email,
    currency: pricing.currency,
    country,
    locale,
    address,
    at: now(),
  })
  if (requiredCurrency !== null && requiredCurrency !== quote.total.currency)
    return { kind: "pays-in", currency: requiredCurrency }
  const order = newOrder(services, {
    key,
    kind: choices.kind,
    customerId,
    accessScope: scopeFor(customerId, customer),
    accountCreditScope: accountCreditScope(writing, customerId),
    holdReason: await holdReason(services, {
      address: writing.address,
      country: pricing.country,
      browser,
      customerId,
      customer,
    }),
    plan,
    quote,
    gateway: choices.gateway,
    locale,
    address: writing.address,
    browser,
    affiliateId,
  })
  return { kind: "written", order: await billing.placeOrder(order) }
}
