import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { DAY } from "~/domain/calendar"
import { catalogueFixture, NOON, placed } from "../../contracts/billing/billing-fixtures"
import { type Asked, callsOf, recorder } from "./query-recorder"
import { keepingUp, operating, shopping } from "./workload"

const SOMEBODY = "buyer20@example.test"

/** Calls everything that books are to a shop; answers what that asked the database, and what was not called. */
export async function askEverything({
  db,
  newId,
}: DbContext): Promise<{ asked: Asked[]; uncalled: string[] }> {
  const promotions = catalogueFixture.promotions.map(({ remainingUses, ...listed }) => ({
    ...listed,
    maxUses: remainingUses,
  }))
  await importCatalogue({ db, newId }, { products: catalogueFixture.products, promotions })
  const { asked, called, named, ...recorded } = recorder(db)
  const shop = createEmbeddedBilling({ db: recorded.db, newId })
  const books = {
    billing: named("billing", shop.billing),
    payments: named("payments", shop.payments),
    outbox: named("outbox", shop.outbox),
    sessions: named("sessions", shop.sessions),
    operator: named("operator", shop.operator),
    ...{ ledger: async () => ({ received: [], credit: [] }), close: async () => {} },
  }
  await shopping(books)
  await keepingUp(books)
  await operating(books.operator, await placed(books), SOMEBODY)
  await named("books", shop).figures(NOON, NOON - DAY)
  const ports = ["billing", "payments", "outbox", "sessions", "operator"] as const
  const calls = ports.flatMap((port) => callsOf(port, shop[port]))
  return { asked: unlike(asked), uncalled: calls.filter((call) => !called.has(call)) }
}

/** The same question of the same call once. */
function unlike(asked: readonly Asked[]): Asked[] {
  return [...new Map(asked.map((it) => [`${it.by} ${it.query.sql}`, it])).values()]
}
