import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import type { Country } from "~/domain/customers/country"
import type { AccessLevel } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import type { AccountCreditScope, HoldDecision, OrderKind } from "~/domain/orders/order"
import type { OrderStatus } from "~/domain/orders/order-status"
import type { TimelineKind } from "~/domain/orders/timeline"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { DeviceAddress } from "~/domain/services/device-address"
import type { ServiceStatus, SuspensionOwner } from "~/domain/services/service"

type Amount = { amount: number; currency: Currency }

export type ClientRow = {
  id: string
  email_key: string
  email: string
  password_hash: string | null
  /** Access level that the password proves; null without a password. */
  password_scope: AccessLevel | null
  /** Id of the sign-up password; null with another scope, and until it is first used. */
  password_id: string | null
  locale: LocaleCode
  currency: Currency
  address: string | null
  /** ISO 3166-1; null for clients older than this column. */
  country: Country | null
  created_at: Instant
  /** When the customer last proved to receive mail at this address; null: not proven, or before this column. */
  email_proven_at: Instant | null
  /** Earlier sessions are ended: all, or (next column) those with sign-up scope; null: none were ended. */
  sessions_since: Instant | null
  sign_up_sessions_since: Instant | null
  /** `Business` as JSON; null: a consumer. */
  business: string | null
  /** `ExternalCustomer.key`; null: not known; empty: external billing has given the customer's id to another one. */
  external_key: string | null
}

/** `service_id`: the service it creates or extends; null only while the row is being written. */
export type OrderRow = {
  id: string
  kind: OrderKind
  service_id: string | null
  affiliate_id: string | null
  one_time_key: string
  client_id: string
  /**
   * Flag for versions before `access_scope`, whose sign-up passwords cover orders with it. Set only for orders placed
   * under a sign-up password. In rows written by those versions: the buyer was authenticated in any way.
   */
  proven: 0 | 1
  /** The buyer's access scope when ordering; null: not authenticated, or the row is older than this column. */
  access_scope: AccessLevel | null
  /** With the scope `sign-up`: id of the password. */
  password_id: string | null
  status: OrderStatus
  promo_key: string | null
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
  /** The IPv4 address or IPv6 /64 network; null for private and reserved addresses. */
  network: string | null
  /** Random id of the browser. */
  browser: string | null
  /** The operator's decision on an order on hold. */
  decision: HoldDecision | null
  /** Which account credit may pay it; null (none) for orders older than this column. */
  credit_scope: AccountCreditScope | null
  placed_at: Instant
  deadline: Instant
  /** `SaleTerms` as JSON. */
  sale_terms: string | null
  /** Length of the free trial that was ordered; null: it is none. */
  trial_hours: number | null
  /** 1: its steps are not counted; null: they are. */
  is_uncounted: number | null
  /** Credits of the reseller plan that was ordered; null: it is none, or was ordered before they were kept. */
  credits: number | null
  /** 1: they are for an account that the buyer has by the payment, if there is one; null: for the account that the order opens. */
  adds_credits: number | null
  /** `OrderTax` as JSON; null: the shop taxed nothing. */
  tax: string | null
  /** `TaxAtRate`s of the external billing system's invoice as JSON; null: it has stated none. */
  external_tax: string | null
  /** When its business was confirmed, after it was sold to with tax; null: it was not. */
  tax_corrected_at: Instant | null
}

export type LineRow = Amount & {
  order_id: string
  position: number
  kind: QuoteLine["kind"]
  product_id: string | null
  option_id: string | null
  choice_id: string | null
  code: string | null
  name: string | null
  quantity: number | null
  /** The amount with the tax that was taken off for a business that owes it itself; null: none was. */
  listed: number | null
}

export type EventRow = {
  order_id: string
  position: number
  kind: TimelineKind
  at: Instant
  amount: number | null
  currency: Currency | null
  reference: string | null
}

export type ServiceRow = {
  id: string
  /** Former local id, before external billing assigned one. */
  local_id: string | null
  order_id: string
  client_id: string
  product_id: string
  kind: ProductKind
  name: string
  cycle: Cycle | null
  /** Nullable for rows without an invoice, which do not exist. */
  currency: Currency | null
  device_address: DeviceAddress | null
  /** Asked of the panel, which has not confirmed it; null: none. */
  device_requested: DeviceAddress | null
  notes: string
  status: ServiceStatus
  username: string
  password: string
  host: string | null
  connections: number
  proxy_protection: 0 | 1
  created_at: Instant
  /** Start of the paid time; null without a term. `paid_until` is computed from it and the next three columns. */
  term_anchor: Instant | null
  /** Time zone in which months and days are counted (IANA). */
  term_zone: string | null
  /** Billing cycles paid since the anchor. */
  term_count: number
  /** Calendar days given by the operator, after the cycles. */
  extra_days: number
  /** End of the paid time; null: no end. */
  paid_until: Instant | null
  /** Nothing is suspended or terminated before this; null: no limit. */
  not_before: Instant | null
  suspended_at: Instant | null
  suspension_owner: SuspensionOwner | null
  suspension_reason: string | null
  /** Minor units of one cycle with its options, before any discount; null: the catalogue's price. */
  renewal_price: number | null
  /** Taken off each of the next `discounted_terms` terms. */
  renewal_discount: number
  /** Null: all further terms. */
  discounted_terms: number | null
  /** When the customer said not to renew. */
  declined_at: Instant | null
  decline_reason: string | null
  /** Consent to renew from account credit. */
  balance_renewal: 0 | 1
  /** The next step about the end of the term (a reminder, suspension, termination), and when it is due. */
  next_step: string | null
  next_step_at: Instant | null
  /** A payment in flight holds the steps since then. */
  held_since: Instant | null
  /** Price of one cycle that the operator has announced, and from when on it is charged; null: none. */
  announced_price: number | null
  announced_from: Instant | null
  /** When its plan was last changed; null: never. */
  plan_changed_at: Instant | null
  /** Length of its free trial, until a paid term follows; null: it is none any more. */
  trial_hours: number | null
}
