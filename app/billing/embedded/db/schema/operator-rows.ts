import type { PriceMoveEnd, PriceMoveKind } from "~/billing/services/price-moves"
import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { BulkAction, BulkItemState, BulkList, BulkSkip } from "~/domain/console/bulk"
import type { HourlyFigure } from "~/domain/console/console-need"
import type { Currency } from "~/domain/money/money"
import type { ApprovedAction } from "~/domain/operators/approval"
import type { OperatorRole } from "~/domain/operators/operator"

/**
 * A person who may use the console. Without `password_hash` the one-time link has not been used. `totp_secret` is
 * encrypted. `totp_counter`: time step of the last code that was used; only later ones are accepted. `access_at`: when the account
 * was added, or last got a one-time link; null: when it was added. `counts_at_once`: 1 if the admin CLI has added it while the console
 * was set up.
 */
export type OperatorRow = {
  id: string
  email_key: string
  email: string
  role: OperatorRole
  created_at: Instant
  disabled_at: Instant | null
  password_hash: string | null
  totp_secret: string | null
  totp_counter: number
  /** SHA-256 of the token of the one-time link; null without an unused link. */
  link_hash: string | null
  link_until: Instant | null
  access_at: Instant | null
  counts_at_once: number
}

/** A recovery code that has not been used. */
export type OperatorRecoveryCodeRow = { operator_id: string; code_hash: string }

/** `token_hash`: SHA-256 of the cookie's token. `proven_at`: when password and code were last given. */
export type OperatorSessionRow = {
  id: string
  token_hash: string
  operator_id: string
  created_at: Instant
  used_at: Instant
  proven_at: Instant
  ended_at: Instant | null
  address: string | null
  browser: string | null
}

/**
 * Append-only log of what operators did. `operator`: e-mail, or "admin CLI". `before` and `after`: JSON. `form_key`: each
 * form acts once. `form_typed`: tells whether the same is typed in a form that is sent again. `hash` covers the row without it, as earlier
 * versions know it, and the hash of the row before.
 */
export type AuditLogRow = {
  position: number
  at: Instant
  operator_id: string | null
  operator: string
  action: string
  subject: string
  outcome: "started" | "done" | "failed"
  reason: string | null
  before: string | null
  after: string | null
  form_key: string | null
  form_typed: string | null
  previous_hash: string
  hash: string
}

/** Sum of a closed hour, by currency; an hour without anything has a row of 0. */
export type HourlySumRow = {
  hour: Instant
  figure: HourlyFigure
  currency: Currency
  count: number
  amount: number
}

/** Something that needs a person, and the operator who has taken it. */
export type TakenNeedRow = { need: string; operator_id: string; at: Instant }

/** An internal note. `operator`: e-mail, or "admin CLI". */
export type OrderNoteRow = { id: string; order_id: string; at: Instant; operator: string; text: string }

/** `placed_at`: the time of the order, by which tagged orders are listed. */
export type OrderTagRow = {
  order_id: string
  tag: string
  at: Instant
  operator: string
  placed_at: Instant
}

/** A request that waits for a second operator. `details`: JSON. `result`: what became of it; null: nothing yet. */
export type ApprovalRow = {
  id: string
  action: ApprovedAction
  order_id: string | null
  client_id: string | null
  amount: number
  currency: Currency
  details: string
  reason: string
  operator_id: string | null
  operator: string
  at: Instant
  expires_at: Instant
  decision: "confirmed" | "refused" | null
  decided_by: string | null
  decided_at: Instant | null
  result: string | null
}

/** An action on many rows. `conditions`: JSON of the filter that has chosen them. */
export type BulkRunRow = {
  id: string
  list: BulkList
  action: BulkAction
  conditions: string
  days: number | null
  reason: string
  operator_id: string | null
  operator: string
  at: Instant
  stopped_at: Instant | null
  stopped_by: string | null
  finished_at: Instant | null
}

/** Announcement of another price to the services of a plan. `place`: the last service that it has come to. */
export type PriceMoveRow = {
  id: string
  kind: PriceMoveKind
  product_id: string
  cycle: Cycle
  currency: Currency
  price: number | null
  starts_at: Instant
  reason: string
  operator_id: string | null
  operator: string
  at: Instant
  place: string
  services: number
  unpriced: number
  ended_at: Instant | null
  problem: PriceMoveEnd | null
}

/** A chosen row. `mark`: what the action depends on, when it was chosen. `detail`: why it was skipped. */
export type BulkItemRow = {
  run_id: string
  position: number
  item: string
  mark: string
  state: BulkItemState
  detail: BulkSkip | null
  at: Instant | null
}
