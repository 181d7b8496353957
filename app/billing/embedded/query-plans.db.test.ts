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
import type { RecordedQuery } from "../../../tests/performance/query-plans/query-recorder"
import { runAllQueries } from "../../../tests/performance/query-plans/run-all-queries"
import { grow } from "../../../tests/performance/query-plans/seed-large-database"
import { attemptsDueForPolling } from "./payments/attempts-to-poll.server"
import { eraseInactiveCustomers } from "./privacy/retention.server"

const ORDERS = 10_000

const byHand = "run manually and rarely, in a separate process"
/** Calls that may scan whole tables, with the reason. */
const mayWalk: Readonly<Record<string, string>> = {
  "overview.hours": "reads the orders of one day by an index, once; afterwards those of the present hour",
  "overview.gatewayStats": "counts a gateway's payments, only when an operator asks for it",
  "overview.waitingOrders": "counts at most 1,000 open payments of a gateway by an index",
  "overview.needs": "reads every paid order that has no access yet, of which there are few",
  "overview.endedTerms": "counts, day by day, the services whose paid time has ended, by an index",
  "operator.importCatalogue": `counts the orders of a promotion that was deleted before; ${byHand}`,
  "promotions.addPromotion": `counts the orders of a promotion that was deleted before; ${byHand}`,
  "operator.affiliates": `counts all affiliates; ${byHand}`,
  "operator.listAffiliates": "counts the clicks of a span of days, in an index alone",
  "operator.resellers": `lists all resellers; ${byHand}`,
  "operator.findImbalances": `adds up all money; ${byHand}`,
  "operator.diagnose": `adds up all money; ${byHand}`,
  "operator.checkPayments": `finds traces of older versions; ${byHand}`,
  "operator.diagnoseAccess": `counts accounts; ${byHand}`,
  "operator.customersOf": `reads those who have had one e-mail, by a range of an index; ${byHand}`,
  "operator.eraseCustomer": `reads those who have had one e-mail, by a range of an index; ${byHand}`,
  "operator.exportCustomer": `reads the jobs of all orders; ${byHand}`,
  "mails.stats": "counts a day's messages, in an index alone",
  "mails.alertUnprovisioned": "reads every paid order, of which there are few: it waits for minutes at most",
  "mails.deleteOld": "reads as many old messages as it deletes, at most 500",
  "stats.figures": "counts a day's orders: PostgreSQL may scan all orders of the day for one status",
  "dunning.ending":
    "reads what is due, which is little unless passes were late; then also 50 services for each",
  "operator.jobs": `reads failed jobs, and those of one order; ${byHand}`,
  "operator.countCampaign": `counts running services; ${byHand}`,
  "operator.runCampaign": `extends all running services; ${byHand}`,
  "operator.countPriceMove": `reads the services of a product; ${byHand}`,
  "priceMoves.goOn": "goes through the services of a plan by their id, once, 50 at a time",
  "operator.renewalGroups": `counts the services of a product; ${byHand}`,
  "operator.campaigns": `lists all campaigns; ${byHand}`,
  "operator.traces": `adds up all account credit; ${byHand}`,
  "operator.diagnoseJobs": `reads every paid order; ${byHand}`,
}

/** Calls for a few of many rows: PostgreSQL must choose the index without planner settings, as in production. */
const fewAmongMany = [
  "payments.creditUnappliedPayments",
  "billing.overdueOrders",
  "outbox.claim",
  "dunning.due",
  "billing.order",
]

describe.each(engines)("queries on 10,000 orders, on %s", (engine) => {
  let backend: TemporaryDatabase
  beforeAll(async () => {
    backend = await openTemporaryDatabase(engine)
    await grow(backend.db, { orders: ORDERS, now: NOON })
  })
  afterAll(() => backend.close())

  test("polling examines abandoned payments once, not in every run", async () => {
    const batch = { gateway: "offshore", now: NOON + MINUTE, limit: 1_000 } as const
    const over = () =>
      backend.db
        .selectFrom("payment_attempts")
        .select("id")
        .where("status", "in", ["pending", "expired"])
        .where("poll_after", "<", NOON)
        .execute()
    expect((await over()).length).toBeGreaterThan(500)
    const due = await attemptsDueForPolling(backend, batch)
    expect(due.length).toBeGreaterThan(0)
    for (const { openedAt } of due) expect(openedAt).toBeGreaterThanOrEqual(NOON - DAY)
    expect(await over()).toEqual([])
    const again = await attemptsDueForPolling(backend, batch)
    expect(new Set(again)).toEqual(new Set(due))
  })

  test("an erasure run examines part of the customers, and the next runs the others", async () => {
    const request = { before: NOON - 2 * DAY, limit: ORDERS, passwords: "erase" } as const
    const customerCount = await unpaid(backend)
    const rounds = [
      await eraseInactiveCustomers(backend, request),
      await eraseInactiveCustomers(backend, request),
      await eraseInactiveCustomers(backend, request),
    ]
    for (const forgotten of rounds) expect(forgotten).toBeLessThan(customerCount)
    expect(rounds.reduce((sum, forgotten) => sum + forgotten, 0)).toBe(customerCount)
  })

  describe("of every call", () => {
    // Not in the test: all calls take as long as the plans of their queries, on a busy machine half a minute each.
    let run: Awaited<ReturnType<typeof runAllQueries>>
    beforeAll(async () => {
      run = await runAllQueries(backend)
    })

    test("every query uses an index, except those of the calls in mayWalk", async () => {
      const { queries, uncalled } = run
      expect(uncalled).toEqual(["operator.backUp", "operator.restore", "operator.tryRestore"])
      const callers = new Set(queries.map(({ by }) => by))
      expect([...Object.keys(mayWalk), ...fewAmongMany].filter((call) => !callers.has(call))).toEqual([])
      const walkers = new Map<string, string[]>()
      for (const { by, query } of different(queries)) {
        const walks = await walksOf(backend.db, query, plannerFor(by))
        if (walks.length > 0) walkers.set(by, [...(walkers.get(by) ?? []), ...walks])
      }
      const unknownIndexes = [...walkers].filter(([by]) => !(by in mayWalk))
      expect(Object.fromEntries(unknownIndexes)).toEqual({})
    })
  })

  test.each([
    ["has no index", "select id from orders where locale = 'de-de'"],
    ["has an index but matches most rows", "select id from orders where status = 'active'"],
  ])("a query that %s is reported as a scan", async (_, sql) => {
    expect(await walksOf(backend.db, CompiledQuery.raw(sql))).not.toEqual([])
  })
})

/** Each query of a call once: its plan is the same each time. */
function different(queries: readonly RecordedQuery[]): readonly RecordedQuery[] {
  const keyOf = ({ by, query }: RecordedQuery) => JSON.stringify([by, query.sql, query.parameters])
  return [...new Map(queries.map((it) => [keyOf(it), it])).values()]
}

function plannerFor(call: string) {
  return fewAmongMany.includes(call) ? "left to itself" : "held to indexes"
}

async function unpaid({ db }: TemporaryDatabase): Promise<number> {
  const orders = db.selectFrom("orders").select("client_id").where("status", "in", ["expired", "cancelled"])
  return (await orders.execute()).length
}
