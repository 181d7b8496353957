import type { OrderRepository } from "~/billing/orders/order-repository"
import type { BuyerPlace, Country } from "~/domain/customers/country"
import { type AuthenticatedCustomer, scopeFor } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Order, OrderKind } from "~/domain/orders/order"
import type { SaleTerms } from "~/domain/orders/sale-terms"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Service } from "~/domain/services/service"
import { accountCreditScope } from "~/flows/checkout/available-credit.server"

/** Input that orders for an existing service have in common. */
export type ServiceOrderRequest = {
  /** The signed-in customer, if any. */
  customer: AuthenticatedCustomer | null
  /** Id of the session's current order. */
  orderId: string | null
  /** Idempotency key of the form. */
  key: string
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
  country: Country
  /** By what the country is known; absent in a shop that taxes nothing. */
  buyer?: BuyerPlace | undefined
  /** Browser id; null without one. */
  browser: string | null
  /** What applies to the sale by the buyer's country; null: nothing. */
  saleTerms?: SaleTerms | null
}

/** What an order for a service of a customer has of its form and of who sends it. */
export function fieldsOfRequest(request: ServiceOrderRequest, customerId: string) {
  const { key, gateway, locale, customer, browser, address, saleTerms } = request
  return {
    key,
    gateway,
    locale,
    customerId,
    accessScope: scopeFor(customerId, customer),
    accountCreditScope: accountCreditScope(request, customerId),
    browser,
    address,
    saleTerms,
  }
}

/** `Field`: where a form shows the reason. */
export type ServicePlacement<Field extends string> =
  | { readonly kind: "placed"; readonly order: Order }
  | Rejection<Field>

type Rejection<Field> = { readonly kind: "rejected"; readonly field: Field; readonly reason: string }

/** The outcome of a form that is refused: the field, and the message key of the reason. */
export function rejected<Field extends string>(field: Field, reason: string): Rejection<Field> {
  return { kind: "rejected", field, reason }
}

/** What a form orders. */
type Ordered = { readonly kind: OrderKind; readonly service: Pick<Service, "id" | "customerId"> }

type SentForm = Pick<ServiceOrderRequest, "key"> & Ordered

/** Whether an order is what a form has ordered: one with its key may be another's. */
export function isOfForm(order: Order, { kind, service }: Ordered): boolean {
  return order.kind === kind && order.serviceId === service.id && order.customerId === service.customerId
}

/**
 * Answers a refused form with the order that it has placed before, whose answer was lost or is on its way: that order may be why the
 * form is refused now. Otherwise returns the refusal.
 */
export async function orSentBefore<Field extends string>(
  { billing }: { readonly billing: Pick<OrderRepository, "orderByIdempotencyKey"> },
  placement: ServicePlacement<Field>,
  { key, ...ordered }: SentForm,
): Promise<ServicePlacement<Field>> {
  if (placement.kind === "placed") return placement
  const order = await billing.orderByIdempotencyKey(key)
  return order && isOfForm(order, ordered) ? { kind: "placed", order } : placement
}
