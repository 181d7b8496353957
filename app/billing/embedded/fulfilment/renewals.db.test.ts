import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { NewRenewal } from "~/billing/services/renewals"
import { DAY, HOUR, type Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { type RenewalItem, renewalLine, renewalQuote } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { endOfTerm, newTerm } from "~/domain/services/term"
import { quoteUpsell } from "~/domain/services/upsell"
import {
  active,
  NOON,
  newOrderInput,
  opened,
  orderNow,
  paymentUpdate,
  plan,
  promotions,
  timelineKinds,
  together,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../../tests/fixtures/term-policy"
import type { ServiceRow } from "../db/schema/order-rows"
import { inTransaction } from "../db/transaction.server"
import { suspend, terminate } from "../services/service-state.server"
import { applyRenewal } from "./apply-renewal.server"

const ZONE = "Europe/Madrid"
/** The term of a service: a month from noon. */
const END = endOfTerm(newTerm(NOON, ZONE, 1), "monthly")
const GRACE_END = END + termPolicy.graceDays * DAY
const endAfter = (cycles: number) => endOfTerm(newTerm(NOON, ZONE, 1 + cycles), "monthly")
const anew = (at: Instant, cycles: number) => endOfTerm(newTerm(at, ZONE, cycles), "monthly")
const refused = { name: "BillingError", kind: "refused" }

describe.each(engines)("on %s renewals", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  /** A service of EUR 20.00 a month that is paid until `END`. */
  async function service(changes: Partial<ServiceRow> = {}, customerId?: string): Promise<Service> {
    const order = await active(shop, customerId === undefined ? {} : { customerId })
    const term = { term_anchor: NOON, term_zone: ZONE, term_count: 1, extra_days: 0, paid_until: END }
    await set(order.serviceId, { ...term, cycle: "monthly", ...changes })
    return find(order.serviceId)
  }

  async function set(id: string, changes: Partial<ServiceRow>): Promise<void> {
    await shop.ctx.db.updateTable("services").set(changes).where("id", "=", id).execute()
  }

  async function find(id: string): Promise<Service> {
    const found = await shop.billing.service(id)
    if (!found) throw new Error(`No service ${id}`)
    return found
  }

  function request(of: readonly Service[], cycles = 1, changes: Partial<NewRenewal> = {}): NewRenewal {
    const [first] = of
    const items = of.map(
      ({ id }): RenewalItem => ({
        serviceId: id,
        cycles,
        amount: money(2_000 * cycles, "EUR"),
      }),
    )
    const lines = of.map((it, at) => {
      const item = items[at]
      if (!item) throw new Error("no item")
      return renewalLine({ ...it, cycle: "monthly" }, item)
    })
    return {
      key: unique(),
      customerId: first?.customerId ?? "",
      items,
      quote: renewalQuote(lines),
      gateway: "offshore",
      locale: "de-de",
      address: "192.0.2.7",
      number: unique,
      at: NOON,
      deadline: NOON + DAY,
      accessScope: null,
      accountCreditScope: "none",
      holdReason: null,
      browser: null,
      ...changes,
    }
  }

  /** Orders a renewal and pays it at `at`. */
  async function renew(of: readonly Service[], at: Instant, cycles = 1): Promise<Order> {
    const order = await shop.billing.placeRenewal(request(of, cycles, { at, deadline: at + DAY }))
    await pay(order, at)
    return orderNow(shop, order)
  }

  async function pay(order: Order, at: Instant, minor = order.total.minor) {
    const attempt = await opened(shop, order, minor)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", minor), at)
  }

  /** Pays the total of an order in each of two payments. */
  async function payTwice(order: Order): Promise<void> {
    const attempts = [await opened(shop, order, order.total.minor), await opened(shop, order, 1)]
    for (const attempt of attempts)
      await shop.payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(attempt, "paid", order.total.minor),
        NOON,
      )
  }

  async function jobsOf(id: string): Promise<string[]> {
    const rows = await shop.ctx.db
      .selectFrom("outbox")
      .select("topic")
      .where("subject", "=", id)
      .where("state", "=", "waiting")
      .orderBy("topic")
      .execute()
    return rows.map(({ topic }) => topic)
  }

  async function eventsOf(id: string): Promise<string[]> {
    const rows = await shop.ctx.db
      .selectFrom("service_events")
      .select("kind")
      .where("service_id", "=", id)
      .orderBy("position")
      .execute()
    return rows.map(({ kind }) => kind)
  }

  test("an order adds its terms when it is paid, once, and needs nothing more", async () => {
    const it = await service()
    const order = await shop.billing.placeRenewal(request([it], 3))
    expect(order).toMatchObject({
      kind: "renewal",
      serviceId: it.id,
      customerId: it.customerId,
      status: "placed",
      total: money(6_000, "EUR"),
      lines: [{ kind: "renewal", productId: plan.id, months: 3 }],
    })
    expect((await find(it.id)).paidUntil).toBe(END)
    const attempt = await opened(shop, order, 6_000)
    const update = paymentUpdate(attempt, "paid", 6_000)
    await shop.payments.recordPaymentUpdate("offshore", update, NOON + HOUR)
    await shop.payments.recordPaymentUpdate("offshore", { ...update, eventKey: unique() }, NOON + HOUR)
    expect(await find(it.id)).toMatchObject({ paidUntil: endAfter(3), status: "Active" })
    expect((await orderNow(shop, order)).status).toBe("active")
    expect(await timelineKinds(shop, order)).toEqual(["placed", "handed-off", "paid", "renewed"])
    expect(await jobsOf(it.id)).toContain("extend")
    expect(await shop.billing.renewalItems(order.id)).toMatchObject([
      { serviceId: it.id, name: plan.name, cycles: 3, amount: money(6_000, "EUR"), until: endAfter(3) },
    ])
  })

  test("an order that is fulfilled a second time adds nothing, at once or one after the other", async () => {
    const bought = await service()
    const order = await renew([bought], NOON)
    const again = () =>
      inTransaction(shop.ctx, (tx) => applyRenewal(tx, order.id, { at: NOON + HOUR, isSettled: true }))
    await Promise.all([again(), again()])
    await again()
    expect(await find(bought.id)).toMatchObject({ paidUntil: endAfter(1) })
    expect((await eventsOf(bought.id)).filter((kind) => kind === "renewed")).toHaveLength(1)
  })

  test("an order that is paid twice is one term, and account credit", async () => {
    const it = await service()
    const order = await shop.billing.placeRenewal(request([it]))
    await payTwice(order)
    expect((await find(it.id)).paidUntil).toBe(endAfter(1))
    expect(await shop.payments.accountCredit(it.customerId, "EUR")).toEqual(money(2_000, "EUR"))
  })

  test("two orders that are paid add two terms, also when they are paid at once", async () => {
    const it = await service()
    const orders = await Promise.all([1, 2, 3].map(() => shop.billing.placeRenewal(request([it]))))
    const attempts = await Promise.all(orders.map((order) => opened(shop, order, 2_000)))
    await Promise.all(
      attempts.map((attempt) =>
        shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON),
      ),
    )
    expect((await find(it.id)).paidUntil).toBe(endAfter(3))
  })

  test("of two orders that together pass what may be paid ahead, the one that is paid later becomes account credit", async () => {
    const own = await service()
    const year = await shop.billing.placeRenewal(request([own], 12))
    const [another, month] = [
      await shop.billing.placeRenewal(request([own], 12)),
      await shop.billing.placeRenewal(request([own], 6)),
    ]
    await pay(year, NOON + HOUR)
    await pay(another, NOON + 2 * HOUR)
    expect((await find(own.id)).paidUntil).toBe(endAfter(12))
    expect(await orderNow(shop, another)).toMatchObject({ status: "active", credited: another.total })
    expect(await timelineKinds(shop, another)).toContain("part-credited")
    expect(await shop.payments.accountCredit(own.customerId, "EUR")).toEqual(another.total)
    // What still fits is renewed.
    await pay(month, NOON + 3 * HOUR)
    expect((await find(own.id)).paidUntil).toBe(endAfter(18))
  })

  test("an order keeps its terms, if days that were given since are why it passes what may be paid ahead", async () => {
    const own = await service()
    await renew([own], NOON, 11)
    const order = await shop.billing.placeRenewal(request([own], 12, { at: NOON + HOUR }))
    await shop.operator.extendService(own.id, { days: 40, reason: "an outage", at: NOON + 2 * HOUR })
    await pay(order, NOON + 3 * HOUR)
    expect(await orderNow(shop, order)).toMatchObject({ status: "active", credited: money(0, "EUR") })
  })

  test("an order that is paid in two parts adds its term with the second", async () => {
    const it = await service()
    const order = await shop.billing.placeRenewal(request([it]))
    const attempt = await opened(shop, order, 2_000)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 1_500), NOON)
    expect([(await orderNow(shop, order)).status, (await find(it.id)).paidUntil]).toEqual([
      "partially-paid",
      END,
    ])
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
    expect((await find(it.id)).paidUntil).toBe(endAfter(1))
  })

  test("repeated and concurrent submissions of one form are one order", async () => {
    const it = await service()
    const again = request([it])
    const orders = await together(8, () => shop.billing.placeRenewal({ ...again, number: unique }))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    expect(await shop.billing.placeRenewal({ ...again, items: [] })).toEqual(orders[0])
  })

  test("several services are renewed by one payment, each to its own end", async () => {
    const first = await service()
    const second = await service({ term_count: 3, paid_until: endAfter(2) }, first.customerId)
    const order = await renew([first, second], NOON)
    expect(order.total).toEqual(money(4_000, "EUR"))
    expect([(await find(first.id)).paidUntil, (await find(second.id)).paidUntil]).toEqual([
      endAfter(1),
      endAfter(3),
    ])
  })

  test("a payment within the grace leaves no gap, a later one begins anew, by the grace of the product", async () => {
    const within = await service()
    await renew([within], GRACE_END)
    const later = await service()
    await renew([later], GRACE_END + 1)
    expect([(await find(within.id)).paidUntil, (await find(later.id)).paidUntil]).toEqual([
      endAfter(1),
      anew(GRACE_END + 1, 1),
    ])
    await shop.ctx.db.updateTable("products").set({ grace_days: 10 }).where("id", "=", plan.id).execute()
    const longer = await service()
    await renew([longer], GRACE_END + DAY)
    await shop.ctx.db.updateTable("products").set({ grace_days: null }).where("id", "=", plan.id).execute()
    expect((await find(longer.id)).paidUntil).toBe(endAfter(1))
  })

  test("a term that ended counts in the overview until it is renewed late, also after the overview was looked at", async () => {
    const ended = () => shop.overview.endedTerms({ from: END - DAY, until: END + DAY })
    const others = await ended()
    const renewed = await service()
    await shop.overview.hours({ from: END - DAY, until: END + DAY, now: GRACE_END })
    expect(await ended()).toBe(others + 1)
    await renew([renewed], GRACE_END + 1)
    expect(await ended()).toBe(others)
  })

  test("a late payment adds its time also if the plan is sold once by now", async () => {
    const it = await service()
    await shop.ctx.db.updateTable("products").set({ pay_type: "onetime" }).where("id", "=", plan.id).execute()
    await renew([it], GRACE_END + 1)
    expect((await find(it.id)).paidUntil).toBe(anew(GRACE_END + 1, 1))
    await shop.ctx.db
      .updateTable("products")
      .set({ pay_type: plan.payType })
      .where("id", "=", plan.id)
      .execute()
  })

  test("a payment that was seen within the grace counts as made then", async () => {
    const it = await service()
    const order = await shop.billing.placeRenewal(request([it]))
    const attempt = await opened(shop, order, 2_000)
    await shop.payments.recordPaymentUpdate(
      "offshore",
      paymentUpdate(attempt, "processing", 0),
      GRACE_END - HOUR,
    )
    // The step that it holds was due after the grace.
    await set(it.id, { held_since: GRACE_END + 1 })
    await shop.payments.recordPaymentUpdate(
      "offshore",
      paymentUpdate(attempt, "paid", 2_000),
      GRACE_END + DAY,
    )
    expect((await find(it.id)).paidUntil).toBe(endAfter(1))
  })

  test("a payment does not pay for days of a suspension if the grace was made longer since", async () => {
    const it = await service()
    await inTransaction(shop.ctx, (tx) =>
      suspend(tx, it.id, { owner: "non-payment", reason: null, at: GRACE_END }),
    )
    const products = () => shop.ctx.db.updateTable("products").where("id", "=", plan.id)
    await products().set({ grace_days: 14 }).execute()
    await renew([it], GRACE_END + 5 * DAY)
    await products().set({ grace_days: null }).execute()
    expect((await find(it.id)).paidUntil).toBe(anew(GRACE_END + 5 * DAY, 1))
  })

  test("a payment lifts a suspension for non-payment, with the same credentials", async () => {
    const it = await service()
    const at = GRACE_END + 5 * DAY
    await inTransaction(shop.ctx, (tx) =>
      suspend(tx, it.id, { owner: "non-payment", reason: null, at: GRACE_END }),
    )
    await renew([it], at)
    const { username, password } = it
    expect(await find(it.id)).toMatchObject({
      status: "Active",
      suspension: null,
      paidUntil: anew(at, 1),
      username,
      password,
    })
    expect(await jobsOf(it.id)).toContain("resume")
    expect(await eventsOf(it.id)).toEqual(["started", "suspended", "renewed", "resumed"])
  })

  test.each(["operator", "fraud", "panel"] as const)(
    "a payment does not lift a suspension by %s, and its term is kept",
    async (owner) => {
      const it = await service()
      const order = await shop.billing.placeRenewal(request([it]))
      await inTransaction(shop.ctx, (tx) => suspend(tx, it.id, { owner, reason: "abuse", at: NOON }))
      await pay(order, NOON)
      expect(await find(it.id)).toMatchObject({
        status: "Suspended",
        suspension: { owner },
        paidUntil: endAfter(1),
      })
      await expect(shop.billing.placeRenewal(request([it]))).rejects.toMatchObject(refused)
    },
  )

  test("a payment sets up a service that has ended unpaid again, with the same credentials", async () => {
    const it = await service()
    const at = GRACE_END + 20 * DAY
    await inTransaction(shop.ctx, (tx) => terminate(tx, it.id, { owner: "non-payment", reason: null, at }))
    await renew([it], at)
    const { username, password } = it
    expect(await find(it.id)).toMatchObject({ status: "Pending", paidUntil: anew(at, 1), username, password })
    expect(await jobsOf(it.id)).toContain("provision")
    await shop.billing.activateService(it.id, { host: "https://tv.test" }, at)
    expect(await find(it.id)).toMatchObject({ status: "Active", paidUntil: anew(at, 1) })
  })

  test("the paid time of a service that is set up again long after the payment begins with its activation", async () => {
    const it = await service()
    const at = GRACE_END + 20 * DAY
    await inTransaction(shop.ctx, (tx) => terminate(tx, it.id, { owner: "non-payment", reason: null, at }))
    await renew([it], at + HOUR, 2)
    const [host, works] = ["https://tv.test", at + 2 * DAY]
    await shop.billing.activateService(it.id, { host }, works)
    expect((await find(it.id)).paidUntil).toBe(anew(works, 2))
    expect(await jobsOf(it.id)).toContain("extend")
    const credentials = { username: "TVNEWLOGIN", password: "0123456789" }
    await shop.billing.recreateService(it, credentials, works + DAY)
    await shop.billing.activateService(it.id, { host }, works + 2 * DAY)
    expect(await find(it.id)).toMatchObject({ status: "Active", paidUntil: anew(works, 2) })
  })

  test("a service that the operator has ended cannot be renewed", async () => {
    const it = await service()
    await inTransaction(shop.ctx, (tx) =>
      terminate(tx, it.id, { owner: "operator", reason: "abuse", at: NOON }),
    )
    expect(await shop.billing.renewalTerms(it.id)).toBeNull()
    await expect(shop.billing.placeRenewal(request([it]))).rejects.toMatchObject(refused)
  })

  test.each([
    ["within its day", NOON + HOUR],
    ["after its day", NOON + 2 * DAY],
  ])(
    "a renewal that is paid %s does not bring back a service that the operator has ended since",
    async (_, at) => {
      const it = await service()
      const order = await shop.billing.placeRenewal(request([it]))
      await inTransaction(shop.ctx, (tx) =>
        terminate(tx, it.id, { owner: "operator", reason: "abuse", at: NOON }),
      )
      await pay(order, at)
      expect(await find(it.id)).toMatchObject({ status: "Terminated", paidUntil: END })
      expect(await shop.payments.accountCredit(it.customerId, "EUR")).toEqual(money(2_000, "EUR"))
      expect((await orderNow(shop, order)).status).toBe("active")
      expect(await timelineKinds(shop, order)).toContain("part-credited")
    },
  )

  test("an order for another customer's service, without end, twice in an order or with other lines is refused", async () => {
    const it = await service()
    const other = await service()
    const endless = await service({ term_anchor: null, term_zone: null, term_count: 0, paid_until: null })
    const base = request([it])
    const attempts: NewRenewal[] = [
      { ...base, customerId: other.customerId },
      request([it, other]),
      request([endless]),
      request([it, it]),
      { ...base, items: [] },
      { ...base, items: base.items.map((item) => ({ ...item, cycles: 0 })) },
      { ...base, items: base.items.map((item) => ({ ...item, amount: money(1, "EUR") })) },
      { ...base, items: base.items.map((item) => ({ ...item, serviceId: "none" })) },
      { ...base, quote: { ...base.quote, total: money(1, "EUR") } },
    ]
    for (const wrong of attempts)
      await expect(shop.billing.placeRenewal({ ...wrong, key: unique() })).rejects.toMatchObject(refused)
  })

  test("an idempotency key of another customer's order, or of a plan's, is refused", async () => {
    const it = await service()
    const other = await service()
    const key = unique()
    await shop.billing.placeRenewal(request([it], 1, { key }))
    await expect(shop.billing.placeRenewal(request([other], 1, { key }))).rejects.toMatchObject(refused)
    const planKey = unique()
    await active(shop, { key: planKey })
    await expect(shop.billing.placeRenewal(request([other], 1, { key: planKey }))).rejects.toMatchObject(
      refused,
    )
  })

  test.each(["aborted", "deadlinePassed"] as const)(
    "a renewal that was given up (%s) changes nothing, and a late payment adds its term",
    async (event) => {
      const it = await service()
      const order = await shop.billing.placeRenewal(request([it]))
      const attempt = await opened(shop, order, 2_000)
      await shop.billing.applyOrderEvent(order.id, event, NOON)
      expect(await find(it.id)).toMatchObject({ status: "Active", paidUntil: END })
      await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
      expect((await find(it.id)).paidUntil).toBe(endAfter(1))
      expect(await timelineKinds(shop, order)).toContain("late")
    },
  )

  test("account credit pays a renewal, and one without an amount due is paid at once", async () => {
    const it = await service()
    await payTwice(await shop.billing.placeRenewal(request([it])))
    const order = await shop.billing.placeRenewal(request([it], 1, { accountCreditScope: "account" }))
    expect(order.status).toBe("active")
    expect((await find(it.id)).paidUntil).toBe(endAfter(2))
    expect(await timelineKinds(shop, order)).toEqual(["placed", "credit-used", "paid", "renewed"])
  })

  test("a renewal on hold adds nothing until the operator releases it and it is paid", async () => {
    const it = await service()
    const held = await shop.billing.placeRenewal(request([it], 1, { holdReason: "a bot" }))
    expect([held.status, (await find(it.id)).paidUntil]).toEqual(["fraud", END])
    const release = { at: NOON, deadline: NOON + DAY, reference: "operator: known", quoteHolds: true }
    await shop.billing.releaseOrder(held.id, release)
    await pay(held, NOON)
    expect((await find(it.id)).paidUntil).toBe(endAfter(1))
  })

  test("the operator marks a renewal as paid, and its term is added", async () => {
    const it = await service()
    const order = await shop.billing.placeRenewal(request([it]))
    await together(3, () => shop.billing.applyOrderEvent(order.id, "paid", NOON))
    expect((await find(it.id)).paidUntil).toBe(endAfter(1))
    expect(await timelineKinds(shop, order)).toEqual(["placed", "paid", "renewed"])
  })

  test("a renewal takes back that the customer did not want to renew", async () => {
    const it = await service()
    await shop.billing.declineRenewal(it.id, "price", NOON)
    await shop.billing.declineRenewal(it.id, "quality", NOON + 1)
    expect((await find(it.id)).declinedAt).toBe(NOON)
    await shop.billing.resumeRenewal(it.id, NOON + 2)
    await shop.billing.resumeRenewal(it.id, NOON + 3)
    expect((await find(it.id)).declinedAt).toBeNull()
    await shop.billing.declineRenewal(it.id, "unused", NOON + 4)
    await renew([it], NOON + 5)
    expect((await find(it.id)).declinedAt).toBeNull()
    expect(await eventsOf(it.id)).toEqual(["started", "declined", "undeclined", "declined", "renewed"])
  })

  /** Orders two connections for a service. */
  function moreFor(it: Service, changes: Partial<NewRenewal> = {}): Promise<Order> {
    const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: money(250, "EUR") }
    const { items: _, ...upsell } = request([it], 1, changes)
    return shop.billing.addInvoice({
      ...upsell,
      serviceId: it.id,
      quantity: 2,
      quote: quoteUpsell(extra, 2),
    })
  }

  test("connections whose order was on hold are added to the plan that the service has at the release", async () => {
    const it = await service()
    const held = await moreFor(it, { holdReason: "blocked country XK" })
    await set(it.id, { term_anchor: NOON + HOUR })
    const release = { at: NOON, deadline: NOON + DAY, reference: "operator", quoteHolds: true }
    await shop.billing.releaseOrder(held.id, release)
    await pay(held, NOON)
    expect((await find(it.id)).connections).toBe(it.connections + 2)
  })

  describe("the price of a renewal", () => {
    test("is that of the purchase before its discount, also with connections bought since", async () => {
      const it = await service()
      const more = await moreFor(it)
      await shop.billing.applyOrderEvent(more.id, "paid", NOON)
      const expected = { price: money(2_500, "EUR"), discount: money(0, "EUR"), discountedTerms: null }
      expect(await shop.billing.renewalTerms(it.id)).toMatchObject(expected)
      await set(it.id, { renewal_price: null })
      expect(await shop.billing.renewalTerms(it.id)).toMatchObject(expected)
    })

    test.each([
      [2, money(1_000, "EUR"), 2],
      [-1, money(1_000, "EUR"), null],
      [null, money(0, "EUR"), null],
    ] as const)(
      "contains the discount of its promotion for %s renewals",
      async (renewals, discount, terms) => {
        await shop.ctx.db
          .updateTable("promotions")
          .set({ renewals })
          .where("code", "=", promotions.half.code)
          .execute()
        const order = await shop.billing.placeOrder(await newOrderInput(shop.billing, {}, promotions.half))
        expect(await shop.billing.renewalTerms(order.serviceId)).toEqual({
          notBefore: null,
          price: money(2_000, "EUR"),
          discount,
          discountedTerms: terms,
          announced: null,
          next: null,
        })
      },
    )

    test("uses the discounted terms up", async () => {
      const it = await service({ renewal_discount: 500, discounted_terms: 2 })
      await renew([it], NOON)
      expect((await shop.billing.renewalTerms(it.id))?.discountedTerms).toBe(1)
      await renew([it], NOON, 3)
      expect((await shop.billing.renewalTerms(it.id))?.discountedTerms).toBe(0)
    })

    test.each([
      [{ discounted_terms: 1 }, [1, 3, 6, 12]],
      [{ discounted_terms: 3 }, [3, 1, 6]],
    ] as const)(
      "has a limited discount (%o) no more often than promised, by whatever orders are paid",
      async (limit, lengths) => {
        const it = await service({ renewal_discount: 500, ...limit })
        const orders = []
        for (const cycles of lengths) orders.push(await shop.billing.placeRenewal(request([it], cycles)))
        await Promise.all(orders.map((order) => pay(order, NOON + HOUR)))
        const ends = await Promise.all(orders.map(({ id }) => shop.billing.renewalItems(id)))
        const renewed = ends.flat().filter(({ until }) => until !== null)
        expect(renewed).toHaveLength(1)
        expect((await find(it.id)).paidUntil).toBe(endAfter(renewed[0]?.cycles ?? 0))
        const [paid, sold] = [orders.flatMap(({ total }) => total.minor), 2_000 * (renewed[0]?.cycles ?? 0)]
        const credit = paid.reduce((sum, minor) => sum + minor, -sold)
        expect(await shop.payments.accountCredit(it.customerId, "EUR")).toEqual(money(credit, "EUR"))
        expect(await Promise.all(orders.map(async (order) => (await orderNow(shop, order)).status))).toEqual(
          orders.map(() => "active"),
        )
      },
    )

    test("is that of the price at which an order on hold is released, and not of the one before", async () => {
      const it = await service({ renewal_discount: 500, discounted_terms: 1 })
      const held = await shop.billing.placeRenewal(request([it], 1, { holdReason: "blocked country XK" }))
      await pay(await shop.billing.placeRenewal(request([it])), NOON)
      const release = { at: NOON, deadline: NOON + DAY }
      await shop.billing.releaseOrder(held.id, { ...release, reference: "operator", quoteHolds: false })
      await shop.billing.requoteOrder(held.id, { ...release, quote: request([it]).quote, promoCode: null })
      await pay(held, NOON)
      expect((await find(it.id)).paidUntil).toBe(endAfter(2))
    })

    test("is that with connections bought meanwhile, if an order on hold is released after them", async () => {
      const it = await service()
      const held = await shop.billing.placeRenewal(request([it], 1, { holdReason: "blocked country XK" }))
      await pay(await moreFor(it), NOON + HOUR)
      const release = { at: NOON + 2 * HOUR, deadline: NOON + DAY, reference: "operator", quoteHolds: false }
      await shop.billing.releaseOrder(held.id, release)
      const items = [{ serviceId: it.id, cycles: 1, amount: money(2_500, "EUR") }] as const
      const quote = renewalQuote(items.map((item) => renewalLine({ ...it, cycle: "monthly" }, item)))
      await shop.billing.requoteOrder(held.id, { ...release, quote, promoCode: null })
      await pay(await orderNow(shop, held), NOON + 3 * HOUR, 2_500)
      expect((await find(it.id)).paidUntil).toBe(endAfter(1))
    })

    test("is that of each order, while enough discounted terms are left or none is in it", async () => {
      const it = await service({ renewal_discount: 500, discounted_terms: 2 })
      const discounted = [
        await shop.billing.placeRenewal(request([it])),
        await shop.billing.placeRenewal(request([it])),
      ]
      for (const order of discounted) await pay(order, NOON)
      const full = [
        await shop.billing.placeRenewal(request([it])),
        await shop.billing.placeRenewal(request([it], 3)),
      ]
      for (const order of full) await pay(order, NOON)
      expect((await find(it.id)).paidUntil).toBe(endAfter(6))
    })

    test("is replaced by a lower one, and never by a higher one", async () => {
      const it = await service({ renewal_price: 2_000, renewal_discount: 100, discounted_terms: 5 })
      expect(await shop.billing.lowerRenewalPrice(it.id, money(1_900, "EUR"), NOON)).toBe(false)
      expect(await shop.billing.lowerRenewalPrice(it.id, money(1_500, "GBP"), NOON)).toBe(false)
      expect(await shop.billing.lowerRenewalPrice(it.id, money(1_899, "EUR"), NOON)).toBe(true)
      expect(await shop.billing.renewalTerms(it.id)).toMatchObject({
        price: money(1_899, "EUR"),
        discount: money(0, "EUR"),
        discountedTerms: null,
      })
    })

    test("is replaced by a lower one than an announced price that has begun", async () => {
      const it = await service({ renewal_price: 1_000, announced_price: 3_000, announced_from: NOON })
      expect(await shop.billing.lowerRenewalPrice(it.id, money(1_500, "EUR"), NOON)).toBe(true)
      expect(await shop.billing.renewalTerms(it.id)).toMatchObject({
        price: money(1_500, "EUR"),
        announced: null,
      })
    })

    test.each(["line", "reseller"] as const)("is not there for a service of a %s order", async (kind) => {
      const it = await service()
      await shop.ctx.db.updateTable("orders").set({ kind }).where("id", "=", it.orderId).execute()
      expect(await shop.billing.renewalTerms(it.id)).toBeNull()
      await expect(shop.billing.placeRenewal(request([it]))).rejects.toMatchObject(refused)
    })
  })

  /** Orders renewals of a new service, pays some of them in the opposite order, some more than once. */
  async function ordered(wishes: readonly { cycles: number; reports: number }[]): Promise<Service> {
    const it = await service()
    const placed = []
    for (const { cycles, reports } of wishes)
      placed.push({ reports, order: await shop.billing.placeRenewal(request([it], cycles)) })
    for (const { reports, order } of placed.reverse()) {
      const attempt = await opened(shop, order, order.total.minor)
      const update = () => paymentUpdate(attempt, "paid", order.total.minor)
      for (let report = 0; report < reports; report++)
        await shop.payments.recordPaymentUpdate("offshore", update(), NOON)
    }
    return find(it.id)
  }

  test("whatever is ordered and paid in whatever order, the paid time is the sum of what was paid", async () => {
    const wish = fc.record({
      cycles: fc.integer({ min: 1, max: 4 }),
      reports: fc.integer({ min: 0, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { maxLength: 5 }), async (wishes) => {
        const bought = wishes
          .filter(({ reports }) => reports > 0)
          .reduce((sum, { cycles }) => sum + cycles, 0)
        expect((await ordered(wishes)).paidUntil).toBe(endAfter(bought))
      }),
      { numRuns: 15 },
    )
  })
})
