import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { DAY } from "~/domain/calendar"
import { catalogueFixture, NOON, placed } from "../../contracts/billing/billing-fixtures"
import { termPolicy } from "../../fixtures/term-policy"
import { callsOf, type RecordedQuery, recorder } from "./query-recorder"
import { mailing, operating, runMaintenance, shopping } from "./workload"

const CUSTOMER_EMAIL = "buyer20@example.test"

/**
 * Calls every method of the billing ports that a shop uses; returns the recorded queries and the methods not called.
 */
export async function runAllQueries({
  db,
  newId,
}: DbContext): Promise<{ queries: RecordedQuery[]; uncalled: string[] }> {
  const promotions = catalogueFixture.promotions.map(({ remainingUses, ...listed }) => ({
    ...listed,
    maxUses: remainingUses,
  }))
  await importCatalogue({ db, newId }, { products: catalogueFixture.products, promotions })
  const { queries, called, named, ...recorded } = recorder(db)
  const shop = createEmbeddedBilling({
    db: recorded.db,
    newId,
    terms: termPolicy,
    mail: { orders: true, reminders: true, operator: true, creditsLow: 5 },
  })
  const backend = {
    billing: named("billing", shop.billing),
    payments: named("payments", shop.payments),
    outbox: named("outbox", shop.outbox),
    sessions: named("sessions", shop.sessions),
    signInRequests: named("signInRequests", shop.signInRequests),
    mails: named("mails", shop.mails),
    operator: named("operator", shop.operator),
    ledger: async () => ({ received: [], credit: [] }),
    close: async () => {},
  }
  await shopping(backend)
  await runMaintenance(backend)
  await mailing(backend)
  await operating(backend.operator, await placed(backend), CUSTOMER_EMAIL)
  await named("stats", shop).figures(NOON, NOON - DAY)
  const ports = ["billing", "payments", "outbox", "sessions", "signInRequests", "mails", "operator"] as const
  const calls = ports.flatMap((port) => callsOf(port, shop[port]))
  return { queries: unlike(queries), uncalled: calls.filter((call) => !called.has(call)) }
}

/** Removes duplicate queries of the same call. */
function unlike(queries: readonly RecordedQuery[]): RecordedQuery[] {
  return [...new Map(queries.map((it) => [`${it.by} ${it.query.sql}`, it])).values()]
}
