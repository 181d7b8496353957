import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import type { AccessScope } from "~/domain/customers/customer"
import { money } from "~/domain/money/money"
import {
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { lineFor, ordered, resellerPriced } from "../../../../tests/contracts/billing/reseller-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("on %s the credits of a reseller plan", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  /** A paid plan with 25 credits, how its payment reports a refund, and how it is paid again with another payment. */
  async function paidPlan(accessScope: AccessScope = { reach: "account" }) {
    const order = await placed(shop, { kind: "reseller", accessScope, quote: resellerPriced })
    const attempt = await opened(shop, order)
    const total = order.total.minor
    const others = [await opened(shop, order, total - 1), await opened(shop, order, total - 2)]
    const record = (update: ReturnType<typeof paymentUpdate>) =>
      shop.payments.recordPaymentUpdate("offshore", update, NOON)
    await record(paymentUpdate(attempt, "paid", total))
    await shop.billing.activateService(order.serviceId, { host: "https://panel.test" }, NOON)
    return {
      order,
      refund: (minor: number) =>
        record({
          ...paymentUpdate(attempt, "refunded", total),
          eventKey: unique(),
          refunded: money(minor, "EUR"),
        }),
      /** Pays with another payment of the order, which the bank takes back with `backAgain`. */
      again: async (minor = total) => {
        const other = others.shift()
        if (!other) throw new Error("No payment is left")
        await record(paymentUpdate(other, "paid", minor))
        const backAgain = () =>
          record({ ...paymentUpdate(other, "refunded", minor), refunded: money(minor, "EUR") })
        return { backAgain }
      },
    }
  }

  /** Working lines of a plan's reseller, for a credit each. */
  async function madeLines({ order }: Pick<Awaited<ReturnType<typeof paidPlan>>, "order">, count: number) {
    const ids: string[] = []
    for (let made = 0; made < count; made++) {
      const { serviceId } = await shop.billing.createLine(lineFor(order))
      await shop.billing.activateService(serviceId, { host: "https://tv.test" }, NOON)
      ids.push(serviceId)
    }
    return ids
  }

  const cancelled = (customerId: string, lineId: string | undefined, at = NOON + HOUR) =>
    shop.billing.cancelLine({ lineId: lineId ?? "", customerId, at })

  const creditsOf = (id: string) => shop.billing.resellerCredits({ id, reach: "account" }, 10)

  test("that are left are taken back with the whole payment, once", async () => {
    const { order, refund } = await paidPlan()
    await shop.billing.createLine(lineFor(order))
    await refund(order.total.minor)
    await refund(order.total.minor)
    const { balance, movements } = await creditsOf(order.customerId)
    expect(balance).toBe(0)
    expect(movements.find(({ cause }) => cause === "refund")).toMatchObject({
      amount: -24,
      reference: order.id,
    })
  })

  test("stay when a part of the payment is paid back", async () => {
    const { order, refund } = await paidPlan()
    await refund(order.total.minor - 1)
    expect((await creditsOf(order.customerId)).balance).toBe(25)
    await refund(order.total.minor)
    expect((await creditsOf(order.customerId)).balance).toBe(0)
  })

  test("are taken back when the operator gives back what they had received for it, as a whole", async () => {
    const { order } = await ordered(shop)
    await shop.billing.applyOrderEvent(order.id, "paid", NOON, "operator: by bank")
    const refund = (minor: number, toCredit: boolean) =>
      shop.operator.recordRefund(order.id, {
        key: unique(),
        amount: money(minor, "EUR"),
        reason: "asked",
        at: NOON + 1,
        toCredit,
      })
    await refund(order.total.minor - 100, false)
    expect((await creditsOf(order.customerId)).balance).toBe(25)
    await refund(100, true)
    expect((await creditsOf(order.customerId)).balance).toBe(0)
  })

  test("are taken back when account credit that has paid for it is returned, as a whole", async () => {
    const { order: first, refund: payBack } = await paidPlan()
    const { customerId, total } = first
    const grant = { key: unique(), amount: total, reason: "sorry", at: NOON }
    await shop.operator.grantAccountCredit(customerId, grant)
    const plan = { kind: "reseller", accessScope: { reach: "account" }, quote: resellerPriced } as const
    const order = await placed(shop, { ...plan, key: unique(), customerId, accountCreditScope: "account" })
    expect(order).toMatchObject({ status: "paid", credited: money(-total.minor, "EUR") })
    expect((await creditsOf(customerId)).balance).toBe(50)
    const refund = { key: unique(), amount: total, reason: "asked", at: NOON + 1, toCredit: true }
    await shop.operator.recordRefund(order.id, refund)
    expect((await creditsOf(customerId)).balance).toBe(25)
    await payBack(total.minor)
    expect((await creditsOf(customerId)).balance).toBe(0)
  })

  test("stay when what exceeds the price is paid back", async () => {
    const { order } = await ordered(shop)
    const attempt = await opened(shop, order)
    const [price, twice] = [order.total.minor, 2 * order.total.minor]
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", twice), NOON)
    const report = { ...paymentUpdate(attempt, "refunded", twice), refunded: money(price, "EUR") }
    await shop.payments.recordPaymentUpdate("offshore", report, NOON)
    expect((await creditsOf(order.customerId)).balance).toBe(25)
  })

  test("that lines have used come back from a cancelled line only to be taken back too", async () => {
    const plan = await paidPlan()
    const { customerId, total } = plan.order
    const ids = await madeLines(plan, 2)
    await plan.refund(total.minor)
    const found = await shop.billing.linesOnCredit(customerId, ids)
    expect([...found.values()].map(({ isOwed }) => isOwed)).toEqual([true, true])
    for (const id of ids) expect(await cancelled(customerId, id)).toBe("owed")
    const { balance, movements } = await creditsOf(customerId)
    expect(balance).toBe(0)
    const { orderId } = (await shop.billing.service(ids[0] ?? "")) ?? {}
    expect(movements.filter(({ reference }) => reference === orderId).map(({ cause }) => cause)).toEqual(
      expect.arrayContaining(["line", "return", "refund"]),
    )
    expect(await shop.billing.service(ids[0] ?? "")).toMatchObject({ status: "Terminated" })
  })

  test("are owed also if none were left at all", async () => {
    const plan = await paidPlan()
    const ids = await madeLines(plan, 25)
    await plan.refund(plan.order.total.minor)
    await cancelled(plan.order.customerId, ids[0])
    expect((await creditsOf(plan.order.customerId)).balance).toBe(0)
  })

  test("come back from a cancelled line while a part of the payment is with the shop", async () => {
    const plan = await paidPlan()
    const [first, second] = await madeLines(plan, 2)
    const { customerId, total } = plan.order
    await plan.refund(total.minor - 1)
    expect(await cancelled(customerId, first)).toBe("returned")
    await plan.refund(total.minor)
    expect(await cancelled(customerId, second)).toBe("owed")
    expect((await creditsOf(customerId)).balance).toBe(0)
  })

  test("are owed no more than lines have used: another plan's credits come back", async () => {
    const first = await paidPlan()
    const { customerId, total } = first.order
    const grant = { customerId, amount: 1, reason: "sorry", at: NOON }
    await shop.operator.grantResellerCredits(grant)
    const ids = await madeLines(first, 2)
    await first.refund(total.minor)
    expect(await cancelled(customerId, ids[0])).toBe("owed")
    expect(await cancelled(customerId, ids[1])).toBe("returned")
    expect((await creditsOf(customerId)).balance).toBe(1)
  })

  test("are not taken from a line that was made with credits of later", async () => {
    const plan = await paidPlan()
    await madeLines(plan, 1)
    const { customerId, total, serviceId } = plan.order
    await plan.refund(total.minor)
    const later = NOON + 2 * HOUR
    await shop.operator.grantResellerCredits({ customerId, amount: 1, reason: "sorry", at: later })
    const line = await shop.billing.createLine({
      ...lineFor(plan.order),
      resellerServiceId: serviceId,
      at: later,
    })
    await shop.billing.activateService(line.serviceId, { host: "https://tv.test" }, later)
    expect(await cancelled(customerId, line.serviceId, later)).toBe("returned")
    expect((await creditsOf(customerId)).balance).toBe(1)
  })

  test("come back when the plan is paid again after a chargeback, and are taken back with that payment", async () => {
    const { order, refund, again } = await paidPlan()
    const balance = async () => (await creditsOf(order.customerId)).balance
    const sold = () => shop.billing.creditsSold(order.serviceId)
    await refund(order.total.minor)
    const { backAgain } = await again()
    expect([await balance(), await sold()]).toEqual([25, 25])
    await backAgain()
    expect([await balance(), await sold()]).toEqual([0, 0])
    await again()
    expect([await balance(), await sold()]).toEqual([25, 25])
    const { movements } = await creditsOf(order.customerId)
    expect(movements.map(({ reference }) => reference)).toEqual(Array(5).fill(order.id))
    expect(movements.map(({ cause }) => cause).toSorted()).toEqual([
      "plan",
      "plan",
      "plan",
      "refund",
      "refund",
    ])
  })

  test("stay with the shop while only a part of the plan is paid again", async () => {
    const { order, refund, again } = await paidPlan()
    await refund(order.total.minor)
    await again(order.total.minor - 1)
    expect((await creditsOf(order.customerId)).balance).toBe(0)
    await again(1)
    expect((await creditsOf(order.customerId)).balance).toBe(25)
  })

  test("that lines have used are owed no more once the plan is paid again", async () => {
    const plan = await paidPlan()
    const { customerId, total, serviceId } = plan.order
    const ids = await madeLines(plan, 3)
    await plan.refund(total.minor)
    expect(await cancelled(customerId, ids[0])).toBe("owed")
    const { backAgain } = await plan.again()
    // Two are in use: the cancelled line has given its credit back, too.
    expect((await creditsOf(customerId)).balance).toBe(23)
    expect(await shop.billing.creditsSold(serviceId)).toBe(25)
    expect(await cancelled(customerId, ids[1])).toBe("returned")
    expect((await creditsOf(customerId)).balance).toBe(24)
    await backAgain()
    expect(await shop.billing.creditsSold(serviceId)).toBe(1)
    expect(await cancelled(customerId, ids[2])).toBe("owed")
    expect((await creditsOf(customerId)).balance).toBe(0)
  })

  test("of a sign-up password come back to that password", async () => {
    const passwordId = unique()
    const { order, refund, again } = await paidPlan({ reach: "sign-up", passwordId })
    const balance = async () =>
      (await shop.billing.resellerCredits({ id: order.customerId, reach: "sign-up", passwordId }, 10)).balance
    await refund(order.total.minor)
    const { backAgain } = await again()
    expect(await balance()).toBe(25)
    await backAgain()
    expect(await balance()).toBe(0)
  })

  test("are never with the reseller after a refund and a cancellation at the same moment", async () => {
    for (let round = 0; round < 5; round++) {
      const plan = await paidPlan()
      const { customerId, total } = plan.order
      const ids = await madeLines(plan, 3)
      await Promise.all([
        cancelled(customerId, ids[0]),
        plan.refund(total.minor),
        cancelled(customerId, ids[1]),
        cancelled(customerId, ids[2]),
      ])
      expect((await creditsOf(customerId)).balance).toBe(0)
    }
  })
})
