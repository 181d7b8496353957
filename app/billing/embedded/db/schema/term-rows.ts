import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { TrialMark } from "~/domain/catalogue/trial"
import type { Currency } from "~/domain/money/money"
import type { PlanChangeKind } from "~/domain/services/plan-change"
import type { ServiceEventKind } from "~/domain/services/service-event"

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
  /** Terms at a price with a limited discount, in whose number they are; null: none, or ordered with an earlier version. */
  discounted_terms: number | null
}

/**
 * What an order of kind `plan-change` changes. `former_…`: the service as it was when the order was placed; if it is another one
 * by the time of the payment, the change does not apply. `moved`: value of the unused time. `paid_before`: what had been paid for the
 * service, less refunds. `applied_at` is set once, by fulfilment.
 */
export type PlanChangeRow = {
  order_id: string
  service_id: string
  kind: PlanChangeKind
  former_product_id: string
  former_name: string
  former_cycle: Cycle
  former_anchor: Instant
  former_count: number
  former_connections: number
  product_id: string
  name: string
  cycle: Cycle
  /** Of one cycle, with the extras of the service. */
  price: number
  moved: number
  paid_before: number
  currency: Currency
  starts_at: Instant
  term_anchor: Instant
  term_zone: string
  term_count: number
  extra_days: number
  paid_until: Instant
  applied_at: Instant | null
}

/**
 * The service of an order of kind `upsell` as it was when the order was placed: its connections were priced for this plan. None for
 * orders of earlier versions, and with an external billing. `applied_at` is set once, by fulfilment.
 */
export type UpsellRow = {
  order_id: string
  product_id: string
  cycle: Cycle | null
  term_anchor: Instant | null
  applied_at: Instant | null
}

/** The plan that follows when the paid time of a service ends. `starts_at`: terms of it are paid; null: not yet. */
export type NextPlanRow = {
  service_id: string
  product_id: string
  name: string
  cycle: Cycle
  price: number
  currency: Currency
  chosen_at: Instant
  starts_at: Instant | null
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

/** A mark by which a person has had a free trial: a keyed hash. */
export type TrialClaimRow = {
  mark: TrialMark
  hash: string
  /** Null: the customer was erased. */
  order_id: string | null
  claimed_at: Instant
}
