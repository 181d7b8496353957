import { type Kysely, sql } from "kysely"
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration"
import { BillingError } from "~/billing/billing"
import { isShared, lockSetup } from "./engines/postgresql.server"
import { presentName, renameFormerMigrations } from "./former-migrations.server"
import { catalogue } from "./migrations/0001-catalogue"
import { orders } from "./migrations/0002-orders"
import { money } from "./migrations/0003-money"
import { jobs } from "./migrations/0004-jobs"
import { visitors } from "./migrations/0005-visitors"
import { customersSide } from "./migrations/0006-customers-side"
import { resellerCredits } from "./migrations/0007-reseller-credits"
import { resellerProgramme } from "./migrations/0008-reseller-programme"
import { settlement } from "./migrations/0009-settlement"
import { refusedCallbacks } from "./migrations/0010-refused-callbacks"
import { externalOrders } from "./migrations/0011-external-orders"
import { rateLimits } from "./migrations/0012-rate-limits"
import { growth } from "./migrations/0013-growth"
import { accessScope } from "./migrations/0014-access-scope"
import { endedSessions } from "./migrations/0015-ended-sessions"
import { heldOrders } from "./migrations/0016-held-orders"
import { refundsAndReports } from "./migrations/0017-refunds-and-reports"
import { paymentEnds } from "./migrations/0018-payment-ends"
import { longJobs } from "./migrations/0019-long-jobs"
import { standardNames } from "./migrations/0020-standard-names"
import { mail } from "./migrations/0021-mail"
import { terms } from "./migrations/0022-terms"
import { renewals } from "./migrations/0023-renewals"
import { dunning } from "./migrations/0024-dunning"
import { campaigns } from "./migrations/0025-campaigns"
import { steps } from "./migrations/0026-steps"
import { law } from "./migrations/0027-law"
import { operators } from "./migrations/0028-operators"
import { orderSearch } from "./migrations/0029-order-search"
import { approvals } from "./migrations/0030-approvals"
import { customersAndServices } from "./migrations/0031-customers-and-services"
import { gatewayRefunds } from "./migrations/0032-gateway-refunds"
import { taggedOrders } from "./migrations/0033-tagged-orders"
import { customerApprovals } from "./migrations/0034-customer-approvals"
import { bulkRuns } from "./migrations/0035-bulk-runs"
import { unmatchedPayments } from "./migrations/0037-unmatched-payments"
import { emailChanges } from "./migrations/0038-email-changes"
import { planChanges } from "./migrations/0039-plan-changes"
import { webhooks } from "./migrations/0040-webhooks"
import { failedJobs } from "./migrations/0041-failed-jobs"
import { trials } from "./migrations/0043-trials"
import { backgroundReads } from "./migrations/0047-background-reads"
import { gatewayDrains } from "./migrations/0048-gateway-drains"
import { uncountedOrders } from "./migrations/0049-uncounted-orders"
import { promotionLimits } from "./migrations/0051-promotion-limits"
import { mailCounts } from "./migrations/0053-mail-counts"
import { eventStreams } from "./migrations/0055-event-streams"
import { promotionCodes } from "./migrations/0056-promotion-codes"
import { resellers } from "./migrations/0057-resellers"
import { orderTax } from "./migrations/0058-order-tax"
import { mailLists } from "./migrations/0061-mail-lists"
import { auditFilters } from "./migrations/0062-audit-filters"
import { catalogueVersions } from "./migrations/0063-catalogue-versions"
import { affiliates } from "./migrations/0064-affiliates"
import { taxDocuments } from "./migrations/0065-tax-documents"
import { businesses } from "./migrations/0066-businesses"
import { accounting } from "./migrations/0067-accounting"
import { taxVersions } from "./migrations/0068-tax-versions"
import { operatorConsole } from "./migrations/0069-operator-console"
import { brandVersions } from "./migrations/0070-brand-versions"
import { mailRecipients } from "./migrations/0071-mail-recipients"
import { upsells } from "./migrations/0072-upsells"
import { discountedRenewals } from "./migrations/0073-discounted-renewals"
import { buyerEmails } from "./migrations/0074-buyer-emails"
import { latePayments } from "./migrations/0075-late-payments"
import { orderedCredits } from "./migrations/0076-ordered-credits"
import { orderRefunds } from "./migrations/0079-order-refunds"
import { outsidePayments } from "./migrations/0080-outside-payments"
import { operatorAccess } from "./migrations/0082-operator-access"
import { numbersAndDevices } from "./migrations/0085-numbers-and-devices"
import { operatorsOfSetUp } from "./migrations/0087-operators-of-set-up"
import { formerEmails } from "./migrations/0088-former-emails"
import { coinReferences } from "./migrations/0089-coin-references"
import { priceMoves } from "./migrations/0090-price-moves"
import { returnedPrices } from "./migrations/0092-returned-prices"
import { formsSentAgain } from "./migrations/0093-forms-sent-again"
import { ordersAddingCredits } from "./migrations/0095-orders-adding-credits"
import { externalCustomers } from "./migrations/0096-external-customers"
import { requestedDevices } from "./migrations/0097-requested-devices"
import { scheduledPrices } from "./migrations/0098-scheduled-prices"
import { paymentsByAmount } from "./migrations/0099-payments-by-amount"
import { refundEvents } from "./migrations/0100-refund-events"
import type { Tables } from "./schema/schema"

