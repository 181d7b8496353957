import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { NewOrder } from "~/billing/orders/new-order"
import type { AccessScope } from "~/domain/customers/customer"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  timelineKinds,
  together,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { lineFor, resellerPriced } from "../../../../tests/contracts/billing/reseller-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("on %s a reseller plan that is bought again", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  const inAccount: AccessScope = { reach: "account" }

  function plan(changes: Partial<NewOrder> = {}) {
    const choices = { kind: "reseller", accessScope: inAccount, quote: resellerPriced } as const
    return placed(shop, { ...choices, key: unique(), credits: 25, addsCredits: true, ...changes })
  }

  /** Pays an order; the answer pays a part of it back. */
  async function paid(order: Order) {
    const attempt = await opened(shop, order)
    const total = order.total.minor
    const record = (update: ReturnType<typeof paymentUpdate>) =>
      shop.payments.recordPaymentUpdate("offshore", update, NOON)
    await together(3, () => record(paymentUpdate(attempt, "paid", total)))
    return (minor: number) =>
      record({
        ...paymentUpdate(attempt, "refunded", total),
        eventKey: unique(),
        refunded: money(minor, "EUR"),
      })
  }

  /** A reseller with a working account of 25 credits. */
  async function account(changes: Partial<NewOrder> = {}) {
    const order = await plan(changes)
    await paid(order)
    await shop.billing.activateService(order.serviceId, { host: "https://panel.test" }, NOON)
    return order
  }

  const creditsOf = async ({ customerId: id }: Order, scope = inAccount) =>
    (await shop.billing.resellerCredits({ id, ...scope }, 10)).balance
  const accountsOf = async ({ customerId: id }: Order) =>
    (await shop.billing.servicesOf({ id, reach: "account" })).filter(({ kind }) => kind === "reseller")
  const jobOf = async (serviceId: string) =>
    shop.ctx.db
      .selectFrom("outbox")
      .select("state")
      .where("topic", "=", "reseller-credits")
      .where("subject", "=", serviceId)
      .executeTakeFirst()

  test("adds its credits once to the account, whose login stays, and tells the panel how many there are", async () => {
    const first = await account()
    const [before] = await accountsOf(first)
    const { customerId } = first
    const key = unique()
    const orders = await together(3, () => plan({ customerId, key, credits: 100 }))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    const [second = first] = orders
    expect(second).toMatchObject({ kind: "reseller-credits", serviceId: first.serviceId, credits: 100 })
    expect(await creditsOf(first)).toBe(25)
    expect(await jobOf(first.serviceId)).toBeUndefined()
    await paid(second)
    expect(await creditsOf(first)).toBe(125)
    expect(await accountsOf(first)).toEqual([before])
    expect(await orderNow(shop, second)).toMatchObject({ status: "active" })
    expect((await timelineKinds(shop, second)).slice(-2)).toEqual(["paid", "provisioned"])
    expect(await jobOf(first.serviceId)).toEqual({ state: "waiting" })
    expect(await shop.billing.creditsSold(first.serviceId)).toBe(125)
  })

  test("leaves the account alone when it is not paid", async () => {
    const first = await account()
    const second = await plan({ customerId: first.customerId })
    await shop.billing.applyOrderEvent(second.id, "aborted", NOON)
    expect(await accountsOf(first)).toMatchObject([{ id: first.serviceId, status: "Active" }])
    expect(await creditsOf(first)).toBe(25)
  })

  const end = { owner: "operator", reason: "asked", at: NOON } as const
  const accountCredit = async ({ customerId }: Order) =>
    (await shop.payments.accountCredit(customerId, "EUR")).minor

  test("adds its credits to an account that is paused", async () => {
    const first = await account()
    const { customerId, serviceId } = first
    await shop.operator.suspendService(serviceId, end)
    const second = await plan({ customerId })
    expect(second).toMatchObject({ kind: "reseller-credits", serviceId })
    await paid(second)
    expect(await creditsOf(first)).toBe(50)
  })

  test("adds its credits to an account that is being set up", async () => {
    const first = await plan()
    await paid(first)
    const second = await plan({ customerId: first.customerId })
    expect(second).toMatchObject({ kind: "reseller-credits", serviceId: first.serviceId })
    await paid(second)
    expect(await creditsOf(first)).toBe(50)
  })

  test("becomes account credit if the account has ended when it is paid, where its credits make no line", async () => {
    const first = await account()
    const second = await plan({ customerId: first.customerId })
    await shop.operator.terminateService(first.serviceId, end)
    await paid(second)
    expect(await creditsOf(first)).toBe(25)
    expect(await accountCredit(second)).toBe(second.total.minor)
    expect(await orderNow(shop, second)).toMatchObject({ status: "active" })
    expect((await timelineKinds(shop, second)).slice(-2)).toEqual(["paid", "part-credited"])
    expect(await shop.billing.creditsSold(first.serviceId)).toBe(25)
    expect(await jobOf(first.serviceId)).toBeUndefined()
  })

  test("adds its credits to another account that was opened after the one it was ordered for had ended", async () => {
    const first = await account()
    const { customerId } = first
    const second = await plan({ customerId })
    await shop.operator.terminateService(first.serviceId, end)
    const third = await account({ customerId })
    expect(third.kind).toBe("reseller")
    await paid(second)
    expect(await orderNow(shop, second)).toMatchObject({ serviceId: third.serviceId, status: "active" })
    expect(await shop.billing.creditsSold(third.serviceId)).toBe(50)
    expect(await accountCredit(second)).toBe(0)
  })

  test("adds its credits to the account of the plan that was paid first, if both were ordered before", async () => {
    const first = await plan()
    const { customerId } = first
    const second = await plan({ customerId, credits: 100 })
    expect(second.kind).toBe("reseller")
    await paid(first)
    await paid(second)
    const { serviceId } = first
    expect(await orderNow(shop, second)).toMatchObject({
      kind: "reseller-credits",
      serviceId,
      status: "active",
    })
    expect(await accountsOf(first)).toMatchObject([{ id: serviceId }])
    expect(await creditsOf(first)).toBe(125)
    expect(await shop.billing.creditsSold(serviceId)).toBe(125)
    expect((await timelineKinds(shop, second)).slice(-2)).toEqual(["paid", "provisioned"])
    expect(await jobOf(serviceId)).toEqual({ state: "waiting" })
    expect(await shop.billing.service(second.serviceId)).toBeNull()
  })

  test("opens one account with the credits of all, if several were ordered before and are paid at the same time", async () => {
    const first = await plan()
    const { customerId } = first
    const orders = [first, await plan({ customerId }), await plan({ customerId })]
    await Promise.all(orders.map(paid))
    expect(await accountsOf(first)).toHaveLength(1)
    expect(await creditsOf(first)).toBe(75)
    const now = await Promise.all(orders.map((it) => orderNow(shop, it)))
    expect(now.map(({ kind }) => kind).toSorted()).toEqual([
      "reseller",
      "reseller-credits",
      "reseller-credits",
    ])
    expect(new Set(now.map(({ serviceId }) => serviceId)).size).toBe(1)
  })

  test("adds its credits to the account also if it is paid after its deadline, or by the operator", async () => {
    const first = await plan()
    const { customerId } = first
    const [late, byBank] = [await plan({ customerId }), await plan({ customerId })]
    await paid(first)
    const attempt = await opened(shop, late)
    await shop.billing.applyOrderEvent(late.id, "deadlinePassed", NOON)
    const update = paymentUpdate(attempt, "paid", late.total.minor)
    await shop.payments.recordPaymentUpdate("offshore", update, NOON)
    await shop.billing.applyOrderEvent(byBank.id, "paid", NOON, "operator: by bank")
    expect(await accountsOf(first)).toHaveLength(1)
    expect(await creditsOf(first)).toBe(75)
  })

  test.each<[string, Partial<NewOrder>]>([
    ["by another password", { accessScope: { reach: "sign-up", passwordId: "another" } }],
    ["by the billing API, whose answer has named its service", { addsCredits: false }],
  ])("opens an account of its own if both were ordered before, this one %s", async (_, changes) => {
    const first = await plan()
    const second = await plan({ customerId: first.customerId, ...changes })
    await paid(first)
    await paid(second)
    expect(await accountsOf(first)).toHaveLength(2)
    expect(await orderNow(shop, second)).toMatchObject({ kind: "reseller", serviceId: second.serviceId })
  })

  test("is released and paid, having been held as suspicious before the account was opened, and adds its credits to it", async () => {
    const first = await plan()
    const second = await plan({ customerId: first.customerId, holdReason: "address" })
    await paid(first)
    const release = { at: NOON, deadline: NOON + 1_000, reference: "operator", quoteHolds: true }
    await shop.billing.releaseOrder(second.id, release)
    await paid(await orderNow(shop, second))
    expect(await orderNow(shop, second)).toMatchObject({ kind: "reseller-credits", status: "active" })
    expect(await accountsOf(first)).toHaveLength(1)
    expect(await creditsOf(first)).toBe(50)
  })

  test.each<[string, (first: Order) => Partial<NewOrder> | Promise<Partial<NewOrder>>]>([
    [
      "the account has ended",
      async ({ serviceId }) => {
        await shop.operator.terminateService(serviceId, end)
        return {}
      },
    ],
    ["it is another buyer's password", () => ({ accessScope: { reach: "sign-up", passwordId: "another" } })],
    ["nobody has signed in", () => ({ accessScope: null })],
    ["the order comes from the billing API, whose answer names its service", () => ({ addsCredits: false })],
    ["the plan has no credits", () => ({ credits: undefined })],
  ])("opens an account of its own if %s", async (_, changesFor) => {
    const first = await account()
    const second = await plan({ customerId: first.customerId, ...(await changesFor(first)) })
    expect(second.kind).toBe("reseller")
    expect(second.serviceId).not.toBe(first.serviceId)
  })

  test("opens an account of its own where an external billing makes a service of each order", async () => {
    const external = await openBillingWithTerms(engine, null)
    const accessScope = inAccount
    const input = {
      kind: "reseller",
      accessScope,
      quote: resellerPriced,
      credits: 25,
      addsCredits: true,
    } as const
    const first = await placed(external, { ...input, key: unique() })
    await external.billing.applyOrderEvent(first.id, "paid", NOON)
    await external.billing.activateService(first.serviceId, { host: "https://panel.test" }, NOON)
    const second = await placed(external, { ...input, key: unique(), customerId: first.customerId })
    expect(second.kind).toBe("reseller")
    expect(second.serviceId).not.toBe(first.serviceId)
    await external.close()
  })

  test("adds its credits to the account of the same sign-up password, which may use them", async () => {
    const scope = { reach: "sign-up", passwordId: unique() } as const
    const first = await account({ accessScope: scope })
    const second = await plan({ customerId: first.customerId, accessScope: scope })
    await paid(second)
    expect(second.serviceId).toBe(first.serviceId)
    expect(await creditsOf(first, scope)).toBe(50)
  })

  test("that is paid back as a whole takes its own credits back, of which the panel is told", async () => {
    const first = await account()
    const second = await plan({ customerId: first.customerId, credits: 100 })
    const refund = await paid(second)
    await shop.billing.createLine(lineFor(first))
    await refund(second.total.minor - 1)
    expect(await creditsOf(first)).toBe(124)
    await shop.ctx.db.updateTable("outbox").set({ state: "done" }).execute()
    await refund(second.total.minor)
    expect(await creditsOf(first)).toBe(24)
    expect(await jobOf(first.serviceId)).toEqual({ state: "waiting" })
    expect(await shop.billing.creditsSold(first.serviceId)).toBe(25)
  })

  test("that is paid back by the operator takes its credits back, and what lines have used of them is owed", async () => {
    const first = await account()
    const { customerId, total } = first
    const second = await plan({ customerId })
    await shop.billing.applyOrderEvent(second.id, "paid", NOON, "operator: by bank")
    const { serviceId: lineId } = await shop.billing.createLine(lineFor(first))
    await shop.billing.activateService(lineId, { host: "https://tv.test" }, NOON)
    for (let made = 0; made < 30; made++) await shop.billing.createLine(lineFor(first))
    const refund = { key: unique(), amount: total, reason: "asked", at: NOON + 1, toCredit: false }
    await shop.operator.recordRefund(second.id, refund)
    expect(await creditsOf(first)).toBe(0)
    expect(await shop.billing.cancelLine({ lineId, customerId, at: NOON + 2 })).toBe("owed")
    expect(await creditsOf(first)).toBe(0)
  })

  test("and was held as suspicious adds its credits once it is released and paid", async () => {
    const first = await account()
    const second = await plan({ customerId: first.customerId, holdReason: "address" })
    expect(second.status).toBe("fraud")
    const release = { at: NOON, deadline: NOON + 1_000, reference: "operator", quoteHolds: true }
    await shop.billing.releaseOrder(second.id, release)
    await paid(await orderNow(shop, second))
    expect(await creditsOf(first)).toBe(50)
    expect(await accountsOf(first)).toHaveLength(1)
  })
})
