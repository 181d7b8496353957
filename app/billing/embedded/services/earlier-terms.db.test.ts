import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { longPlan, NOON, placed, promotions } from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../../tests/fixtures/term-policy"
import type { ServiceRow } from "../db/schema/order-rows"
import { startEarlierTerms } from "./earlier-terms.server"

/** The bought plan is monthly, and bought at noon of 15 June; the upgrade comes in November. */
const END = Date.UTC(2026, 6, 15, 12)
const UPGRADE = Date.UTC(2026, 10, 23, 9)

describe.each(engines)("on %s starting the terms of earlier services", (engine) => {
  let shop: BillingWithTerms
  beforeEach(async () => {
    shop = await openBillingWithTerms(engine, null)
  })
  afterEach(() => shop.close())

  /** A service as a version without terms has left it. `activatedAt`: null for one that waits for the panel. */
  async function earlier(
    changes: Partial<ServiceRow> = {},
    activatedAt: number | null = NOON + MINUTE,
  ): Promise<string> {
    const { serviceId: id } = await placed(shop, {}, promotions.free)
    if (activatedAt !== null) await shop.billing.activateService(id, { host: "https://tv.test" }, activatedAt)
    await shop.ctx.db
      .updateTable("services")
      .set({ renewal_price: null, ...changes })
      .where("id", "=", id)
      .execute()
    return id
  }

  const start = (amnestyDays = 30) =>
    startEarlierTerms({ ...shop.ctx, terms: { ...termPolicy, amnestyDays } }, UPGRADE)
  const row = (id: string) =>
    shop.ctx.db.selectFrom("services").selectAll().where("id", "=", id).executeTakeFirstOrThrow()

  test("gives a service the end of a cycle from its payment, and the amnesty from now", async () => {
    const id = await earlier()
    expect(await start()).toEqual({ started: 1, unknown: 0 })
    expect(await row(id)).toMatchObject({
      status: "Active",
      term_anchor: NOON,
      term_zone: "Europe/Madrid",
      term_count: 1,
      paid_until: END,
      not_before: UPGRADE + 30 * DAY,
    })
    const jobs = await shop.ctx.db.selectFrom("outbox").selectAll().where("subject", "=", id).execute()
    expect(jobs.map(({ topic }) => topic)).toEqual(["provision"])
  })

  test("counts from the activation where that came long after the payment", async () => {
    const id = await earlier({}, NOON + 2 * HOUR)
    await start()
    expect(await row(id)).toMatchObject({ term_anchor: NOON + 2 * HOUR, paid_until: END + 2 * HOUR })
  })

  test("includes a paid service that waits for the panel", async () => {
    const id = await earlier({}, null)
    await start()
    expect(await row(id)).toMatchObject({ status: "Pending", paid_until: END })
  })

  test("takes the cycle that the plan is sold in, for a service from before cycles were stored", async () => {
    const id = await earlier({ cycle: null })
    await start()
    expect(await row(id)).toMatchObject({ cycle: "monthly", paid_until: END })
  })

  test.each<[string, Partial<ServiceRow>, number]>([
    ["a service that is paid once", { product_id: longPlan.id }, 0],
    ["a service of a product that is no longer in the catalogue", { product_id: "gone" }, 1],
    [
      "one that was sold since, paid once, of a product that is recurring by now",
      { renewal_price: 2_000 },
      0,
    ],
    ["a reseller's account", { kind: "reseller" }, 0],
    ["a service that has ended", { status: "Cancelled" }, 0],
  ])("leaves %s as it is", async (_, changes, unknown) => {
    const id = await earlier(changes)
    const before = await row(id)
    expect(await start()).toEqual({ started: 0, unknown })
    expect(await row(id)).toEqual(before)
  })

  test("leaves the service of an unpaid order alone", async () => {
    const { serviceId } = await placed(shop)
    expect(await start()).toEqual({ started: 0, unknown: 0 })
    expect(await row(serviceId)).toMatchObject({ paid_until: null, not_before: null })
  })

  test("changes nothing when it runs again, later and in several instances at once", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => earlier()))
    const done = await Promise.all([start(), start(), start()])
    expect(done.map(({ started }) => started).reduce((sum, count) => sum + count)).toBe(3)
    const before = await Promise.all(ids.map(row))
    expect(await start(90)).toEqual({ started: 0, unknown: 0 })
    expect(await Promise.all(ids.map(row))).toEqual(before)
    const events = await shop.ctx.db.selectFrom("service_events").select("kind").execute()
    expect(events).toHaveLength(3)
  })

  test("reaches every service of more than one batch", async () => {
    const id = await earlier()
    const [service, order] = [await row(id), "orders"] as const
    const bought = await shop.ctx.db.selectFrom(order).selectAll().executeTakeFirstOrThrow()
    const invoice = await shop.ctx.db.selectFrom("invoices").selectAll().executeTakeFirstOrThrow()
    for (let number = 0; number < 600; number++) {
      const order_id = `order ${number}`
      await shop.ctx.db
        .insertInto("orders")
        .values({ ...bought, id: order_id, one_time_key: order_id, service_id: `service ${number}` })
        .execute()
      await shop.ctx.db
        .insertInto("invoices")
        .values({ ...invoice, id: `invoice ${number}`, order_id })
        .execute()
      await shop.ctx.db
        .insertInto("services")
        .values({ ...service, id: `service ${number}`, order_id })
        .execute()
    }
    expect(await start()).toEqual({ started: 601, unknown: 0 })
  })
})
