import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money"
import { together, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import { type DunnedShop, openDunnedShop } from "../../../../tests/fixtures/dunned-shop"
import { engines } from "../../../../tests/fixtures/temporary-database"

const price = money(3_000, "EUR")

describe.each(engines)("on %s an announcement of another price to all services of a plan", (engine) => {
  let shop: DunnedShop
  let ids: readonly string[]
  beforeEach(async () => {
    shop = await openDunnedShop(engine)
    ids = await together(120, shop.startService)
  })
  afterEach(() => shop.close())

  const now = () => shop.clock.wall
  const moves = () => shop.billing.priceMoves
  async function begun(changes: { from?: number; operatorId?: string; id?: string } = {}): Promise<string> {
    const { product_id: productId } = await shop.serviceRow(ids[0] ?? "")
    const [id, from] = [unique(), now() + 40 * DAY]
    const run = { id, productId, cycle: "monthly", price, reason: "costs", from } as const
    await moves().begin({ ...run, operatorId: null, operator: "admin CLI", at: now(), ...changes })
    return changes.id ?? id
  }
  const announced = async () => {
    const rows = await shop.db.selectFrom("services").select("announced_price").execute()
    return rows.filter((it) => it.announced_price !== null).length
  }
  const mails = async () =>
    (await shop.db.selectFrom("mails").select("id").where("name", "=", "price-announced").execute()).length

  test("goes on after a crash where it was, and each customer gets one message", async () => {
    const id = await begun()
    expect(await moves().announceNext(id, now())).toBe(true)
    expect([await announced(), await mails()]).toEqual([50, 50])
    expect(await moves().find(id)).toMatchObject({ services: 50, unpriced: 0, endedAt: null })

    // The job stays for a worker that goes on with it.
    const jobs = await shop.billing.outbox.claim(now(), DAY, 9, "bulk")
    expect(jobs).toMatchObject([{ topic: "price-move", subject: id }])
    while (await moves().announceNext(id, now()));
    expect(await moves().find(id)).toMatchObject({ services: 120, endedAt: now(), problem: null })
    expect(await mails()).toBe(120)
    expect(await moves().announceNext(id, now())).toBe(false)
  })

  test("is one for two workers, and for a request that is sent again", async () => {
    const id = await begun()
    await begun({ id })
    const work = async () => {
      while (await moves().announceNext(id, now()));
    }
    await Promise.all([work(), work()])
    expect(await moves().find(id)).toMatchObject({ services: 120 })
    expect(await mails()).toBe(120)
    const again = await begun()
    while (await moves().announceNext(again, now()));
    expect(await moves().find(again)).toMatchObject({ services: 0, problem: null })
    expect(await mails()).toBe(120)
  })

  test("ends once the others would get less notice, and says so", async () => {
    const id = await begun({ from: now() + 30 * DAY })
    await moves().announceNext(id, now())
    expect(await moves().announceNext(id, now() + 1)).toBe(false)
    expect(await moves().find(id)).toMatchObject({ services: 50, problem: "day-too-near" })
    expect(await shop.billing.outbox.claim(now(), DAY, 9, "bulk")).toEqual([])
    await expect(begun({ from: now() + 30 * DAY - 1 })).rejects.toThrow("at least 30 days")
  })

  test("ends when the price is taken back, also for who had it announced", async () => {
    const id = await begun()
    await moves().announceNext(id, now())
    const run = await moves().find(id)
    if (!run) throw new Error("no run")
    const { productId, cycle, from } = run
    await shop.billing.operator.keepPrices(
      { services: { productId, cycle }, currency: "EUR", from, reason: "mistake" },
      now(),
    )
    expect(await moves().announceNext(id, now())).toBe(false)
    expect(await announced()).toBe(0)
    expect(await moves().ofProduct(productId, 9)).toMatchObject([{ id, problem: "taken-back" }])
  })

  test("ends when its operator may not do it any more", async () => {
    const id = await begun({ operatorId: "gone" })
    expect(await moves().announceNext(id, now())).toBe(false)
    expect(await moves().find(id)).toMatchObject({ services: 0, problem: "not-allowed" })
  })

  test("is counted before it begins, up to a thousand services", async () => {
    const { product_id: productId } = await shop.serviceRow(ids[0] ?? "")
    const move = {
      services: { productId, cycle: "monthly" },
      price,
      from: now() + 40 * DAY,
      reason: "",
    } as const
    expect(await shop.billing.operator.countPriceMove(move)).toEqual({
      services: 120,
      unpriced: 0,
      isCut: false,
    })
  })
})
