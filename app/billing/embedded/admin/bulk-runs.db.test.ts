import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { NewBulkRun } from "~/billing/operators/bulk-runs"
import { DAY } from "~/domain/calendar"
import { markOfOrder, markOfService } from "~/domain/console/bulk"
import type { MessageName } from "~/domain/shop/mail"
import { placed, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { inTransaction } from "../db/transaction.server"
import { extendTerm } from "../services/service-terms.server"
import { bulkRunsOf } from "./bulk-runs.server"

const began = Date.UTC(2027, 0, 1, 12)
const at = Date.UTC(2027, 0, 21, 9)

describe.each(engines)("on %s", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  const bulk = () => bulkRunsOf(shop.ctx)

  async function running(): Promise<string> {
    const { serviceId: id } = await placed(shop)
    await inTransaction(shop.ctx, async (tx) => {
      const row = { cycle: "monthly", status: "Active", created_at: began } as const
      await tx.db.updateTable("services").set(row).where("id", "=", id).execute()
      await extendTerm(tx, id, { cycles: 1, anchor: began, at: began, event: { kind: "renewed" } })
    })
    return id
  }

  const endOf = async (id: string) => (await shop.operator.serviceDetails(id))?.service.paidUntil ?? 0

  const newRun = (changes: Partial<NewBulkRun> = {}): NewBulkRun => ({
    id: unique(),
    list: "services",
    action: "extend-service",
    conditions: { status: "Active" },
    days: 2,
    reason: "outage",
    operatorId: null,
    operator: "admin CLI",
    at,
    ...changes,
  })

  async function begunWith(services: readonly string[]): Promise<string> {
    const run = newRun()
    const ends = await Promise.all(services.map(endOf))
    const marks = ends.map((paidUntil) => markOfService({ status: "Active", paidUntil }))
    await bulk().begin(
      run,
      services.map((item, position) => ({ item, mark: marks[position] ?? "" })),
    )
    return run.id
  }

  const entriesOf = async (subject: string) => shop.auditLog.newest({ limit: 10, subject })

  test("workers that meet at the same rows give each service its days once", async () => {
    const services = [await running(), await running()]
    const ends = await Promise.all(services.map(endOf))
    const id = await begunWith(services)
    const rows = await bulk().unsettled(id, 10)
    await Promise.all([...rows, ...rows, ...rows].map((row) => bulk().apply(row, at)))
    expect(await Promise.all(services.map(endOf))).toEqual(ends.map((end) => end + 2 * DAY))
    expect((await bulk().find(id))?.counts).toEqual({ waiting: 0, started: 0, done: 2, skipped: 0 })
    for (const service of services) expect(await entriesOf(`service ${service}`)).toHaveLength(1)
    expect((await shop.auditLog.verify()).brokenAt).toBeNull()
  })

  test("a worker that dies before its row is settled has done nothing, and the next does it once", async () => {
    const service = await running()
    const end = await endOf(service)
    const id = await begunWith([service])
    const [row] = await bulk().unsettled(id, 1)
    if (!row) throw new Error("no row")
    const dying = inTransaction(shop.ctx, async (tx) => {
      await bulkRunsOf(tx).apply(row, at)
      throw new TypeError("the process ends here")
    })
    await expect(dying).rejects.toThrow("the process ends here")
    expect(await endOf(service)).toBe(end)
    expect(await entriesOf(`service ${service}`)).toEqual([])
    expect(await bulk().unsettled(id, 1)).toMatchObject([{ state: "waiting" }])
    for (const _ of ["the next worker", "another"]) await bulk().apply(row, at)
    expect(await endOf(service)).toBe(end + 2 * DAY)
    expect(await entriesOf(`service ${service}`)).toHaveLength(1)
  })

  test("rows of a stopped run stay as they are", async () => {
    const service = await running()
    const end = await endOf(service)
    const id = await begunWith([service])
    const rows = await bulk().unsettled(id, 1)
    expect(await bulk().stop(id, { by: "marta@shop.test", at })).toBe(true)
    expect(await bulk().stop(id, { by: "jonas@shop.test", at })).toBe(false)
    for (const row of rows) {
      await bulk().apply(row, at)
      expect(await bulk().start(row, at)).toBe(false)
    }
    expect(await bulk().unsettled(id, 1)).toEqual([])
    expect(await endOf(service)).toBe(end)
    expect(await bulk().find(id)).toMatchObject({ stoppedBy: "marta@shop.test", counts: { waiting: 1 } })
  })

  test("a run with thousands of rows is stored whole, once, in their order", async () => {
    const run = newRun()
    const chosen = Array.from({ length: 1_201 }, (_, position) => ({ item: `s${position}`, mark: "x" }))
    for (const _ of ["first", "again"]) await bulk().begin(run, chosen)
    expect((await bulk().find(run.id))?.counts.waiting).toBe(1_201)
    const rows = await bulk().items(run.id, { after: 1_198, limit: 10 })
    expect(rows.map(({ item }) => item)).toEqual(["s1199", "s1200"])
    const [row] = await bulk().unsettled(run.id, 1)
    if (row) await bulk().apply(row, at)
    expect(await bulk().items(run.id, { after: -1, limit: 1 })).toMatchObject([
      { item: "s0", state: "skipped", skip: "gone", at },
    ])
  })

  /** An order whose messages of these names were sent, the newest last. Returns their states after an action on it. */
  async function resending(names: readonly MessageName[], conditions: NewBulkRun["conditions"]) {
    const { id: orderId } = await placed(shop)
    const { status } = (await shop.billing.order(orderId)) ?? { status: "placed" as const }
    const mail = {
      order_id: orderId,
      email: "ana@example.test",
      client_id: null,
      request_id: null,
      locale: "en-en",
      amount: null,
      currency: null,
      detail: null,
      state: "sent",
      tries: 1,
      reason: null,
      tried_at: at,
    } as const
    for (const [sent, name] of names.entries()) {
      const id = `m${sent}${orderId}`
      await shop.ctx.db
        .insertInto("mails")
        .values({ ...mail, id, name, once_key: id, created_at: at + sent, settled_at: at })
        .execute()
    }
    const run = newRun({ list: "orders", action: "resend-mail", days: null, conditions })
    await bulk().begin(run, [{ item: orderId, mark: markOfOrder("resend-mail", { status, received: 0 }) }])
    const [row] = await bulk().unsettled(run.id, 1)
    if (!row) throw new Error("no row")
    for (const _ of ["once", "again"]) await bulk().apply(row, at)
    const states = await shop.ctx.db
      .selectFrom("mails")
      .select("state")
      .where("order_id", "=", orderId)
      .where("id", "like", "m%")
      .orderBy("id")
      .execute()
    return { states: states.map(({ state }) => state), counts: (await bulk().find(run.id))?.counts }
  }

  test("the newest message of an order is sent again once", async () => {
    const { states, counts } = await resending(["receipt", "receipt"], {})
    expect([states, counts]).toEqual([["sent", "waiting"], expect.objectContaining({ done: 1 })])
  })

  test("the newest message of the chosen kind is sent again, though another one is newer", async () => {
    const names = ["receipt", "receipt", "refund"] as const
    const { states } = await resending(names, { status: "paid", message: "receipt" })
    expect(states).toEqual(["sent", "waiting", "sent"])
  })

  test("an order without a message of the chosen kind is left alone", async () => {
    const { states, counts } = await resending(["receipt"], { message: "withdrawal" })
    expect([states, counts]).toEqual([["sent"], expect.objectContaining({ done: 0, skipped: 1 })])
  })

  describe("old runs", () => {
    const ago = (days: number) => at - days * DAY
    const left = async (ids: readonly string[]) => {
      const found = await Promise.all(ids.map((id) => bulk().find(id)))
      return found.flatMap((it) => it?.id ?? [])
    }
    async function deleteAll(before: number): Promise<number[]> {
      const counts: number[] = []
      for (let count = await bulk().deleteOld(before); count > 0; count = await bulk().deleteOld(before))
        counts.push(count)
      return counts
    }

    async function begunAgo(days: number, rows = 1): Promise<string> {
      const run = newRun({ at: ago(days) })
      const items = Array.from({ length: rows }, (_, position) => ({ item: `s${position}`, mark: "x" }))
      await bulk().begin(run, items)
      return run.id
    }

    test("are deleted with their rows, part by part, once they have ended; others stay", async () => {
      const ended = await begunAgo(500, 1_201)
      const stopped = await begunAgo(450)
      const running = await begunAgo(450)
      const young = await begunAgo(399)
      await bulk().finish(ended, at)
      await bulk().finish(young, at)
      await bulk().stop(stopped, { by: "admin CLI", at })
      expect(await deleteAll(ago(400))).toEqual([500, 500, 201, 1, 1, 1])
      expect(await left([ended, stopped, running, young])).toEqual([running, young])
      expect(await bulk().items(ended, { after: -1, limit: 9 })).toEqual([])
      expect(await bulk().items(running, { after: -1, limit: 9 })).toHaveLength(1)
    })
  })
})
