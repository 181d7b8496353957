import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { documentSums } from "~/domain/accounting/tax-document"
import type { BuyerPlace } from "~/domain/customers/country"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { Service } from "~/domain/services/service"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { buyerIn, importOddPrices, type TestBuyer } from "../../../../tests/fixtures/kinds-of-sale"
import { nothingWrong } from "../../../../tests/fixtures/need-query"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { FRENCH } from "../../../../tests/fixtures/vat-numbers"

const buyer: BuyerPlace = { named: "DE", located: "DE" }

describe.each(engines)("documents of a sale that does not apply any more on %s", (engine) => {
  let opened: ShopOnEngine
  let by: TestBuyer
  beforeEach(async () => {
    opened = await openShopOn(engine, { tax: germanTax, documents })
    await importOddPrices(opened.database)
    by = buyerIn(opened.shop, { email: "ana@example.test", buyer })
  })
  afterEach(() => opened.close())

  const documentsOf = ({ id }: Order) => opened.shop.billing.documents.taxDocumentsOf(id)
  const credit = ({ customerId }: Order) => opened.shop.services.payments.accountCredit(customerId, "EUR")
  const expectAgreement = async () => {
    const { operator } = opened.shop.billing
    const found = await operator.diagnose(opened.shop.services.now())
    expect(
      found.filter(({ check }) => check.startsWith("invoices and")).map(({ message }) => message),
    ).toEqual([
      "numbered without gaps, one for each taxed order",
      "invoices less credit notes are what the ledgers have",
    ])
  }
  const refund = ({ id }: Order, minor: number, changes: { toCredit?: boolean } = {}) =>
    opened.shop.billing.operator.recordRefund(id, {
      key: `refund ${minor}`,
      amount: money(minor, "EUR"),
      reason: "asked",
      at: opened.shop.services.now(),
      ...changes,
    })

  const grant = ({ customerId }: Service, minor: number) =>
    opened.shop.billing.operator.grantAccountCredit(customerId, {
      key: `grant ${minor}`,
      amount: money(minor, "EUR"),
      reason: "sorry",
      at: opened.shop.services.now(),
    })

  /**
   * A renewal of two services, one of which has got another connection since: its terms are not at the price that was ordered. `paid`:
   * money that it had received before: an unpaid one is cancelled then, and gives its account credit back.
   */
  async function partlyOverdue({ used = 0, paid = 0 } = {}): Promise<Order> {
    const first = await by.service()
    const second = await by.service({ plan: "3" })
    if (used > 0) await grant(first, used)
    const renewal = await by.renewal(first, second)
    expect(renewal.total.minor).toBe(1_001 + 7_999)
    if (paid > 0) await by.pay(renewal, paid)
    await by.pay(await by.connections(first, 1))
    return renewal
  }

  test("in part has an invoice of what applies; the rest of the money is account credit", async () => {
    const paid = await by.pay(await partlyOverdue(), 9_000)
    expect(await credit(paid)).toEqual(money(1_001, "EUR"))
    const [invoice, ...others] = await documentsOf(paid)
    expect(others).toEqual([])
    expect(invoice?.lines).toMatchObject([{ kind: "renewal", text: "12 months", gross: 7_999 }])
    expect(invoice?.payments).toMatchObject([{ by: "offshore", amount: 7_999 }])
    await expectAgreement()

    // A refund takes the account credit back first, which no document bills.
    await refund(paid, 1_001)
    expect(await documentsOf(paid)).toHaveLength(1)
    await refund(paid, 7_999)
    const [, note] = await documentsOf(paid)
    expect(note && documentSums(note.lines)).toEqual(invoice && documentSums(invoice.lines))
    await expectAgreement()
  })

  test("in part, that the operator has received elsewhere, has an invoice of what applies", async () => {
    const renewal = await partlyOverdue()
    await opened.shop.billing.billing.applyOrderEvent(renewal.id, "paid", opened.shop.services.now(), "bank")
    expect(await credit(renewal)).toEqual(money(1_001, "EUR"))
    expect(await documentsOf(renewal)).toMatchObject([
      { lines: [{ gross: 7_999 }], payments: [{ by: "other", amount: 7_999 }] },
    ])
    await expectAgreement()
  })

  test("in part, that the operator has received but for a payment and account credit, has an invoice that names all", async () => {
    const renewal = await partlyOverdue({ used: 500, paid: 400 })
    expect(await opened.shop.billing.billing.order(renewal.id)).toMatchObject({
      status: "partially-paid",
      credited: money(-500, "EUR"),
    })
    await opened.shop.billing.billing.applyOrderEvent(renewal.id, "paid", opened.shop.services.now(), "bank")
    expect(await documentsOf(renewal)).toMatchObject([
      {
        lines: [{ gross: 7_999 }],
        payments: [
          { by: "credit", amount: 500 },
          { by: "offshore", amount: 400 },
          { by: "other", amount: 7_099 },
        ],
      },
    ])
    await expectAgreement()
  })

  test("in part, that account credit and the operator's own account have paid, refunds no more than what applies", async () => {
    const renewal = await partlyOverdue({ used: 8_000, paid: 100 })
    const { billing, services } = opened.shop
    await billing.billing.applyOrderEvent(renewal.id, "paid", services.now(), "operator: by bank")
    opened.shop.wait(1)
    expect((await billing.operator.order(renewal.id))?.refundable).toEqual({
      credit: money(7_999, "EUR"),
      outside: money(900, "EUR"),
      received: money(100, "EUR"),
    })
    expect(await refund(renewal, 900)).toMatchObject({ kind: "recorded", gateway: null })
    expect(await refund(renewal, 7_100, { toCredit: true })).toEqual({
      kind: "too-much",
      received: money(7_099, "EUR"),
    })
    await refund(renewal, 7_099, { toCredit: true })
    expect(await credit(renewal)).toEqual(money(1_001 + 7_099, "EUR"))
    const [invoice, ...notes] = await documentsOf(renewal)
    const sums = notes.map(({ lines }) => documentSums(lines))
    expect(sums.reduce((sum, { tax }) => sum + tax, 0)).toBe(invoice && documentSums(invoice.lines).tax)
    expect(sums.reduce((sum, { gross }) => sum + gross, 0)).toBe(7_999)
    await expectAgreement()
  })

  test("at all has none, whatever has paid it and is refunded of it, and none is missed", async () => {
    const service = await by.service({ plan: "2" })
    await grant(service, 500)
    const renewal = await by.renewal(service)
    await by.nextPlan(service, "1")
    await by.pay(renewal)
    expect(await credit(renewal)).toEqual(money(1_999, "EUR"))
    expect(await documentsOf(renewal)).toEqual([])
    await expectAgreement()
    await refund(renewal, 1_499)
    expect(await credit(renewal)).toEqual(money(500, "EUR"))
    await expectAgreement()
  })

  describe("to a business whose number is confirmed later", () => {
    beforeEach(() => {
      const check = { result: "unanswered", at: opened.shop.services.now(), requestId: null } as const
      const business = { company: "Lumière SARL", address: ["75002 Paris"], taxNumber: FRENCH, check }
      by = buyerIn(opened.shop, {
        email: "lumiere@example.test",
        buyer: { named: "FR", located: "FR", business },
      })
    })

    const steps = {
      pay: (order: Order) => by.pay(order),
      confirm: ({ id }: Order) =>
        opened.shop.services.billing.recordNumberCheck(id, {
          result: "valid",
          at: opened.shop.services.now(),
          requestId: null,
        }),
    }
    const orders = [["pay", "confirm"] as const, ["confirm", "pay"] as const]

    /** What is owed back of the tax of an order, in minor units. */
    const owedBack = async ({ id }: Order) => {
      const { now } = opened.shop.services
      const needs = await opened.shop.billing.overview.needs({
        now: now(),
        yesterday: "2026-11-19",
        ...nothingWrong,
      })
      const need = needs.find((it) => it.kind === "tax-owed-back" && it.orderId === id)
      expect((await by.orderNow(id)).tax?.correction?.back).toBe(need?.amount?.minor)
      return need?.amount?.minor ?? 0
    }

    test.each(orders)("owes no tax back of what is account credit whole: %s, %s", async (...both) => {
      const service = await by.service()
      const renewal = await by.renewal(service)
      await by.pay(await by.connections(service, 1))
      for (const step of both) await steps[step](renewal)
      expect(await credit(renewal)).toEqual(money(1_001, "EUR"))
      expect(await by.orderNow(renewal.id)).toMatchObject({
        tax: { buyer: { business: { check: { result: "valid" } } } },
      })
      expect([await owedBack(renewal), await documentsOf(renewal)]).toEqual([0, []])
      await expectAgreement()
    })

    test.each(orders)("owes the tax back of what applies: %s, %s", async (...both) => {
      const renewal = await partlyOverdue()
      for (const step of both) await steps[step](renewal)
      expect(await credit(renewal)).toEqual(money(1_001, "EUR"))
      // Of 79.99 at 20 %.
      expect(await owedBack(renewal)).toBe(1_333)
      await expectAgreement()
    })
  })

  test("has none, though the gateway's tolerance has forgiven a part", async () => {
    const { shop } = opened
    const forgiving = { ...shop, services: { ...shop.services, tolerance: { offshore: 100 } } }
    by = buyerIn(forgiving, { email: "eva@example.test", buyer })
    const service = await by.service()
    const [late, applied] = [await by.planOf(service, "2"), await by.planOf(service, "3")]
    await by.pay(applied)
    const paid = await by.pay(late, late.total.minor - 1)
    expect(paid.status).toBe("active")
    expect(await credit(paid)).toEqual(money(late.total.minor - 1, "EUR"))
    expect(await documentsOf(paid)).toEqual([])
    await expectAgreement()
  })
})
