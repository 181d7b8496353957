import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { documentSums } from "~/domain/accounting/tax-document"
import { DAY, HOUR } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { TaxRules } from "~/domain/tax/tax"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { buyerIn, importOddPrices, type TestBuyer } from "../../../../tests/fixtures/kinds-of-sale"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { FRENCH } from "../../../../tests/fixtures/vat-numbers"

const rate = (country: string, basisPoints: number, from: string, until: string | null) => ({
  country,
  category: "standard",
  basisPoints,
  from,
  until,
})

/** Five days after the shop's first one the rates rise. */
const tax: TaxRules = {
  ...germanTax,
  rates: [
    rate("DE", 1_900, "2020-01-01", "2026-11-24"),
    rate("DE", 2_100, "2026-11-25", null),
    rate("FR", 2_000, "2020-01-01", "2026-11-24"),
    rate("FR", 2_200, "2026-11-25", null),
  ],
}
const german: BuyerPlace = { named: "DE", located: "DE" }

describe.each(engines)("a rate of tax that changes, on %s", (engine) => {
  let opened: ShopOnEngine
  let by: TestBuyer
  beforeEach(async () => {
    opened = await openShopOn(engine, { tax, documents })
    await importOddPrices(opened.database)
    by = buyerIn(opened.shop, { email: "ana@example.test", buyer: german })
  })
  afterEach(() => opened.close())

  const untilTheEveBefore = () => opened.shop.wait(4 * DAY + 8 * HOUR)
  const overnight = () => opened.shop.wait(12 * HOUR)

  /** Day of supply, rates, net and tax of each document. */
  async function documentsOf({ id }: Order) {
    const issued = await opened.shop.billing.documents.taxDocumentsOf(id)
    return issued.map(({ kind, suppliedOn, lines }) => {
      const { net, tax: ofLines } = documentSums(lines)
      return [kind, suppliedOn, [...new Set(lines.map((it) => it.basisPoints))], net, ofLines]
    })
  }

  async function refund({ id }: Order, minor: number) {
    const at = opened.shop.services.now()
    const amount = money(minor, "EUR")
    const { operator } = opened.shop.billing
    await operator.recordRefund(id, { key: `refund ${minor}`, amount, reason: "asked", at })
  }

  async function expectAgreement() {
    const found = await opened.shop.billing.operator.diagnose(opened.shop.services.now())
    const checks = found.filter(({ check }) => check.startsWith("invoices and"))
    expect(checks.map(({ ok }) => ok)).toEqual([true, true])
  }

  const pays = {
    "the gateway": (order: Order) => by.pay(order),
    "the operator, who has received it elsewhere": async ({ id }: Order) => {
      await opened.shop.billing.billing.applyOrderEvent(
        id,
        "paid",
        opened.shop.services.now(),
        "operator: bank",
      )
      opened.shop.wait(1)
    },
  }

  test.each(Object.entries(pays))(
    "taxes an order that was placed before and is paid after at the new rate, within its total, by %s",
    async (_, pay) => {
      untilTheEveBefore()
      const order = await by.ordered()
      overnight()
      await pay(order)
      // 1001 x 21 / 121 = 173.73; at the former rate it were 159.82.
      expect(await documentsOf(order)).toEqual([["invoice", "2026-11-25", [2_100], 827, 174]])
      const { tax: ofOrder, total } = await by.orderNow(order.id)
      expect([total.minor, ofOrder?.lines]).toMatchObject([1_001, [{ basisPoints: 2_100, tax: 174 }]])
      await refund(order, 1_001)
      expect((await documentsOf(order))[1]).toEqual(["credit-note", "2026-11-25", [2_100], 827, 174])
      await expectAgreement()
    },
  )

  test("leaves an order that was paid before at its rate, and takes it back at that", async () => {
    const order = await by.pay(await by.ordered())
    untilTheEveBefore()
    overnight()
    await refund(order, 500)
    await refund(order, 501)
    expect(await documentsOf(order)).toEqual([
      ["invoice", "2026-11-20", [1_900], 841, 160],
      ["credit-note", "2026-11-20", [1_900], 420, 80],
      ["credit-note", "2026-11-20", [1_900], 421, 80],
    ])
    await expectAgreement()
  })

  test("counts for a renewal, connections and a change of plan that were ordered before it", async () => {
    const [first, second, third] = [await by.service(), await by.service(), await by.service()]
    untilTheEveBefore()
    const renewal = await by.renewal(first)
    const connections = await by.connections(second, 2)
    const change = await by.planOf(third, "3")
    overnight()
    for (const order of [renewal, connections, change]) {
      await by.pay(order)
      const { total } = order
      const ofTotal = Math.round((total.minor * 21) / 121)
      expect(await documentsOf(order)).toEqual([
        ["invoice", "2026-11-25", [2_100], total.minor - ofTotal, ofTotal],
      ])
    }
    await expectAgreement()
  })

  test("is that of the day on which account credit is used, which was bought before", async () => {
    const service = await by.service()
    const order = await by.ordered()
    await by.pay(order, order.total.minor + 1_001)
    untilTheEveBefore()
    overnight()
    const renewal = await by.renewal(service)
    expect(await by.orderNow(renewal.id)).toMatchObject({ credited: money(-1_001, "EUR"), status: "active" })
    expect(await documentsOf(renewal)).toEqual([["invoice", "2026-11-25", [2_100], 827, 174]])
    await expectAgreement()
  })

  test("is owed back whole to a business that is confirmed between the order and the payment", async () => {
    const check = { result: "unanswered", at: opened.shop.services.now(), requestId: null } as const
    const business = { company: "Lumière SARL", address: ["75002 Paris"], taxNumber: FRENCH, check }
    const buyer = { named: "FR", located: "FR", business }
    by = buyerIn(opened.shop, { email: "lumiere@example.test", buyer })
    untilTheEveBefore()
    const order = await by.ordered()
    const { services } = opened.shop
    await services.billing.recordNumberCheck(order.id, {
      result: "valid",
      at: services.now(),
      requestId: null,
    })
    overnight()
    await by.pay(order)
    // 1001 x 22 / 122 = 180.51.
    expect(await documentsOf(order)).toEqual([
      ["invoice", "2026-11-25", [2_200], 820, 181],
      ["credit-note", "2026-11-25", [2_200], 820, 181],
      ["invoice", "2026-11-25", [0], 820, 0],
    ])
    expect((await by.orderNow(order.id)).tax?.correction).toMatchObject({ back: 181 })
    await expectAgreement()
  })
})
