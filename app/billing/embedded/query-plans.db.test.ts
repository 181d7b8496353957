import { CompiledQuery } from "kysely"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { NOON } from "../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../tests/fixtures/temporary-database"
import { walksOf } from "../../../tests/performance/query-plans/query-plans"
import { runAllQueries } from "../../../tests/performance/query-plans/run-all-queries"
import { grow } from "../../../tests/performance/query-plans/seed-large-database"
import { attemptsDueForPolling } from "./payments/attempts-to-poll.server"
import { eraseInactiveCustomers } from "./privacy/retention.server"

const ORDERS = 10_000

const byHand = "asked by hand, seldom, in a process of its own"
/** Who may walk through the books, and why. */
const mayWalk: Readonly<Record<string, string>> = {
  "operator.affiliates": `counts all of them; ${byHand}`,
  "operator.resellers": `names all of them; ${byHand}`,
  "operator.findImbalances": `adds up all money; ${byHand}`,
  "operator.diagnose": `adds up all money; ${byHand}`,
  "operator.checkPayments": `looks for what older versions have left; ${byHand}`,
  "operator.diagnoseAccess": `counts accounts; ${byHand}`,
  "operator.gateway": `counts a gateway's payments; ${byHand}`,
  "operator.exportCustomer": `a customer may have had other names; ${byHand}`,
  "operator.eraseCustomer": `a customer may have had other names; ${byHand}`,
  "books.figures":
    "counts a day's orders: PostgreSQL may look through all of that day for those in one status",
  "operator.jobs": `reads those that have failed, and of one order; ${byHand}`,
  "operator.traces": `adds up all account credit; ${byHand}`,
  "operator.diagnoseJobs": `looks at every order that is paid; ${byHand}`,
}

/** Of these there are few among many, which PostgreSQL must see by itself, as it is left to in a shop. */
const fewAmongMany = [
  ...["till.creditLeftOver", "billing.overdueOrders", "billing.takeOver"],
  ...["outbox.claim", "billing.order"],
]

describe.each(engines)("books of ten thousand orders, on %s", (engine) => {
  let backend: TemporaryDatabase
  beforeAll(async () => {
    backend = await openTemporaryDatabase(engine)
    await grow(backend.db, { orders: ORDERS, now: NOON })
  }, 60_000)
  afterAll(() => backend.close())

  test("payments that nobody will make any more are gone through once, not at every turn", async () => {
    const batch = { gateway: "offshore", now: NOON + MINUTE, limit: 100 } as const
    const over = () =>
      backend.db
        .selectFrom("payment_attempts")
        .select("id")
        .where("status", "=", "pending")
        .where("poll_after", "<", NOON)
        .execute()
    expect((await over()).length).toBeGreaterThan(500)
    const due = await attemptsDueForPolling(backend, batch)
    expect(due.length).toBeGreaterThan(0)
    for (const { openedAt } of due) expect(openedAt).toBeGreaterThanOrEqual(NOON - DAY)
    expect(await over()).toEqual([])
    expect(await attemptsDueForPolling(backend, batch)).toEqual(due)
  })

  test("a turn of forgetting looks at some of the customers, and the next ones at the others", async () => {
    const request = { before: NOON - 2 * DAY, limit: ORDERS, passwords: "erase" } as const
    const everybody = await unpaid(backend)
    const turns = [
      await eraseInactiveCustomers(backend, request),
      await eraseInactiveCustomers(backend, request),
      await eraseInactiveCustomers(backend, request),
    ]
    for (const forgotten of turns) expect(forgotten).toBeLessThan(everybody)
    expect(turns.reduce((sum, forgotten) => sum + forgotten, 0)).toBe(everybody)
  })

  test("whatever a shop and its buyers ask goes by an index, but for what is named here", async () => {
    const { queries, uncalled } = await runAllQueries(backend)
    expect(uncalled).toEqual(["operator.backUp", "operator.restore"])
    const walkers = new Map<string, string[]>()
    for (const { by, query } of queries) {
      const walks = await walksOf(backend.db, query, plannerFor(by))
      if (walks.length > 0) walkers.set(by, [...(walkers.get(by) ?? []), ...walks])
    }
    const strangers = [...walkers].filter(([by]) => !(by in mayWalk))
    expect(Object.fromEntries(strangers)).toEqual({})
  })

  test.each([
    ["has no index", "select id from orders where locale = 'de-de'"],
    ["has an index and means most of the rows all the same", "select id from orders where status = 'active'"],
  ])("a question that %s is found out", async (_, sql) => {
    expect(await walksOf(backend.db, CompiledQuery.raw(sql))).not.toEqual([])
  })
})

function plannerFor(call: string) {
  return fewAmongMany.includes(call) ? "left to itself" : "held to indexes"
}

async function unpaid({ db }: TemporaryDatabase): Promise<number> {
  const orders = db.selectFrom("orders").select("client_id").where("status", "in", ["expired", "cancelled"])
  return (await orders.execute()).length
}
