import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { buyerIn, type TestBuyer } from "../../../../tests/fixtures/kinds-of-sale"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("the rest of an order that lacks a little, on %s", (engine) => {
  let opened: ShopOnEngine
  let by: TestBuyer
  beforeEach(async () => {
    opened = await openShopOn(engine, { tax: germanTax, documents })
    by = buyerIn(opened.shop, { email: "ana@example.test", buyer: { named: "DE", located: "DE" } })
  })
  afterEach(() => opened.close())

  const operator = () => opened.shop.billing.operator
  const now = () => opened.shop.services.now()
  const waive = ({ id }: Order, minor: number) =>
    operator().waiveRest(id, { rest: money(minor, "EUR"), reason: "fee", at: now() })
  const timelineOf = ({ id }: Order) => opened.shop.billing.billing.timeline(id)

  /** A renewal of which all but 0.40 was paid. */
  async function short(): Promise<Order> {
    const renewal = await by.renewal(await by.service())
    return by.pay(renewal, renewal.total.minor - 40)
  }

  /** Ledgers and documents agree, whoever has paid what. */
  async function expectAgreement(): Promise<void> {
    expect(await operator().findImbalances()).toEqual([])
    const found = await operator().diagnose(now())
    const messages = found
      .filter(({ check }) => check.startsWith("invoices and"))
      .map(({ message }) => message)
    expect(messages).toContain("invoices less credit notes are what the ledgers have")
  }

  test("is waived: the order is paid and carried out, and no money is booked for it", async () => {
    const order = await short()
    expect(order.status).toBe("partially-paid")
    expect(await waive(order, 40)).toBe("waived")
    await runJobs(opened.shop.services)
    const paid = await by.orderNow(order.id)
    expect([paid.status, paid.received.minor]).toEqual(["active", order.total.minor - 40])
    const details = await operator().order(order.id)
    expect(details?.movements.map(({ amount }) => amount.minor)).toEqual([order.total.minor - 40])
    expect(details?.refundable).toMatchObject({
      received: { minor: order.total.minor - 40 },
      outside: { minor: 0 },
    })
    await expectAgreement()
  })

  test("is named by the timeline, with operator and reason, and not as a payment", async () => {
    const order = await short()
    await waive(order, 40)
    const events = (await timelineOf(order)).map(({ kind, amount, reference }) => [
      kind,
      amount?.minor ?? null,
      reference?.startsWith("operator: ") ?? false,
    ])
    expect(events).toContainEqual(["rest-waived", 40, true])
    expect(events).toContainEqual(["paid", 0, true])
  })

  test("is on the invoice, which bills the price and names what was paid", async () => {
    const order = await short()
    await waive(order, 40)
    const [invoice, ...others] = await opened.shop.billing.documents.taxDocumentsOf(order.id)
    expect(others).toEqual([])
    const gross = invoice?.lines.reduce((sum, line) => sum + line.gross, 0)
    expect(gross).toBe(order.total.minor)
    expect(invoice?.payments).toMatchObject([{ by: "offshore", amount: order.total.minor - 40 }])
  })

  test("is no account credit and no second sale if it arrives all the same", async () => {
    const order = await short()
    await waive(order, 40)
    const [attempt] = (await operator().order(order.id))?.attempts ?? []
    const update = { eventKey: "rest", attemptId: attempt?.id ?? "", transactionId: null } as const
    const received = order.total
    await opened.shop.billing.payments.recordPaymentUpdate(
      "offshore",
      { ...update, status: "paid", received },
      now(),
    )
    const paid = await by.orderNow(order.id)
    expect([paid.received.minor, paid.credited.minor]).toEqual([order.total.minor, 0])
    expect(await opened.shop.billing.documents.taxDocumentsOf(order.id)).toHaveLength(1)
    await expectAgreement()
  })

  test("is not refunded with what was paid", async () => {
    const order = await short()
    await waive(order, 40)
    const refund = { key: "r1", reason: "asked", at: now() }
    const all = money(order.total.minor, "EUR")
    expect(await operator().recordRefund(order.id, { ...refund, amount: all })).toMatchObject({
      kind: "too-much",
      received: { minor: order.total.minor - 40 },
    })
    const received = money(order.total.minor - 40, "EUR")
    expect((await operator().recordRefund(order.id, { ...refund, amount: received })).kind).toBe("recorded")
    await expectAgreement()
  })

  test("is waived of an order that has expired since, as late as a payment is accepted", async () => {
    const order = await short()
    opened.shop.wait(2 * DAY)
    await opened.shop.billing.billing.applyOrderEvent(order.id, "deadlinePassed", now())
    expect(await waive(order, 40)).toBe("waived")
    expect((await timelineOf(order)).map(({ kind }) => kind)).toContain("late")
    await expectAgreement()
  })

  test("is not waived in another amount than what is due, and once only", async () => {
    const order = await short()
    expect(await waive(order, 41)).toBe("changed")
    expect((await by.orderNow(order.id)).status).toBe("partially-paid")
    expect(await waive(order, 40)).toBe("waived")
    expect(await waive(order, 40)).toBe("changed")
    expect(await operator().waiveRest("NONE", { rest: money(40, "EUR"), reason: "fee", at: now() })).toBe(
      "changed",
    )
  })

  test("is not waived while a gateway is paying back a part of the order", async () => {
    const order = await short()
    const gateways = [{ id: "offshore", isWholeOnly: false }] as const
    const refund = { orderId: order.id, amount: money(100, "EUR"), reason: "asked", at: now() }
    await opened.shop.billing.refunds.begin({
      ...refund,
      id: "r1",
      gateways,
      address: null,
      endsService: false,
    })
    expect(await waive(order, 40)).toBe("refund-under-way")
  })
})
