import type { ExternalOrderRow } from "~/billing/external/mirror/external-order-row"
import type { Job } from "~/billing/outbox"
import type { VersionOrigin } from "~/billing/versions"
import type { Day, Instant } from "~/domain/calendar"
import type { ProductKind, RenewalPrice } from "~/domain/catalogue/catalogue"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import type { Block } from "~/domain/orders/fraud"
import type { PurchaseStep } from "~/domain/orders/purchase-step"
import type { CoinReference } from "~/domain/payments/coin-reference"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { ResellerCreditBalanceRow, ResellerCreditEntryRow } from "./credit-rows"
import type { DunningBrakeRow, OutageRow } from "./dunning-rows"
import type {
  EmailChangeRow,
  FormerEmailRow,
  MailRow,
  MailSuppressionRow,
  SignInRequestRow,
} from "./mail-rows"
import type {
  ApprovalRow,
  AuditLogRow,
  BulkItemRow,
  BulkRunRow,
  HourlySumRow,
  OperatorRecoveryCodeRow,
  OperatorRow,
  OperatorSessionRow,
  OrderNoteRow,
  OrderTagRow,
  PriceMoveRow,
  TakenNeedRow,
} from "./operator-rows"
import type { ClientRow, EventRow, LineRow, OrderRow, ServiceRow } from "./order-rows"
import type {
  AccountCreditMovementRow,
  AccountCreditRow,
  AttemptRow,
  GatewayDrainRow,
  GatewayEventRow,
  GatewayRefundRow,
  InvoiceRow,
  OrderRefundRow,
  OutsidePaymentRow,
  PaymentRow,
  RefusedCallbacksRow,
  RejectedCallbackRow,
  UnappliedReportRow,
  UnmatchedPaymentRow,
} from "./payment-rows"
import type { DocumentNumberRow, TaxDocumentRow } from "./tax-document-rows"
import type {
  NextPlanRow,
  PlanChangeRow,
  RenewalItemRow,
  ServiceEventRow,
  TermCampaignItemRow,
  TermCampaignRow,
  TrialClaimRow,
  UpsellRow,
} from "./term-rows"
import type { EventStreamRow, WebhookDeliveryRow, WebhookEndpointRow, WebhookEventRow } from "./webhook-rows"

/** Types of all tables for Kysely; the migrations create them. Amounts are minor units, instants milliseconds. */
export type Tables = {
  products: ProductRow
  catalogue_versions: VersionRow
  tax_versions: VersionRow
  brand_versions: VersionRow
  brand_drafts: BrandDraftRow
  promotions: PromotionRow
  promotion_codes: PromotionCodeRow
  clients: ClientRow
  credits: AccountCreditRow
  credit_movements: AccountCreditMovementRow
  credit_entries: ResellerCreditEntryRow
  credit_balances: ResellerCreditBalanceRow
  orders: OrderRow
  external_orders: ExternalOrderRow
  order_lines: LineRow
  order_events: EventRow
  invoices: InvoiceRow
  services: ServiceRow
  service_events: ServiceEventRow
  renewal_items: RenewalItemRow
  plan_changes: PlanChangeRow
  upsells: UpsellRow
  next_plans: NextPlanRow
  trial_claims: TrialClaimRow
  outages: OutageRow
  dunning_brakes: DunningBrakeRow
  term_campaigns: TermCampaignRow
  term_campaign_items: TermCampaignItemRow
  payments: PaymentRow
  outside_payments: OutsidePaymentRow
  document_numbers: DocumentNumberRow
  tax_documents: TaxDocumentRow
  payment_attempts: AttemptRow
  gateway_events: GatewayEventRow
  gateway_refunds: GatewayRefundRow
  order_refunds: OrderRefundRow
  gateway_drains: GatewayDrainRow
  refused_callbacks: RefusedCallbacksRow
  rejected_callbacks: RejectedCallbackRow
  unapplied_reports: UnappliedReportRow
  unmatched_payments: UnmatchedPaymentRow
  affiliate_clicks: AffiliateClickRow
  purchase_steps: PurchaseStepRow
  blocks: Block
  outbox: OutboxRow
  leases: LeaseRow
  cursors: BookmarkRow
  ended_sessions: EndedSessionRow
  unresolved_sign_ups: UnresolvedSignUpRow
  mails: MailRow
  mail_suppressions: MailSuppressionRow
  sign_in_requests: SignInRequestRow
  operators: OperatorRow
  operator_recovery_codes: OperatorRecoveryCodeRow
  operator_sessions: OperatorSessionRow
  audit_log: AuditLogRow
  hourly_sums: HourlySumRow
  taken_needs: TakenNeedRow
  order_notes: OrderNoteRow
  order_tags: OrderTagRow
  approvals: ApprovalRow
  bulk_runs: BulkRunRow
  price_moves: PriceMoveRow
  bulk_items: BulkItemRow
  email_changes: EmailChangeRow
  former_emails: FormerEmailRow
  coin_references: CoinReferenceRow
  webhook_events: WebhookEventRow
  event_streams: EventStreamRow
  webhook_endpoints: WebhookEndpointRow
  webhook_deliveries: WebhookDeliveryRow
}

