import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Instant } from "~/domain/calendar"
import { longPlan, placed, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"
import type { ServiceRow } from "../db/schema/order-rows"
import { inTransaction } from "../db/transaction.server"
import { isAsRead, nextStepAfter, storedService } from "./next-step.server"
import { extendTerm, type TermExtension } from "./service-terms.server"
import { service } from "./services.server"

const bought = Date.UTC(2027, 0, 31, 10)
const renewed = { kind: "renewed" } as const

describe.each(engines)("on %s a term", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  /** A service without a term. */
  async function stored(changes: Partial<ServiceRow> = {}): Promise<string> {
    const { serviceId: id } = await placed(shop)
    const row = { cycle: "monthly", ...changes } as const
    await shop.ctx.db.updateTable("services").set(row).where("id", "=", id).execute()
    return id
  }

  const extend = (id: string, by: TermExtension) => inTransaction(shop.ctx, (tx) => extendTerm(tx, id, by))
  const iso = (instant: Instant | null | undefined) => instant && new Date(instant).toISOString()

  test("begins where its first cycle does and is counted from there at every renewal", async () => {
    const id = await stored()
    const ends = []
    for (const at of [bought, bought + 1, bought + 2])
      ends.push(await extend(id, { cycles: 1, at, event: renewed }))
    expect(ends.map(iso)).toEqual([
      "2027-02-28T10:00:00.000Z",
      "2027-03-31T09:00:00.000Z",
      "2027-04-30T09:00:00.000Z",
    ])
    expect(await service(shop.ctx, id)).toMatchObject({
      paidUntil: ends.at(-1),
      term: { anchor: bought, zone: "Europe/Madrid", count: 3, extraDays: 0 },
    })
  })

  test("has days of the calendar after its cycles, which a renewal keeps", async () => {
    const id = await stored()
    await extend(id, { cycles: 1, at: bought, event: renewed })
    expect(iso(await extend(id, { days: 2, at: bought, event: { kind: "extended" } }))).toBe(
      "2027-03-02T10:00:00.000Z",
    )
    expect(iso(await extend(id, { cycles: 1, at: bought, event: renewed }))).toBe("2027-04-02T09:00:00.000Z")
  })

  test("begins anew at another anchor, without the days and cycles of before", async () => {
    const id = await stored()
    await extend(id, { cycles: 5, days: 3, at: bought, event: renewed })
    const anchor = Date.UTC(2028, 4, 1, 12)
    expect(iso(await extend(id, { cycles: 1, anchor, at: anchor, event: renewed }))).toBe(
      "2028-06-01T12:00:00.000Z",
    )
  })

  test("writes every change on the service's timeline with the new end", async () => {
    const id = await stored()
    await extend(id, { cycles: 1, at: bought, event: { kind: "started" } })
    const paidUntil = await extend(id, {
      days: 1,
      at: bought + 9,
      event: { kind: "extended", detail: { reason: "outage" } },
    })
    const events = await shop.ctx.db
      .selectFrom("service_events")
      .selectAll()
      .where("service_id", "=", id)
      .orderBy("position")
      .execute()
    expect(events).toMatchObject([
      { position: 1, kind: "started", at: bought },
      { position: 2, kind: "extended", at: bought + 9 },
    ])
    expect(JSON.parse(events.at(-1)?.detail ?? "")).toEqual({ paidUntil, reason: "outage" })
  })

  test("adds up when two transactions renew at once", async () => {
    const id = await stored()
    await Promise.all([1, 2, 3, 4].map(() => extend(id, { cycles: 1, at: bought, event: renewed })))
    expect(await service(shop.ctx, id)).toMatchObject({ term: { count: 4 } })
  })

  test("a next step is not written after another change of the service", async () => {
    const changes: readonly Partial<ServiceRow>[] = [{ declined_at: bought }, { balance_renewal: 1 }]
    for (const change of changes) {
      const id = await stored()
      const { numUpdatedRows } = await inTransaction(shop.ctx, async (tx) => {
        const found = await storedService(tx, id)
        if (!found) throw new Error("There is no service")
        await tx.db.updateTable("services").set(change).where("id", "=", id).execute()
        const step = nextStepAfter(tx, found, { paid_until: bought, at: bought })
        const update = tx.db.updateTable("services").set(step).where("id", "=", id)
        return update.where(isAsRead(found.row)).executeTakeFirstOrThrow()
      })
      expect(numUpdatedRows, Object.keys(change).join()).toBe(0n)
    }
  })

  test.each<[string, Partial<ServiceRow>]>([
    ["a product that is paid once", { product_id: longPlan.id }],
    ["a service whose cycle was never stored", { cycle: null }],
  ])("is not there for %s", async (_, changes) => {
    const id = await stored(changes)
    expect(await extend(id, { cycles: 1, at: bought, event: renewed })).toBeNull()
    expect(await service(shop.ctx, id)).toMatchObject({ paidUntil: null, term: null })
  })

  test("is not there for a service of an external billing", async () => {
    const id = await stored()
    const external = { db: shop.ctx.db, newId: unique }
    expect(
      await inTransaction(external, (tx) => extendTerm(tx, id, { cycles: 1, at: bought, event: renewed })),
    ).toBeNull()
  })
})
