import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { money } from "~/domain/money"
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

  /** A paid plan with 25 credits, and how its payment reports a refund. */
  async function paidPlan() {
    const { order } = await ordered(shop)
    const attempt = await opened(shop, order)
    const total = order.total.minor
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
    }
  }

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
})