/** `pricing`, `options` and `custom_fields` are JSON text in the format of the catalogue file. */
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
  /** What a renewal costs: the price of the service (`kept`), or the catalogue's (`current`). Null: `kept`. */
  renewal_price: RenewalPrice | null
  /** Days from the end of the term to the suspension; null: the shop's. */
  grace_days: number | null
  /** Length of the free trial; null: there is none. */
  trial_hours: number | null
  /** 1: new buyers are not offered it. */
  is_hidden: number | null
  /** JSON as in the catalogue file; null: none. */
  scheduled_prices: string | null
}

/**
 * A state of what operators change and can take back. `author`: null for one that was found. `taken_from`: the version that was
 * taken back to. `form_key`: of the console's form that has made it.
 */
export type VersionRow = {
  number: number
  at: Instant
  author: string | null
  reason: string | null
  how: VersionOrigin
  taken_from: number | null
  /** JSON in the format of the catalogue file or the shop file; null, of the rules of tax: the shop file's. */
  content: string | null
  form_key: string | null
}

/** What was typed and not saved yet, for the preview. */
export type BrandDraftRow = { id: string; at: Instant; content: string }

/** `code_key`: normalized code. A percentage has `basis_points`; a fixed amount has `amount` and `currency`. */
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
  /** Renewals that the discount covers too; null: none, -1: all. */
  renewals: number | null
  /** Billing cycles, separated by commas; null: all. */
  cycles: string | null
  /** Most orders of one customer; null: any number. */
  uses_per_person: number | null
  /** When an operator has switched it off; null: it is on. */
  off_since: Instant | null
}

/**
 * A code that is good for one order, at the terms of its promotion. `order_id`: the order that holds it; null: it is unused, or
 * withdrawn.
 */
export type PromotionCodeRow = {
  code_key: string
  promotion_key: string
  created_at: Instant
  order_id: string | null
  withdrawn_at: Instant | null
}

/** One row per visitor, affiliate and calendar day of the shop. */
type AffiliateClickRow = {
  affiliate_id: string
  visitor: string
  day: Day
  referer: string | null
  at: Instant
}

/** Sum of a step by day, plan, gateway and language; an empty plan or gateway: not chosen yet. */
export type PurchaseStepRow = {
  day: Day
  step: PurchaseStep
  plan: string
  gateway: GatewayId | ""
  locale: LocaleCode
  count: number
}

/**
 * `parked`: failed, waits for the operator. `discarded`: discarded by the operator. `done`: completed; the row stays so
 * that the job is not enqueued again.
 */
export type OutboxRow = {
  id: string
  topic: Job["topic"]
  subject: string
  state: "waiting" | "parked" | "done" | "discarded"
  due: Instant
  /** When `due` was set, by the clock of the instance that set it. */
  put_off_at: Instant
  /** End of the worker's claim as last renewed; in the past if no worker has claimed the job. */
  renewed_until: Instant
  tries: number
  reason: string | null
}

type LeaseRow = { name: string; holder: string; until: Instant }

/** Sign-up sent to external billing, until its outcome is known. `email_hash`: see `signUpHash`. */
type UnresolvedSignUpRow = { id: string; email_hash: string; at: Instant }

/** Address or transaction of a payment in a coin. `reference_key`: see `coinReferenceKey`. `at`: when the provider first named it. */
type CoinReferenceRow = CoinReference & { attempt_id: string; reference_key: string; at: Instant }

/** Cursor of a sweep that spans several runs. */
type BookmarkRow = { name: string; place: string }

/** `until`: when the last copy of the session cookie expires. */
type EndedSessionRow = { id: string; until: Instant }
