import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE, type Order } from "~/domain/orders/order"
import { documentPolicy } from "../../../../tests/fixtures/document-policy"
import { buyerIn, importOddPrices, type TestBuyer } from "../../../../tests/fixtures/kinds-of-sale"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { FRENCH } from "../../../../tests/fixtures/vat-numbers"

const buyer: BuyerPlace = { named: "DE", located: "DE" }

describe.each(engines)("events of sales on %s", (engine) => {
  let opened: ShopOnEngine
  let by: TestBuyer
  beforeEach(async () => {
    opened = await openShopOn(engine, { webhooks: { always: true, creditsLow: 5 } })
    await importOddPrices(opened.database)
    by = buyerIn(opened.shop, { email: "ana@example.test", buyer })
  })
  afterEach(() => opened.close())

  const now = () => opened.shop.services.now()
  const happens = ({ id }: Order, event: "aborted" | "paid" | "deadlinePassed") =>
    opened.shop.billing.billing.applyOrderEvent(id, event, now())

  async function published() {
    const { webhooks } = opened.shop.services
    await webhooks.publish(1_000)
    return (await webhooks.eventsAfter(0, 1_000)).map(({ event }) => event)
  }

  /** The payments that the events of an order tell of. */
  async function paymentsTold(order: Order): Promise<readonly string[]> {
    const about = (await published()).filter(({ data }) => (data.order as Order | undefined)?.id === order.id)
    return about.flatMap(({ type, data }) =>
      data.payment === undefined ? [] : `${type} ${(data.payment as { amount: string }).amount}`,
    )
  }

  test("a part payment that becomes account credit is no second payment", async () => {
    const cancelled = await by.ordered()
    await by.pay(cancelled, 400)
    await happens(cancelled, "aborted")
    expect(await paymentsTold(cancelled)).toEqual(["payment.partial 4.00"])

    const expired = await by.ordered()
    await by.pay(expired, 300)
    await happens(expired, "deadlinePassed")
    await opened.shop.billing.payments.creditUnappliedPayments(expired.deadline + LATE_PAYMENT_GRACE + 1, 9)
    expect(await opened.shop.services.payments.accountCredit(expired.customerId, "EUR")).toMatchObject({
      minor: 700,
    })
    expect(await paymentsTold(expired)).toEqual(["payment.partial 3.00"])
  })

  test("what was paid for connections that do not apply any more is one payment, or none if an operator has decided", async () => {
    const service = await by.service()
    const [paid, marked] = [await by.connections(service, 2), await by.connections(service, 3)]
    const end = { owner: "operator", reason: "abuse", at: now() } as const
    await opened.shop.billing.operator.terminateService(service.id, end)
    await by.pay(paid)
    await happens(marked, "paid")
    expect(await paymentsTold(paid)).toEqual(["payment.received 4.06"])
    expect(await paymentsTold(marked)).toEqual([])
  })

  test("an order that account credit covers has no payment, and one that it covers in part has the rest", async () => {
    await by.service()
    const surplus = await by.ordered()
    await by.pay(surplus, surplus.total.minor + 1_500)
    const [covered, rest] = [await by.ordered(), await by.ordered()]
    await by.pay(rest)
    expect(covered.credited.minor).toBe(-1_001)
    const types = (await published()).filter(
      ({ data }) => (data.order as Order | undefined)?.id === covered.id,
    )
    expect(types.map(({ type }) => type)).toEqual(["order.placed", "order.paid"])
    expect(await paymentsTold(rest)).toEqual(["payment.received 5.02"])
  })

  test("a change of plan provisions no service, and a renewal renews each of its services", async () => {
    const [service, other] = [await by.service(), await by.service()]
    await by.pay(await by.planOf(service, "2"))
    await by.pay(await by.renewal(await by.found(service.id), other))
    const ofServices = (await published()).filter(({ data }) => data.service !== undefined)
    expect(ofServices.map(({ type, data }) => [type, (data.service as { id: string }).id])).toEqual([
      ["service.provisioned", service.id],
      ["service.provisioned", other.id],
      ["service.changed", service.id],
      ...[service.id, other.id].toSorted().map((id) => ["service.renewed", id]),
    ])
  })

  test("a service with another plan, more connections or given days is changed", async () => {
    const { id } = await by.service()
    await by.pay(await by.connections(await by.found(id), 2))
    await by.pay(await by.planOf(await by.found(id), "2"))
    const { operator } = opened.shop.billing
    await operator.setConnections(id, { connections: 1, reason: "asked", at: now() })
    await operator.extendService(id, { days: 3, reason: "outage", at: now() })
    const changed = (await published()).filter(({ type }) => type === "service.changed")
    const states = changed.map(({ data }) => data.service as Record<string, unknown>)
    const { paidUntil } = await by.found(id)
    expect(states.map(({ productId, connections }) => [productId, connections])).toEqual([
      ["1", 3],
      ["2", 3],
      ["2", 1],
      ["2", 1],
    ])
    expect(states.at(-1)).toMatchObject({ id, paidUntil: new Date(paidUntil ?? 0).toISOString() })
  })

  test("an order whose mistyped address was corrected is another customer's", async () => {
    const order = await by.ordered()
    await by.pay(order)
    const { locale } = order
    const right = {
      email: "anna@example.test",
      locale,
      currency: "EUR",
      country: "DE",
      address: null,
    } as const
    const { billing } = opened.shop.billing
    await billing.correctEmail(order.id, { ...right, at: now() })
    const id = (await billing.order(order.id))?.customerId
    const moved = (await published()).filter(({ type }) => type === "order.customer_changed")
    expect(moved).toMatchObject([
      { data: { order: { id: order.id, customer: { id, email: "anna@example.test" } } } },
    ])
    expect(id).not.toBe(order.customerId)
  })

  test("an order on hold is announced as released once it can be paid", async () => {
    const terms = { at: now(), deadline: now() + DAY, reference: "operator" }
    const { billing } = opened.shop.billing
    const [held, dearer] = [await by.ordered(), await by.ordered()]
    for (const { id } of [held, dearer]) await billing.applyOrderEvent(id, "flagged", now())
    await billing.releaseOrder(held.id, { ...terms, quoteHolds: true })
    await billing.releaseOrder(dearer.id, { ...terms, quoteHolds: false })
    const released = async () =>
      (await published())
        .filter(({ type }) => type === "order.released")
        .map(({ data }) => data.order as { id: string; status: string; total: object })
    expect(await released()).toMatchObject([{ id: held.id, status: "placed" }])

    const [line] = dearer.lines
    if (line?.kind !== "plan") throw new Error("The order has no plan")
    const total = money(1_999, "EUR")
    const quote = { total, lines: [{ ...line, amount: total }] }
    await billing.requoteOrder(dearer.id, { ...terms, quote, promoCode: null })
    expect((await released()).slice(1)).toMatchObject([
      { id: dearer.id, status: "placed", total: { amount: "19.99" } },
    ])
  })
})

