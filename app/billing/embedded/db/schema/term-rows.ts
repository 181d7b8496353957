import type { Instant } from "~/domain/calendar"
import type { Currency } from "~/domain/money"
import type { ServiceEventKind } from "~/domain/service-event"

/** The timeline of a service. `detail`: JSON. */
export type ServiceEventRow = {
  service_id: string
  position: number
  kind: ServiceEventKind
  at: Instant
  detail: string | null
}

/** What an order of kind `renewal` renews. `amount` is after the discount; `applied_at` is set once, by fulfilment. */
export type RenewalItemRow = {
  order_id: string
  service_id: string
  position: number
  terms: number
  amount: number
  currency: Currency
  applied_at: Instant | null
  /** End of the paid time that it has led to; null until then. */
  paid_until: Instant | null
}

/** Days given to all services of a product (null: every product) that were active at `active_at`. */
export type TermCampaignRow = {
  id: string
  reason: string
  days: number
  product_id: string | null
  active_at: Instant
  created_at: Instant
  undone_at: Instant | null
}

/** A service that a campaign has extended, once. */
export type TermCampaignItemRow = {
  campaign_id: string
  service_id: string
  days: number
  applied_at: Instant
  undone_at: Instant | null
}
