import type { Job } from "~/billing/outbox"
import type { Day, Instant } from "~/domain/calendar"
import type { ProductKind } from "~/domain/catalogue"
import type { Block } from "~/domain/fraud"
import type { Currency } from "~/domain/money"
import type { CreditBalanceRow, CreditEntryRow } from "./credit-rows"
import type { ExternalOrderRow } from "./external-order-rows"
import type { ClientRow, EventRow, LineRow, OrderRow, ServiceRow } from "./order-rows"
import type {
  AttemptRow,
  CreditMovementRow,
  CreditRow,
  GatewayEventRow,
  InvoiceRow,
  PaymentRow,
  RefusedCallbacksRow,
  UnappliedReportRow,
} from "./payment-rows"

/** Every table as the queries see it; the migrations make them. Amounts are minor units. */
export type Tables = {
  products: ProductRow
  promotions: PromotionRow
  clients: ClientRow
  credits: CreditRow
  credit_movements: CreditMovementRow
  credit_entries: CreditEntryRow
  credit_balances: CreditBalanceRow
  orders: OrderRow
  external_orders: ExternalOrderRow
  order_lines: LineRow
  order_events: EventRow
  invoices: InvoiceRow
  services: ServiceRow
  payments: PaymentRow
  payment_attempts: AttemptRow
  gateway_events: GatewayEventRow
  refused_callbacks: RefusedCallbacksRow
  unapplied_reports: UnappliedReportRow
  affiliate_clicks: AffiliateClickRow
  blocks: Block
  outbox: OutboxRow
  leases: LeaseRow
  cursors: BookmarkRow
  ended_sessions: EndedSessionRow
  unresolved_sign_ups: UnresolvedSignUpRow
}

/** `pricing`, `options` and `custom_fields` are JSON text in the words of the catalogue file. */
export type ProductRow = {
  id: string
  kind: ProductKind
  position: number
  name: string
  pay_type: "recurring" | "onetime"
  pricing: string
  options: string
  custom_fields: string
  credits: number | null
}

/** `code_key`: the code however it is typed. A percentage has `basis_points`, a fixed amount the other two. */
export type PromotionRow = {
  code_key: string
  position: number
  code: string
  product_ids: string
  starts_on: Day | null
  ends_on: Day | null
  basis_points: number | null
  amount: number | null
  currency: Currency | null
  max_uses: number | null
  uses: number
}

/** One row per visitor, affiliate and day of the shop's calendar. */
type AffiliateClickRow = {
  affiliate_id: string
  visitor: string
  day: Day
  referer: string | null
  at: Instant
}

/**
 * `parked` jobs wait for the operator, and `discarded` ones are those that the operator has given up; `done` ones stay
 * as proof that they are not to be done again.
 */
export type OutboxRow = {
  id: string
  topic: Job["topic"]
  subject: string
  state: "waiting" | "parked" | "done" | "discarded"
  due: Instant
  /** When `due` was decided, by the clock of whoever did. */
  put_off_at: Instant
  /** Until when a worker has claimed it, as far as it has said yet; in the past where there is none. */
  renewed_until: Instant
  tries: number
  reason: string | null
}

type LeaseRow = { name: string; holder: string; until: Instant }

/** A sign-up that an external billing system was asked for, until it says what came of it. The hash is of the e-mail. */
type UnresolvedSignUpRow = { id: string; email_hash: string; at: Instant }

/** Up to where something has been looked through that is too long for one turn. */
type BookmarkRow = { name: string; place: string }

/** `until`: when the last copy of its cookie has run out by itself. */
type EndedSessionRow = { id: string; until: Instant }
