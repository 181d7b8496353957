import type { Cycle } from "~/domain/billing-cycle"
import type { Instant } from "~/domain/calendar"
import type { ProductKind } from "~/domain/catalogue"
import type { Country } from "~/domain/country"
import type { AccessLevel } from "~/domain/customer"
import type { DeviceAddress } from "~/domain/device-address"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money"
import type { CreditScope, HoldDecision, OrderKind } from "~/domain/order"
import type { OrderStatus } from "~/domain/order-status"
import type { QuoteLine } from "~/domain/pricing"
import type { ServiceStatus } from "~/domain/service"
import type { TimelineKind } from "~/domain/timeline"

type Amount = { amount: number; currency: Currency }

export type ClientRow = {
  id: string
  email_key: string
  email: string
  password_hash: string | null
  /** How far whoever signs in with the password reaches; null while there is none. */
  password_scope: AccessLevel | null
  /** Which sign-up password it is; null with another reach, and until it is first used. */
  password_id: string | null
  locale: LocaleCode
  currency: Currency
  address: string | null
  /** ISO 3166-1; null for clients of before it was kept. */
  country: Country | null
  created_at: Instant
  /** Sessions of before have been ended: all of them, or those of whoever has only signed up; null: none ever. */
  sessions_since: Instant | null
  sign_up_sessions_since: Instant | null
}

/** `service_id`: the service it makes or adds to; null only while the row is being written. */
export type OrderRow = {
  id: string
  kind: OrderKind
  service_id: string | null
  affiliate_id: string | null
  one_time_key: string
  client_id: string
  /**
   * A flag that versions before `access_scope` read: their sign-up passwords open what has it, so it is set for what a
   * sign-up password ordered and for nothing else. In rows they wrote: whoever placed it had proven anything at all.
   */
  proven: 0 | 1
  /** What whoever placed it had proven; null: nothing, or the row is from before this was recorded. */
  access_scope: AccessLevel | null
  /** With the scope `sign-up`: under which password. */
  password_id: string | null
  status: OrderStatus
  promo_key: string | null
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
  /** What one customer of a provider has of it: of IPv6 a /64; null for an address that many have. */
  network: string | null
  /** The random name of the browser it was placed with. */
  browser: string | null
  /** What the operator has decided on it when it was held. */
  decision: HoldDecision | null
  /** Whose account credit may pay it; null for orders from before that was written down: nobody's. */
  credit_scope: CreditScope | null
  placed_at: Instant
  deadline: Instant
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
  /** What it was called before somebody else's books gave it a name. */
  local_id: string | null
  order_id: string
  client_id: string
  product_id: string
  kind: ProductKind
  name: string
  cycle: Cycle | null
  /** Null only for rows without an invoice, of which there are none. */
  currency: Currency | null
  device_address: DeviceAddress | null
  notes: string
  status: ServiceStatus
  username: string
  password: string
  host: string | null
  connections: number
  /** A flag: 0 or 1. */
  proxy_protection: 0 | 1
  created_at: Instant
}