describe.each(engines)("events of the tax of a sale on %s", (engine) => {
  let opened: ShopOnEngine
  let by: TestBuyer
  beforeEach(async () => {
    opened = await openShopOn(engine, {
      tax: germanTax,
      documents: documentPolicy,
      webhooks: { always: true, creditsLow: 5 },
    })
    await importOddPrices(opened.database)
    const check = { result: "unanswered", at: opened.shop.services.now(), requestId: null } as const
    const business = { company: "Lumière SARL", address: ["75002 Paris"], taxNumber: FRENCH, check }
    by = buyerIn(opened.shop, {
      email: "lumiere@example.test",
      buyer: { named: "FR", located: "FR", business },
    })
  })
  afterEach(() => opened.close())

  const answer = ({ id }: Order, result: "valid" | "invalid") =>
    opened.shop.services.billing.recordNumberCheck(id, {
      result,
      at: opened.shop.services.now(),
      requestId: null,
    })
  async function changes() {
    const { webhooks } = opened.shop.services
    await webhooks.publish(1_000)
    const all = (await webhooks.eventsAfter(0, 1_000)).map(({ event }) => event)
    return all.filter(({ type }) => type === "order.tax_changed").map(({ data }) => data)
  }

  test("a paid order whose business is confirmed late has no tax any more, and one event says so", async () => {
    const order = await by.pay(await by.ordered())
    await answer(order, "valid")
    await answer(order, "valid")
    const eur = (amount: string) => ({ amount, currency: "EUR" })
    expect(await changes()).toMatchObject([
      {
        order: { id: order.id, status: "active", total: eur("10.01"), tax: eur("0.00") },
        owedBack: eur("1.67"),
      },
    ])
  })

  test("an answer before the payment, and one that confirms nothing, are no event", async () => {
    const [waiting, refused] = [await by.ordered(), await by.pay(await by.ordered())]
    await answer(waiting, "valid")
    await answer(refused, "invalid")
    expect(await changes()).toEqual([])
    await by.pay(waiting)
    expect(await changes()).toEqual([])
  })
})
