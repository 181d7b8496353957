import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import type { Service } from "~/domain/services/service"
import { documentPolicy } from "../../../../tests/fixtures/document-policy"
import { buyerIn, importOddPrices, type TestBuyer } from "../../../../tests/fixtures/kinds-of-sale"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { NOON } from "../../../../tests/fixtures/test-shop"
import { FRENCH } from "../../../../tests/fixtures/vat-numbers"

const buyer: BuyerPlace = { named: "DE", located: "DE" }
/** A business whose number the register has not answered about yet. */
const french: BuyerPlace = {
  named: "FR",
  located: "FR",
  business: {
    company: "Lumière SARL",
    address: ["1 rue de la Paix", "75002 Paris"],
    taxNumber: FRENCH,
    check: { result: "unanswered", at: NOON, requestId: null },
  },
}

describe.each(engines)("unused time on %s", (engine) => {
  let opened: ShopOnEngine
  let by: TestBuyer
  beforeEach(async () => {
    opened = await openShopOn(engine, { tax: germanTax, documents: documentPolicy })
    await importOddPrices(opened.database)
    by = buyerIn(opened.shop, { email: "ana@example.test", buyer })
  })
  afterEach(() => opened.close())

  /** Value of the time of a service as if none of it were over, in minor units. */
  async function worth({ id }: Service): Promise<number | undefined> {
    const { term } = await by.found(id)
    return (await opened.shop.billing.billing.planFacts(id, term?.anchor ?? 0))?.unused.minor
  }

  test("is worth what was paid for its service, where another one of the renewal became account credit", async () => {
    const [credited, renewed] = [await by.service(), await by.service({ plan: "2" })]
    const renewal = await by.renewal(credited, renewed)
    await by.pay(await by.connections(credited, 1))
    await by.pay(renewal)
    expect(await worth(renewed)).toBe(2 * 1_999)
    expect(await worth(credited)).toBe(1_001 + 203)
  })

  test("of an order that the operator has marked as paid is worth less after a refund", async () => {
    const { services, billing } = opened.shop
    const order = await by.ordered()
    await by.pay(order, 400)
    await billing.billing.applyOrderEvent(order.id, "paid", services.now(), `${OPERATOR_REFERENCE}bank`)
    const service = await by.found(order.serviceId)
    expect(await worth(service)).toBe(1_001)
    opened.shop.wait(HOUR)
    const refund = (key: string, minor: number) =>
      billing.operator.recordRefund(order.id, {
        key,
        amount: money(minor, "EUR"),
        reason: "asked",
        at: services.now(),
      })
    expect(await refund("one", 100)).toMatchObject({ kind: "recorded" })
    expect(await worth(service)).toBe(901)
    await refund("rest", 300)
    expect(await worth(service)).toBe(601)
  })

  test("is worth less after a refund of account credit, or of what the operator has received elsewhere", async () => {
    const { services, billing } = opened.shop
    const order = await by.ordered()
    await billing.billing.applyOrderEvent(order.id, "paid", services.now(), `${OPERATOR_REFERENCE}bank`)
    const service = await by.found(order.serviceId)
    opened.shop.wait(HOUR)
    const refund = (id: string, minor: number, toCredit: boolean) =>
      billing.operator.recordRefund(id, {
        key: `${id} ${minor}`,
        amount: money(minor, "EUR"),
        reason: "asked",
        at: services.now(),
        toCredit,
      })
    await refund(order.id, 101, false)
    await refund(order.id, 500, true)
    expect(await worth(service)).toBe(400)
    const other = await by.service()
    const renewal = await by.renewal(other)
    expect(renewal).toMatchObject({ credited: money(-500, "EUR") })
    await by.pay(renewal, 501)
    expect(await worth(other)).toBe(2 * 1_001)
    await refund(renewal.id, 200, true)
    expect(await worth(other)).toBe(1_001 + 801)
  })

  test("of a renewal that the operator has marked as paid is worth what its service has got of it", async () => {
    const { services, billing } = opened.shop
    const [credited, renewed] = [await by.service(), await by.service({ plan: "2" })]
    const renewal = await by.renewal(credited, renewed)
    await by.pay(renewal, 500)
    await by.pay(await by.connections(credited, 1))
    await billing.billing.applyOrderEvent(renewal.id, "paid", services.now(), `${OPERATOR_REFERENCE}bank`)
    expect(await worth(renewed)).toBe(2 * 1_999)
    // Money that arrives all the same, and goes back, is none of it.
    await by.pay(renewal, 3_000)
    expect(await worth(renewed)).toBe(2 * 1_999)
  })

  test("is worth no tax that is owed back to a business, neither before it is paid back nor after", async () => {
    const { services, billing } = opened.shop
    const business = buyerIn(opened.shop, { email: "lumiere@example.test", buyer: french })
    const order = await business.pay(await business.ordered())
    const service = await business.found(order.serviceId)
    expect(await worth(service)).toBe(1_001)
    const check = { result: "valid", at: services.now(), requestId: null } as const
    await billing.billing.recordNumberCheck(order.id, check)
    expect(await worth(service)).toBe(1_001 - 167)
    const amount = money(167, "EUR")
    await billing.operator.recordRefund(order.id, { key: "tax", amount, reason: "tax", at: services.now() })
    expect(await worth(service)).toBe(1_001 - 167)
  })

  test("of what was bought after days were taken back is worth what was paid for it", async () => {
    const { services, billing } = opened.shop
    const { id } = await by.service()
    opened.shop.wait(10 * DAY)
    await billing.operator.extendService(id, { days: -10, reason: "a mistake", at: services.now() })
    opened.shop.wait(HOUR)
    const unused = async () => (await billing.billing.planFacts(id, services.now()))?.unused.minor ?? 0
    const before = await unused()
    await by.pay(await by.connections(await by.found(id), 2))
    expect(await unused()).toBeGreaterThan(before + 2 * 203 - 2)
    // With the price of two connections, the dearer plan costs the difference for the time that is left.
    const change = await by.planOf(await by.found(id), "2")
    const worth = (await unused()) + change.total.minor
    await by.pay(change)
    expect(await unused()).toBeGreaterThan(worth - 2)
    expect(await unused()).toBeLessThanOrEqual(worth)
  })

  test("of an order that an earlier version has marked as paid is worth its price, whatever clock has credited a part payment before", async () => {
    const { services, billing } = opened.shop
    const order = await by.ordered()
    await by.pay(order, 300)
    await billing.billing.applyOrderEvent(order.id, "deadlinePassed", services.now())
    // By a clock that is set back afterwards.
    await services.payments.creditUnappliedPayments(order.deadline + LATE_PAYMENT_GRACE + HOUR, 9)
    await billing.billing.applyOrderEvent(order.id, "paid", services.now(), `${OPERATOR_REFERENCE}bank`)
    await opened.database.db.deleteFrom("outside_payments").execute()
    expect(await worth(await by.found(order.serviceId))).toBe(1_001)
    expect((await billing.operator.order(order.id))?.refundable).toMatchObject({
      credit: { minor: 1_001 },
      outside: { minor: 1_001 },
    })
  })
})