/** Migrations, applied in the order of their names. A released migration never changes; add a new one instead. */
export const migrations: Record<string, Migration> = {
  "0001-catalogue": catalogue,
  "0002-orders": orders,
  "0003-money": money,
  "0004-jobs": jobs,
  "0005-visitors": visitors,
  "0006-customers-side": customersSide,
  "0007-reseller-credits": resellerCredits,
  "0008-reseller-programme": resellerProgramme,
  "0009-settlement": settlement,
  "0010-refused-callbacks": refusedCallbacks,
  "0011-beside": externalOrders,
  "0012-rate-limits": rateLimits,
  "0013-growth": growth,
  "0014-access-scope": accessScope,
  "0015-ended-sessions": endedSessions,
  "0016-held-orders": heldOrders,
  "0017-refunds-and-reports": refundsAndReports,
  "0018-payment-ends": paymentEnds,
  "0019-long-jobs": longJobs,
  "0020-standard-names": standardNames,
  "0021-mail": mail,
  "0022-terms": terms,
  "0023-renewals": renewals,
  "0024-dunning": dunning,
  "0025-campaigns": campaigns,
  "0026-steps": steps,
  "0027-law": law,
  "0028-operators": operators,
  "0029-order-search": orderSearch,
  "0030-approvals": approvals,
  "0031-customers-and-services": customersAndServices,
  "0032-gateway-refunds": gatewayRefunds,
  "0033-tagged-orders": taggedOrders,
  "0034-customer-approvals": customerApprovals,
  "0035-bulk-runs": bulkRuns,
  "0037-unmatched-payments": unmatchedPayments,
  "0038-email-changes": emailChanges,
  "0039-plan-changes": planChanges,
  "0040-webhooks": webhooks,
  "0041-failed-jobs": failedJobs,
  "0043-trials": trials,
  "0047-background-reads": backgroundReads,
  "0048-gateway-drains": gatewayDrains,
  "0049-uncounted-orders": uncountedOrders,
  "0051-promotion-limits": promotionLimits,
  "0053-mail-counts": mailCounts,
  "0055-event-streams": eventStreams,
  "0056-promotion-codes": promotionCodes,
  "0057-resellers": resellers,
  "0058-order-tax": orderTax,
  "0061-mail-lists": mailLists,
  "0062-audit-filters": auditFilters,
  "0063-catalogue-versions": catalogueVersions,
  "0064-affiliates": affiliates,
  "0065-tax-documents": taxDocuments,
  "0066-businesses": businesses,
  "0067-accounting": accounting,
  "0068-tax-versions": taxVersions,
  "0069-operator-console": operatorConsole,
  "0070-brand-versions": brandVersions,
  "0071-mail-recipients": mailRecipients,
  "0072-upsells": upsells,
  "0073-discounted-renewals": discountedRenewals,
  "0074-buyer-emails": buyerEmails,
  "0075-late-payments": latePayments,
  "0076-ordered-credits": orderedCredits,
  "0079-order-refunds": orderRefunds,
  "0080-outside-payments": outsidePayments,
  "0082-operator-access": operatorAccess,
  "0085-numbers-and-devices": numbersAndDevices,
  "0087-operators-of-set-up": operatorsOfSetUp,
  "0088-former-emails": formerEmails,
  "0089-coin-references": coinReferences,
  "0090-price-moves": priceMoves,
  "0092-returned-prices": returnedPrices,
  "0093-forms-sent-again": formsSentAgain,
  "0095-orders-adding-credits": ordersAddingCredits,
  "0096-external-customers": externalCustomers,
  "0097-requested-devices": requestedDevices,
  "0098-scheduled-prices": scheduledPrices,
  "0099-payments-by-amount": paymentsByAmount,
  "0100-refund-events": refundEvents,
}

