import type { BuyerPlace, Country } from "~/domain/country"
import type { AuthenticatedCustomer } from "~/domain/customer"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import type { Order } from "~/domain/order"
import type { SaleTerms } from "~/domain/shop/country-law"

/** Input that orders for an existing service have in common. */
export type ServiceOrderRequest = {
  /** The signed-in customer, if any. */
  customer: AuthenticatedCustomer | null
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

/** `Field`: where a form shows the reason. */
export type ServicePlacement<Field extends string> =
  | { readonly kind: "placed"; readonly order: Order }
  | Rejection<Field>

type Rejection<Field> = { readonly kind: "rejected"; readonly field: Field; readonly reason: string }

export function rejected<Field extends string>(field: Field, reason: string): Rejection<Field> {
  return { kind: "rejected", field, reason }
}
