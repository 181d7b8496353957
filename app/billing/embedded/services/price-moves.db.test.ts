import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
import { opened, paymentUpdate, together, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import { announceToAll, type PlanMove, takeBackFromAll } from "../../../../tests/fixtures/announce-to-all"
import { type DunnedShop, MONTH_END, openDunnedShop } from "../../../../tests/fixtures/dunned-shop"
import { engines } from "../../../../tests/fixtures/temporary-database"

const euro = (minor: number) => money(minor, "EUR")
const reason = "the channels cost more"
const basic = { productId: "3", name: "Basic", cycle: "monthly", price: euro(1_000) } as const

describe.each(engines)("on %s a price move", (engine) => {
  let shop: DunnedShop
  beforeEach(async () => {
    shop = await openDunnedShop(engine)
  })
  afterEach(() => shop.close())

  const now = () => shop.clock.wall
  const operator = () => shop.billing.operator
  /** Of the product and cycle of a service. */
  async function moveOf(id: string, price: Money = euro(3_000), changes: Partial<PlanMove> = {}) {
    const { product_id: productId, cycle } = await shop.serviceRow(id)
    if (cycle === null) throw new Error("no cycle")
    const services = { productId, cycle } as const
    return { services, price, from: now() + 40 * DAY, reason, ...changes } satisfies PlanMove
  }
  const toAll = (move: PlanMove, at = now()) => announceToAll(shop.billing.priceMoves, move, at)
  const fromAll = (kept: Parameters<typeof takeBackFromAll>[1], at = now()) =>
    takeBackFromAll(shop.billing.priceMoves, kept, at)
  /** Of one service, with its extras. */
  const changeOf = (price: Money, changes: { from?: number } = {}) => ({
    price,
    from: now() + 40 * DAY,
    reason,
    at: now(),
    ...changes,
  })
  /** Pays a month of the plan that follows. */
  async function payAhead(id: string) {
    const { billing, payments } = shop.billing
    const service = await billing.service(id)
    if (!service) throw new Error("no service")
    const item = { serviceId: id, cycles: 1, amount: basic.price }
    const order = await billing.placeRenewal({
      key: unique(),
      customerId: service.customerId,
      items: [item],
      quote: renewalQuote([renewalLine({ ...service, ...basic }, item)]),
      gateway: "offshore",
      locale: "de-de",
      address: null,
      number: unique,
      at: now(),
      deadline: now() + DAY,
      accessScope: null,
      accountCreditScope: "none",
      holdReason: null,
      browser: null,
    })
    const attempt = await opened(shop.billing, order, basic.price.minor)
    await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", basic.price.minor), now())
  }
  const announcedOf = async (id: string) => (await shop.billing.billing.renewalTerms(id))?.announced ?? null

  test("announces the price to each service once, with a message, in batches", async () => {
    const ids = await together(60, shop.startService)
    const [id = ""] = ids
    const move = await moveOf(id)
    expect(await operator().countPriceMove(move)).toEqual({ services: 60, unpriced: 0, isCut: false })
    expect(await announcedOf(id)).toBeNull()
    expect(await toAll(move)).toEqual({ services: 60, unpriced: 0 })
    expect(await toAll(move, now() + MINUTE)).toEqual({ services: 0, unpriced: 0 })
    for (const it of ids) expect(await announcedOf(it)).toEqual({ price: euro(3_000), from: move.from })
    expect(await shop.deliver()).toEqual(Array<string>(60).fill("price-announced"))
    expect((await shop.history(id)).map(([kind]) => kind)).toContain("price-announced")
  })

  test("is refused with a notice of less than 30 days, and in a shop without mail", async () => {
    const id = await shop.startService()
    const near = await moveOf(id, euro(3_000), { from: now() + 30 * DAY - 1 })
    await expect(toAll(near)).rejects.toThrow("at least 30 days")
    const nearer = changeOf(euro(3_000), { from: near.from })
    await expect(operator().movePrice(id, nearer)).rejects.toThrow("at least 30 days")
    const silent = await openDunnedShop(engine, { mail: null })
    try {
      const other = await silent.startService()
      const { product_id: productId } = await silent.serviceRow(other)
      const move = { ...near, from: now() + 40 * DAY, services: { productId, cycle: "monthly" as const } }
      const { priceMoves, operator: silently } = silent.billing
      await expect(announceToAll(priceMoves, move, now())).rejects.toThrow("sends none")
      await expect(silently.movePrice(other, changeOf(euro(3_000)))).rejects.toThrow("sends none")
    } finally {
      await silent.close()
    }
    expect(await announcedOf(id)).toBeNull()
  })

  test("of one service leaves the others alone", async () => {
    const [one = "", other = ""] = await together(2, shop.startService)
    expect(await operator().movePrice(one, changeOf(euro(100)))).toBe(true)
    expect([(await announcedOf(one))?.price, await announcedOf(other)]).toEqual([euro(100), null])
  })

  test("is for no service of a plan that is not renewed any more, but for one that has paid for another plan to follow", async () => {
    const [id = "", follows = ""] = await together(2, shop.startService)
    const { product_id: own } = await shop.serviceRow(id)
    await shop.billing.billing.chooseNextPlan(follows, basic, now())
    await payAhead(follows)
    await shop.db.updateTable("products").set({ renewal_price: "none" }).where("id", "=", own).execute()
    const none = { services: 0, unpriced: 0 }
    const move = await moveOf(id, euro(3_000), { services: { productId: own, cycle: "monthly" } })
    for (const services of [move.services, { serviceId: id }])
      expect(await operator().countPriceMove({ ...move, services })).toEqual({ ...none, isCut: false })
    expect(await toAll(move)).toEqual(none)
    expect(await operator().movePrice(id, changeOf(euro(3_000)))).toBe(false)
    expect(await operator().movePrice(follows, changeOf(euro(1_200)))).toBe(true)
  })

  test("leaves a service whose extras have no price in the catalogue", async () => {
    const [plain = "", more = ""] = await together(2, shop.startService)
    await shop.db.updateTable("services").set({ connections: 2 }).where("id", "=", more).execute()
    await shop.db.updateTable("products").set({ options: "[]" }).execute()
    expect(await toAll(await moveOf(plain))).toEqual({ services: 1, unpriced: 1 })
    expect([(await announcedOf(plain))?.price, await announcedOf(more)]).toEqual([euro(3_000), null])
  })

  test("is announced in the language in which the service was last paid for", async () => {
    const id = await shop.startService()
    await shop.billing.billing.chooseNextPlan(id, basic, now())
    await payAhead(id)
    await operator().movePrice(id, changeOf(euro(1_200)))
    const announced = shop.db.selectFrom("mails").select("locale").where("name", "=", "price-announced")
    expect(await announced.execute()).toEqual([{ locale: "de-de" }])
  })

  test("after a cheaper plan was paid ahead is the cheaper one's, and not the former one's", async () => {
    const id = await shop.startService()
    const former = await moveOf(id)
    await shop.billing.billing.chooseNextPlan(id, basic, now())
    await payAhead(id)
    expect(await shop.billing.billing.nextPlan(id)).toMatchObject({ startsAt: MONTH_END })
    expect(await toAll(former)).toEqual({ services: 0, unpriced: 0 })
    const ofBasic = { ...former, price: euro(1_200), services: { productId: "3", cycle: "monthly" as const } }
    expect(await operator().countPriceMove(ofBasic)).toEqual({ services: 1, unpriced: 0, isCut: false })
    await toAll(ofBasic)
    expect(await announcedOf(id)).toEqual({ price: euro(1_200), from: former.from })
  })

  test("whose message was left out for a plan that followed is announced anew when that is taken back", async () => {
    const [id, other] = [await shop.startService(), await shop.startService()]
    const move = await moveOf(id)
    const { billing } = shop.billing
    for (const it of [id, other]) await billing.chooseNextPlan(it, basic, now())
    await toAll(move)
    await shop.deliver()
    const detail = `${id} ${move.from}`
    await shop.db.updateTable("mails").set({ state: "skipped" }).where("detail", "=", detail).execute()
    shop.wait(20 * DAY)
    for (const it of [id, other]) await billing.keepPlan(it, now())
    expect(await announcedOf(id)).toEqual({ price: move.price, from: now() + 30 * DAY })
    expect(await announcedOf(other)).toEqual({ price: move.price, from: move.from })
    expect(await shop.deliver()).toEqual(["price-announced"])
  })

  test("is counted by its day until the day has come, with the services that have none", async () => {
    const [one = "", other = ""] = await together(2, shop.startService)
    const { product_id: productId, cycle } = await shop.serviceRow(one)
    const group = { currency: "EUR", cycle } as const
    const groups = (at = now()) => operator().renewalGroups(productId, at)
    expect(await groups()).toEqual([{ ...group, announcedFrom: null, services: 2 }])
    const move = changeOf(euro(3_000))
    await operator().movePrice(one, move)
    expect((await groups()).toSorted((a, b) => (a.announcedFrom ?? 0) - (b.announcedFrom ?? 0))).toEqual([
      { ...group, announcedFrom: null, services: 1 },
      { ...group, announcedFrom: move.from, services: 1 },
    ])
    expect(await groups(move.from)).toEqual([{ ...group, announcedFrom: null, services: 2 }])
    await shop.db.updateTable("services").set({ status: "Terminated" }).where("id", "=", other).execute()
    expect(await groups(move.from)).toEqual([{ ...group, announcedFrom: null, services: 1 }])
  })

  test("is taken back before its day, and announced again with another message", async () => {
    const id = await shop.startService()
    const move = await moveOf(id)
    await toAll(move)
    const { price: _, ...kept } = move
    expect(await fromAll({ ...kept, currency: "EUR" })).toBe(1)
    expect(await fromAll({ ...kept, currency: "EUR" })).toBe(0)
    expect(await announcedOf(id)).toBeNull()
    expect(await toAll(move, now() + MINUTE)).toMatchObject({ services: 1 })
    const again = await shop.db
      .selectFrom("mails")
      .selectAll()
      .where("name", "=", "price-announced")
      .execute()
    expect(again).toHaveLength(2)
  })

  test("whose day has come is not taken back, and stays the price when another one is announced", async () => {
    const id = await shop.startService()
    const { price, ...kept } = await moveOf(id)
    await toAll({ ...kept, price })
    const { from } = kept
    expect(await operator().keepPrice(id, { currency: "EUR", from, reason, at: from })).toBe(false)
    await expect(fromAll({ ...kept, currency: "EUR" }, from)).rejects.toThrow("before its first day")
    const later = { ...kept, price: euro(4_000), from: kept.from + 40 * DAY }
    await toAll(later, kept.from)
    expect(await shop.billing.billing.renewalTerms(id)).toMatchObject({
      price,
      announced: { price: euro(4_000), from: later.from },
    })
  })
})
