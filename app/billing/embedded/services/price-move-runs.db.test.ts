import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
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
    const run = { id, productId, cycle: "monthly", currency: "EUR", reason: "costs", from } as const
    await moves().begin({
      ...run,
      kind: "announcement",
      price,
      operatorId: null,
      operator: "admin CLI",
      at: now(),
      ...changes,
    })
    return changes.id ?? id
  }
  /** Begins to take back what a run announces. */
  async function begunReturn(
    id: string,
    changes: { at?: number; operatorId?: string } = {},
  ): Promise<string> {
    const run = await moves().find(id)
    if (!run) throw new Error("no run")
    const back = unique()
    const { productId, cycle, currency, from } = run
    const group = { productId, cycle, currency, from, reason: "mistake" }
    const begunBy = { operatorId: null, operator: "admin CLI", at: now(), ...changes }
    await moves().begin({ ...group, ...begunBy, id: back, kind: "return", price: null })
    return back
  }
  const announced = async () => {
    const rows = await shop.db.selectFrom("services").select("announced_price").execute()
    return rows.filter((it) => it.announced_price !== null).length
  }
  const mails = async () =>
    (await shop.db.selectFrom("mails").select("id").where("name", "=", "price-announced").execute()).length

  test("goes on after a crash where it was, and each customer gets one message", async () => {
    const id = await begun()
    expect(await moves().goOn(id, now())).toBe(true)
    expect([await announced(), await mails()]).toEqual([50, 50])
    expect(await moves().find(id)).toMatchObject({ services: 50, unpriced: 0, endedAt: null })

    // The job stays for a worker that goes on with it.
    const jobs = await shop.billing.outbox.claim(now(), DAY, 9, "bulk")
    expect(jobs).toMatchObject([{ topic: "price-move", subject: id }])
    while (await moves().goOn(id, now()));
    expect(await moves().find(id)).toMatchObject({ services: 120, endedAt: now(), problem: null })
    expect(await mails()).toBe(120)
    expect(await moves().goOn(id, now())).toBe(false)
  })

  test("is one for two workers, and for a request that is sent again", async () => {
    const id = await begun()
    await begun({ id })
    const work = async () => {
      while (await moves().goOn(id, now()));
    }
    await Promise.all([work(), work()])
    expect(await moves().find(id)).toMatchObject({ services: 120 })
    expect(await mails()).toBe(120)
    const again = await begun()
    while (await moves().goOn(again, now()));
    expect(await moves().find(again)).toMatchObject({ services: 0, problem: null })
    expect(await mails()).toBe(120)
  })

  test("of two operators who begin one at the same moment one does, and the other is told", async () => {
    const { product_id: productId } = await shop.serviceRow(ids[0] ?? "")
    const begin = (newestBefore: string | null) =>
      moves().begin({
        id: unique(),
        kind: "announcement",
        productId,
        cycle: "monthly",
        currency: "EUR",
        price,
        from: now() + 40 * DAY,
        reason: "costs",
        operatorId: null,
        operator: "admin CLI",
        at: now(),
        newestBefore,
      })
    expect((await Promise.all([begin(null), begin(null)])).toSorted()).toEqual(["begun", "changed"])
    const [newest] = await moves().ofProduct(productId, 9)
    const next = await Promise.all([begin(newest?.id ?? null), begin(newest?.id ?? null)])
    expect(next.toSorted()).toEqual(["begun", "changed"])
    expect(await moves().ofProduct(productId, 9)).toHaveLength(2)
  })

  test("ends once the others would get less notice, and says so", async () => {
    const id = await begun({ from: now() + 30 * DAY })
    await moves().goOn(id, now())
    expect(await moves().goOn(id, now() + 1)).toBe(false)
    expect(await moves().find(id)).toMatchObject({ services: 50, problem: "day-too-near" })
    expect(await shop.billing.outbox.claim(now(), DAY, 9, "bulk")).toEqual([])
    await expect(begun({ from: now() + 30 * DAY - 1 })).rejects.toThrow("at least 30 days")
  })

  test("ends when the price is taken back, also for who had it announced", async () => {
    const id = await begun()
    await moves().goOn(id, now())
    const back = await begunReturn(id)
    expect(await moves().goOn(id, now())).toBe(false)
    while (await moves().goOn(back, now()));
    expect(await announced()).toBe(0)
    expect(await moves().find(id)).toMatchObject({ problem: "taken-back" })
    expect(await moves().find(back)).toMatchObject({ services: 50, endedAt: now(), problem: null })
  })

  test("is taken back from where that was when it crashed, each service once, also by two workers", async () => {
    const id = await begun()
    while (await moves().goOn(id, now()));
    const back = await begunReturn(id)
    expect(await moves().goOn(back, now())).toBe(true)
    expect(await announced()).toBe(70)
    expect(await moves().find(back)).toMatchObject({
      kind: "return",
      price: null,
      services: 50,
      endedAt: null,
    })

    // The job stays for a worker that goes on with it.
    const jobs = await shop.billing.outbox.claim(now(), DAY, 9, "bulk")
    expect(jobs).toMatchObject([{ topic: "price-move", subject: back }])
    const work = async () => {
      while (await moves().goOn(back, now()));
    }
    await Promise.all([work(), work()])
    expect(await announced()).toBe(0)
    expect(await moves().find(back)).toMatchObject({ services: 120, endedAt: now(), problem: null })
    expect((await shop.history(ids[0] ?? "")).filter(([kind]) => kind === "price-kept")).toHaveLength(1)
  })

  test("is not taken back any more once its day has come, or the operator may not do it, or it was announced again", async () => {
    const [from, day] = [now() + 40 * DAY, now() + 50 * DAY]
    const first = await begun({ from })
    while (await moves().goOn(first, now()));
    const late = await begunReturn(first)
    await moves().goOn(late, now())
    expect(await moves().goOn(late, from)).toBe(false)
    expect(await moves().find(late)).toMatchObject({ services: 50, problem: "day-come" })
    expect(await announced()).toBe(70)
    await expect(begunReturn(first, { at: from })).rejects.toThrow("before its first day")

    const second = await begun({ from: day })
    while (await moves().goOn(second, now()));
    const forbidden = await begunReturn(second, { operatorId: "gone" })
    expect(await moves().goOn(forbidden, now())).toBe(false)
    expect(await moves().find(forbidden)).toMatchObject({ services: 0, problem: "not-allowed" })

    const back = await begunReturn(second)
    await moves().goOn(back, now())
    const again = await begun({ from: day })
    expect(await moves().goOn(back, now())).toBe(false)
    expect(await moves().find(back)).toMatchObject({ services: 50, problem: "announced-again" })
    while (await moves().goOn(again, now()));
    expect(await announced()).toBe(120)
  })

  test("ends when its operator may not do it any more", async () => {
    const id = await begun({ operatorId: "gone" })
    expect(await moves().goOn(id, now())).toBe(false)
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
