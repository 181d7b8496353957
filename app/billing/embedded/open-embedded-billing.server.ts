import { sql } from "kysely"
import type { Billing } from "~/billing/billing"
import type { BillingStats, PoolStats } from "~/billing/billing-stats"
import type { BrandVersions } from "~/billing/brand-versions"
import type { CatalogueAdmin } from "~/billing/catalogue/catalogue-admin"
import type { PromotionAdmin } from "~/billing/catalogue/promotion-admin"
import type { ConsoleOverview } from "~/billing/console-overview"
import type { EmailChanges } from "~/billing/customers/email-changes"
import type { SessionRepository } from "~/billing/customers/session-repository"
import type { SignInRequests } from "~/billing/customers/sign-in-requests"
import type { DocumentPolicy } from "~/billing/documents/document-policy"
import type { TaxDocuments } from "~/billing/documents/tax-documents"
import type { MailPolicy, MailRepository } from "~/billing/mail-repository"
import type { ApprovalRepository } from "~/billing/operators/approvals"
import type { AuditLog } from "~/billing/operators/audit-log"
import type { BulkRuns } from "~/billing/operators/bulk-runs"
import type { OperatorRepository } from "~/billing/operators/operators"
import type { StoredSecrets } from "~/billing/operators/stored-secrets"
import type { OrderSync } from "~/billing/orders/order-sync"
import type { StepRepository } from "~/billing/orders/purchase-steps"
import type { PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import type { Trials } from "~/billing/orders/trials"
import type { Outbox } from "~/billing/outbox"
import type { GatewayDrains } from "~/billing/payments/gateway-drains"
import type { GatewayRefundRepository } from "~/billing/payments/gateway-refunds"
import type { PaymentRepository } from "~/billing/payments/payment-repository"
import type { UnmatchedPayments } from "~/billing/payments/unmatched-payments"
import type { RateLimitTable } from "~/billing/rate-limit-table"
import type { Dunning } from "~/billing/services/dunning"
import type { InvoiceRenewals } from "~/billing/services/invoice-renewals"
import type { PlanUpgrades } from "~/billing/services/plan-upgrades"
import type { PriceMoves } from "~/billing/services/price-moves"
import type { TermPolicy } from "~/billing/services/term-policy"
import type { TaxAdmin } from "~/billing/tax-admin"
import type { TaxPolicy } from "~/billing/tax-policy"
import type { WebhookPolicy, WebhookRepository } from "~/billing/webhook-repository"
import type { Instant } from "~/domain/calendar"
import { approvalsOf } from "./admin/approvals.server"
import { auditLogOf } from "./admin/audit-log.server"
import { type BillingAdmin, billingAdmin } from "./admin/billing-admin.server"
import { bulkRunsOf } from "./admin/bulk-runs.server"
import { consoleOverviewOf } from "./admin/console-overview.server"
import { operatorsOf } from "./admin/operators.server"
import { figures } from "./admin/stats.server"
import { storedSecretsOf } from "./admin/stored-secrets.server"
import { watchRestores } from "./backup/watch-restores.server"
import { embeddedBilling } from "./billing.server"
import { brandVersionsOf } from "./brand/brand-versions.server"
import { seedIfEmpty } from "./catalogue/catalogue.server"
import { catalogueAdminOf } from "./catalogue/catalogue-admin.server"
import type { CatalogueFile } from "./catalogue/catalogue-file"
import { promotionAdminOf } from "./catalogue/promotion-admin.server"
import { sessionsOf } from "./customers/sessions.server"
import { signInRequestsOf } from "./customers/sign-in-requests.server"
import { connections, hasDiskFailed, openDatabase } from "./db/database.server"
import { migrate } from "./db/migrate.server"
import { rateLimitTable } from "./db/rate-limit-table.server"
import { type DbContext, withBillingErrors } from "./db/transaction.server"
import { taxDocumentsOf } from "./documents/tax-documents.server"
import { dunningOf } from "./dunning/dunning.server"
import { emailChangesOf } from "./email-changes/email-changes.server"
import { outboxOf } from "./jobs/outbox.server"
import { mailRepository } from "./mail/delivery/mail-repository.server"
import { gatewayDrainsOf } from "./payments/gateway-drains.server"
import { gatewayRefundsOf } from "./payments/gateway-refunds.server"
import { paymentRepository } from "./payments/payment-repository.server"
import { unmatchedPaymentsOf } from "./payments/unmatched-payments.server"
import { stepsOf } from "./purchases/purchase-steps.server"
import { purchaseTransaction } from "./purchases/purchase-transaction.server"
import { trialsOf } from "./purchases/trial-claims.server"
import { priceMovesOf } from "./services/price-move-runs.server"
import { managedTax } from "./tax/tax-admin.server"
import { webhookRepository } from "./webhooks/webhook-repository.server"

export type DatabaseSettings = {
  /** `postgres://…`, or the path of a SQLite file, whose folder must exist. */
  readonly databaseUrl: string
  /** Timeout of each step on a database server, in milliseconds. */
  readonly timeoutMs: number
  readonly newId: () => string
  /** See `DbContext.now`. */
  readonly now?: (() => Instant) | undefined
  /** The messages to enqueue; without it none, since nothing sends them. */
  readonly mail?: MailPolicy | undefined
  /** The rules for terms; without them services have none. */
  readonly terms?: TermPolicy | undefined
  /** See `DbContext.isCreditExternal`. */
  readonly isCreditExternal?: boolean | undefined
  /** When events for the operator's systems are written; without it once there is an endpoint. */
  readonly webhooks?: WebhookPolicy | undefined
  /** Called once when a flush to the SQLite file has failed: the process must exit. */
  readonly onFlushFailed?: (error: Error) => void
}

export type EmbeddedSettings = DatabaseSettings & {
  /** How orders are taxed; without it they are not. */
  readonly tax?: TaxPolicy | undefined
  /** How invoices and credit notes are issued; without it they are not. */
  readonly documents?: DocumentPolicy | undefined
  /** Returns the catalogue for a database without products; called only then. */
  readonly catalogue: () => Promise<CatalogueFile>
}

export type EmbeddedBilling = {
  readonly billing: Billing
  readonly payments: PaymentRepository
  readonly purchase: PurchaseTransaction
  readonly outbox: Outbox
  /** Null without rules for terms: services belong to an external billing. */
  readonly dunning: Dunning | null
  readonly mails: MailRepository
  readonly sessions: SessionRepository
  readonly signInRequests: SignInRequests
  /** Null: an external billing has the customers. */
  readonly emailChanges: EmailChanges | null
  /** Null: an external billing decides who has a free trial. */
  readonly trials: Trials | null
  readonly steps: StepRepository
  /** Null: no other system has the orders. */
  readonly orderSync: OrderSync | null
  /** Null with embedded billing, which keeps the terms itself. */
  readonly invoiceRenewals: InvoiceRenewals | null
  /** Null with embedded billing, which changes plans itself. */
  readonly planUpgrades: PlanUpgrades | null
  readonly operator: BillingAdmin
  readonly operators: OperatorRepository
  readonly auditLog: AuditLog
  readonly approvals: ApprovalRepository
  readonly bulk: BulkRuns
  readonly priceMoves: PriceMoves
  readonly storedSecrets: StoredSecrets
  readonly refunds: GatewayRefundRepository
  readonly unmatched: UnmatchedPayments
  readonly drains: GatewayDrains
  /** Null: an external billing has the promotions. */
  readonly promotions: PromotionAdmin | null
  /** Null: an external billing has the products. */
  readonly catalogue: CatalogueAdmin | null
  /** Invoices and credit notes; there are none of an external billing. */
  readonly documents: TaxDocuments
  /** Null: an external billing taxes. */
  readonly tax: TaxAdmin | null
  /** Brand and texts that the console has set; with external billing too. */
  readonly brand: BrandVersions
  /** See `DbContext.isCreditExternal`. */
  readonly isCreditExternal: boolean
  /** A customer pays in the currency of the account only: an external billing has no other one for a customer. */
  readonly hasSingleCurrency: boolean
  readonly overview: ConsoleOverview
  readonly webhooks: WebhookRepository
  /** Table of rate-limit counters shared by all instances; null for SQLite. */
  readonly counters: RateLimitTable | null
  healthy(): Promise<boolean>
  /** Starts to watch; the returned function tells whether a backup has replaced the database since. */
  watchRestores(): () => Promise<boolean>
  /** Metrics: orders placed since `since`, and waiting orders and jobs at `now`. Throws a `BillingError`. */
  figures(now: Instant, since: Instant): Promise<BillingStats>
  /** Pool statistics of PostgreSQL; null for SQLite. */
  connections(): PoolStats | null
  close(): Promise<void>
}

/** Opens embedded billing: migrates the database and seeds an empty catalogue. Throws a `BillingError`. */
export async function openEmbeddedBilling(settings: EmbeddedSettings): Promise<EmbeddedBilling> {
  const billing = createEmbeddedBilling(await openDatabaseContext(settings))
  try {
    await billing.tax?.refresh()
    return billing
  } catch (error) {
    await billing.close()
    throw error
  }
}

/** Creates the ports of embedded billing on an open, migrated database. */
export function createEmbeddedBilling(opened: DbContext): EmbeddedBilling {
  const tax = opened.tax ? managedTax(opened, opened.tax) : null
  const ctx = { ...opened, tax: tax?.policy }
  return {
    billing: embeddedBilling(ctx),
    payments: paymentRepository(ctx),
    purchase: purchaseTransaction(ctx),
    outbox: outboxOf(ctx),
    dunning: ctx.terms ? dunningOf(ctx) : null,
    mails: mailRepository(ctx),
    sessions: sessionsOf(ctx),
    signInRequests: signInRequestsOf(ctx),
    emailChanges: emailChangesOf(ctx),
    trials: trialsOf(ctx),
    steps: stepsOf(ctx),
    orderSync: null,
    invoiceRenewals: null,
    planUpgrades: null,
    operator: billingAdmin(ctx),
    operators: operatorsOf(ctx),
    auditLog: auditLogOf(ctx),
    approvals: approvalsOf(ctx),
    bulk: bulkRunsOf(ctx),
    priceMoves: priceMovesOf(ctx),
    storedSecrets: storedSecretsOf(ctx),
    refunds: gatewayRefundsOf(ctx),
    unmatched: unmatchedPaymentsOf(ctx),
    drains: gatewayDrainsOf(ctx),
    promotions: promotionAdminOf(ctx),
    catalogue: catalogueAdminOf(ctx),
    documents: taxDocumentsOf(ctx),
    tax: tax?.admin ?? null,
    brand: brandVersionsOf(ctx),
    isCreditExternal: ctx.isCreditExternal ?? false,
    hasSingleCurrency: false,
    overview: consoleOverviewOf(ctx),
    webhooks: webhookRepository(ctx),
    counters: rateLimitTable(ctx),
    healthy: () => isReachable(ctx),
    watchRestores: watchRestores(ctx),
    figures: (now, since) => withBillingErrors(figures(ctx, now, since)),
    connections: () => connections(ctx.db),
    close: () => ctx.db.destroy(),
  }
}

/** Opens and migrates the database; with `catalogue`, seeds an empty one. Throws a `BillingError`. */
export function openDatabaseContext(
  settings: DatabaseSettings & Partial<EmbeddedSettings>,
): Promise<DbContext> {
  return withBillingErrors(opened(settings))
}

async function opened(settings: DatabaseSettings & Partial<EmbeddedSettings>): Promise<DbContext> {
  const { databaseUrl, timeoutMs, newId, now, mail, terms, tax, documents, webhooks } = settings
  const { onFlushFailed, catalogue, isCreditExternal } = settings
  const db = openDatabase({ url: databaseUrl, timeoutMs, onFlushFailed })
  const ctx = { db, newId, now, mail, terms, tax, documents, isCreditExternal, webhooks }
  try {
    await migrate(ctx.db)
    if (catalogue) await seedIfEmpty(ctx, catalogue)
    return ctx
  } catch (error) {
    await ctx.db.destroy()
    throw error
  }
}

async function isReachable({ db }: DbContext): Promise<boolean> {
  // A full disk can still be read.
  if (hasDiskFailed(db)) return false
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}
