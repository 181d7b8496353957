import { brandVersionsOf } from "~/billing/embedded/brand/brand-versions.server"
import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import { catalogueAdminOf } from "~/billing/embedded/catalogue/catalogue-admin.server"
import { promotionAdminOf } from "~/billing/embedded/catalogue/promotion-admin.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { dunningOf } from "~/billing/embedded/dunning/dunning.server"
import { emailChangesOf } from "~/billing/embedded/email-changes/email-changes.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { managedTax } from "~/billing/embedded/tax/tax-admin.server"
import { DAY } from "~/domain/calendar"
import { catalogueFixture, catalogueForImport, NOON, placed } from "../../contracts/billing/billing-fixtures"
import { documentPolicy } from "../../fixtures/document-policy"
import { germanTax } from "../../fixtures/tax-rules"
import { termPolicy } from "../../fixtures/term-policy"
import { callsOf, type RecordedQuery, recorder } from "./query-recorder"
import {
  actingInBulk,
  announcingPrices,
  approving,
  changingEmail,
  dunningServices,
  handingOutEvents,
  lookingAtOverview,
  mailing,
  managingBrand,
  managingCatalogue,
  managingPromotions,
  managingTax,
  operating,
  operatingConsole,
  readingDocuments,
  refundingByGateway,
  runMaintenance,
  settlingUnmatched,
  shopping,
  waivingRest,
} from "./workload"

const CUSTOMER_EMAIL = "buyer20@example.test"

/**
 * Calls every method of the billing ports that a shop uses; returns the recorded queries and the methods not called.
 */
export async function runAllQueries({
  db,
  newId,
}: DbContext): Promise<{ queries: RecordedQuery[]; uncalled: string[] }> {
  await importCatalogue({ db, newId }, catalogueForImport(catalogueFixture))
  const { queries, called, named, ...recorded } = recorder(db)
  const mail = { orders: true, reminders: true, operator: true, creditsLow: 5 }
  const webhooks = { always: true, creditsLow: 5 }
  const tax = { rules: germanTax, timeZone: "UTC" }
  const ctx = { db: recorded.db, newId, mail, terms: termPolicy, tax, documents: documentPolicy, webhooks }
  const shop = {
    ...createEmbeddedBilling(ctx),
    dunning: dunningOf(ctx),
    emailChanges: emailChangesOf(ctx),
    promotions: promotionAdminOf(ctx),
    catalogue: catalogueAdminOf(ctx),
    tax: managedTax(ctx, { rules: null, timeZone: "UTC" }).admin,
    brand: brandVersionsOf(ctx),
  }
  const backend = {
    billing: named("billing", shop.billing),
    payments: named("payments", shop.payments),
    outbox: named("outbox", shop.outbox),
    sessions: named("sessions", shop.sessions),
    signInRequests: named("signInRequests", shop.signInRequests),
    steps: named("steps", shop.steps),
    mails: named("mails", shop.mails),
    dunning: named("dunning", shop.dunning),
    operator: named("operator", shop.operator),
    ledger: async () => ({ received: [], credit: [] }),
    close: async () => {},
  }
  await shopping(backend)
  await runMaintenance(backend)
  await mailing(backend)
  await changingEmail(backend, named("emailChanges", shop.emailChanges))
  await dunningServices(backend)
  await operating(backend.operator, await placed(backend), CUSTOMER_EMAIL)
  await waivingRest(backend, backend.operator)
  await refundingByGateway(backend, named("refunds", shop.refunds))
  await settlingUnmatched(backend, named("unmatched", shop.unmatched))
  await approving(named("approvals", shop.approvals), (await placed(backend)).id)
  await actingInBulk(named("bulk", shop.bulk), await placed(backend))
  await announcingPrices(named("priceMoves", shop.priceMoves))
  await operatingConsole(named("operators", shop.operators), named("auditLog", shop.auditLog))
  await lookingAtOverview(named("overview", shop.overview), shop.operators)
  await managingPromotions(named("promotions", shop.promotions))
  await managingCatalogue(named("catalogue", shop.catalogue))
  await readingDocuments(backend, named("documents", shop.documents))
  await managingTax(named("tax", shop.tax))
  await managingBrand(named("brand", shop.brand))
  await handingOutEvents(named("webhooks", shop.webhooks))
  await named("stats", shop).figures(NOON, NOON - DAY)
  const ports = [
    "billing",
    "payments",
    "outbox",
    "sessions",
    "steps",
    "signInRequests",
    "emailChanges",
    "mails",
    "dunning",
    "operator",
    "operators",
    "auditLog",
    "approvals",
    "refunds",
    "unmatched",
    "bulk",
    "priceMoves",
    "overview",
    "promotions",
    "catalogue",
    "documents",
    "tax",
    "brand",
    "webhooks",
  ] as const
  const calls = ports.flatMap((port) => callsOf(port, shop[port]))
  return { queries: unlike(queries), uncalled: calls.filter((call) => !called.has(call)) }
}

/** Removes duplicate queries of the same call. */
function unlike(queries: readonly RecordedQuery[]): RecordedQuery[] {
  return [...new Map(queries.map((it) => [`${it.by} ${it.query.sql}`, it])).values()]
}
