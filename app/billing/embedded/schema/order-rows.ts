import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money"
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
  locale: LocaleCode
  currency: Currency
  address: string | null
  created_at: Instant
}

export type OrderRow = {
  id: string
  one_time_key: string
  client_id: string
  status: OrderStatus
  promo_key: string | null
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
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
  order_id: string
  client_id: string
  product_id: string
  name: string
  status: ServiceStatus
  username: string
  password: string
  host: string | null
  connections: number
  /** A flag: 0 or 1. */
  proxy_protection: 0 | 1
  created_at: Instant
}