/** Schema that this version needs: the name of the last migration. */
export const latestMigration = Object.keys(migrations).sort().at(-1) ?? ""

/**
 * Migrates the tables to the latest schema, in one transaction, whichever migrations they have; empty tables also to an earlier
 * `schema`. Idempotent and safe for concurrent processes. Rethrows the error of a failed migration. Throws `BillingError` "refused" if
 * the schema is newer than this version supports.
 */
export async function migrate(db: Kysely<Tables>, schema = latestMigration): Promise<void> {
  const applied = await schemasOf(db)
  const ahead = applied.find((name) => !isKnownSchema(name))
  if (ahead)
    throw new BillingError(
      "refused",
      `Database schema ${ahead} is newer than this version supports (${latestMigration}). Run the newer version, or restore an older backup into an empty database. No changes were made.`,
    )
  // Nearly every start: nothing is locked, nor looked at again.
  if (Object.keys(migrations).every((name) => applied.includes(name))) return
  // A restore migrates within its own transaction.
  if (db.isTransaction) return migrateAlone(db, presentName(schema))
  await db.transaction().execute((tx) => migrateAlone(tx, presentName(schema)))
}

/** Migrates in the current transaction, once no other instance does. */
async function migrateAlone(tx: Kysely<Tables>, schema: string): Promise<void> {
  if (isShared(tx)) await lockSetup(tx)
  await renameFormerMigrations(tx, await schemasOf(tx))
  await migrateTables(tx, schema)
}

async function migrateTables(db: Kysely<Tables>, schema: string): Promise<void> {
  const provider = { getMigrations: async () => migrations }
  // A migration can be finished after one with a later name, with which a version has run until then.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true })
  // `migrateTo` would run nothing where the latest was applied before an earlier one.
  const { error } = await (schema === latestMigration
    ? migrator.migrateToLatest()
    : migrator.migrateTo(schema))
  if (error) throw error
}

/** Whether this version can migrate a schema, under its present or a former name. */
export function isKnownSchema(schema: string): boolean {
  return Object.hasOwn(migrations, presentName(schema))
}

/** Clears the history of migrations, after all tables were dropped. */
export async function resetMigrationHistory(db: Kysely<Tables>): Promise<void> {
  await sql`delete from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
}

/** Names of the applied migrations. */
async function schemasOf(db: Kysely<Tables>): Promise<readonly string[]> {
  if (!(await hasHistory(db))) return []
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Asks for the one table: Kysely's own look at the tables reads the columns of all of them. */
async function hasHistory(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await (isShared(db)
    ? sql`select 1 from information_schema.tables where table_schema = current_schema() and table_name = ${DEFAULT_MIGRATION_TABLE}`
    : sql`select 1 from sqlite_master where type = 'table' and name = ${DEFAULT_MIGRATION_TABLE}`
  ).execute(db)
  return rows.length > 0
}
