import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { nothingWrong } from "../../../../tests/fixtures/need-query"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("a payment that a gateway takes back by itself, on %s", (engine) => {
  let shop: BillingWithTerms
  beforeEach(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterEach(() => shop.close())

  const at = NOON + HOUR
  const later = at + MINUTE
  const needs = async (now: Instant = later) =>
    (await shop.overview.needs({ now, yesterday: "2026-06-14", ...nothingWrong })).filter(
      ({ kind }) => kind === "chargeback",
    )
  /** What its page says is open. */
  const onPage = async (order: Order) => {
    const chargeback = (await shop.operator.order(order.id))?.chargeback
    return chargeback?.isOpen ? chargeback : null
  }
  const isSaidToBeOver = async (order: Order) =>
    (await shop.operator.order(order.id))?.chargeback?.isOpen === false

  /** An order of 20.00 that is paid with an amount and has its service, and the gateway's report about its payment. */
  async function sold(paid = 2_000) {
    const order = await placed(shop)
    const attempt = await opened(shop, order)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", paid), NOON)
    await shop.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
    const refunded = (minor: number, when: Instant = at) => {
      const update = { ...paymentUpdate(attempt, "paid", paid), refunded: money(minor, "EUR") }
      return shop.payments.recordPaymentUpdate("offshore", update, when)
    }
    /** It has received as much in all, of which 20.00 went back. */
    const again = (minor: number, when: Instant) => {
      const update = { ...paymentUpdate(attempt, "paid", minor), refunded: money(2_000, "EUR") }
      return shop.payments.recordPaymentUpdate("offshore", update, when)
    }
    return { order, refunded, again }
  }

  /** A sold order of which all was taken back. */
  async function chargedBack(): Promise<Order> {
    const { order, refunded } = await sold()
    await refunded(2_000)
    return order
  }

  const dismissed = (order: Order, when: Instant) =>
    shop.auditLog.append({
      at: when,
      operatorId: null,
      operator: "admin CLI",
      action: "dismiss-chargeback",
      subject: `order ${order.id}`,
      outcome: "done",
      reason: "lost, and written off",
    })

  test("needs a person as long as the service goes on, and is on its order", async () => {
    const order = await chargedBack()
    const amount = money(2_000, "EUR")
    expect(await needs()).toEqual([
      {
        key: `chargeback ${order.id}`,
        kind: "chargeback",
        since: at,
        orderId: order.id,
        amount,
        detail: "offshore",
        count: 1,
        takenBy: null,
      },
    ])
    expect(await onPage(order)).toMatchObject({ amount, at, gateway: "offshore" })
  })

  test("of several parts is one need, since the first", async () => {
    const { order, refunded } = await sold()
    await refunded(500)
    await refunded(1_200, later)
    expect(await needs()).toMatchObject([{ orderId: order.id, amount: money(1_200, "EUR"), since: at }])
  })

  test.each([
    [
      "suspended",
      (order: Order) =>
        shop.operator.suspendService(order.serviceId, { owner: "operator", reason: "unpaid", at: later }),
    ],
    [
      "ended",
      (order: Order) =>
        shop.operator.terminateService(order.serviceId, { owner: "operator", reason: "unpaid", at: later }),
    ],
  ])("needs nobody once the service is %s", async (_, end) => {
    const order = await chargedBack()
    await end(order)
    expect([await needs(), await onPage(order), await isSaidToBeOver(order)]).toEqual([[], null, true])
  })

  test("needs nobody once an operator has recorded it as settled, until more is taken back", async () => {
    const { order, refunded } = await sold()
    await refunded(500)
    await dismissed(order, later)
    expect([await needs(), await onPage(order)]).toEqual([[], null])
    await refunded(2_000, later + MINUTE)
    expect(await needs(later + HOUR)).toMatchObject([{ amount: money(1_500, "EUR"), since: later + MINUTE }])
  })

  test("needs a person still if another order's was settled", async () => {
    await chargedBack()
    const other = await chargedBack()
    await dismissed(other, later)
    expect(await needs()).toHaveLength(1)
  })

  test("needs nobody once the gateway has given the money back", async () => {
    const { order, again, refunded } = await sold()
    await refunded(2_000)
    expect(await needs()).toHaveLength(1)
    await again(4_000, later)
    expect([await needs(), await onPage(order), await isSaidToBeOver(order)]).toEqual([[], null, false])
  })

  test("needs nobody if it was a surplus: the order is paid all the same", async () => {
    const { order, refunded } = await sold(2_300)
    await refunded(300)
    expect([await needs(), await onPage(order)]).toEqual([[], null])
  })

  test("needs nobody if the operator has received the price elsewhere", async () => {
    const order = await placed(shop)
    const attempt = await opened(shop, order)
    await shop.billing.applyOrderEvent(order.id, "paid", NOON, "operator: cash")
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
    const update = { ...paymentUpdate(attempt, "paid", 2_000), refunded: money(2_000, "EUR") }
    await shop.payments.recordPaymentUpdate("offshore", update, at)
    expect([await needs(), await onPage(order)]).toEqual([[], null])
  })

  test("is none that an operator has recorded, whichever report follows", async () => {
    const { order, refunded } = await sold()
    await shop.operator.recordRefund(order.id, {
      key: unique(),
      amount: money(500, "EUR"),
      reason: "asked",
      at,
    })
    await refunded(500, later)
    expect([await needs(), await onPage(order)]).toEqual([[], null])
    await refunded(700, later)
    expect(await onPage(order)).toMatchObject({ amount: money(200, "EUR") })
  })

  test("is none that an operator has asked the gateway for, also if its report comes first", async () => {
    const { order, refunded } = await sold()
    const asked = { orderId: order.id, amount: money(500, "EUR"), reason: "asked", at: NOON + MINUTE }
    const gateways = [{ id: "offshore", isWholeOnly: false }] as const
    await shop.refunds.begin({ ...asked, id: "r1", gateways, address: null, endsService: false })
    await refunded(500)
    expect(await needs()).toEqual([])
    await shop.refunds.sent("r1", { claimUrl: null, at: later })
    expect([await needs(), await onPage(order)]).toEqual([[], null])
    await refunded(1_000, later + MINUTE)
    expect(await onPage(order)).toMatchObject({ amount: money(500, "EUR") })
  })

  test("of a part payment is none: nothing was delivered, and the order waits for its price", async () => {
    const order = await placed(shop)
    const attempt = await opened(shop, order)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 500), NOON)
    const update = { ...paymentUpdate(attempt, "partially-paid", 500), refunded: money(500, "EUR") }
    await shop.payments.recordPaymentUpdate("offshore", update, at)
    expect([await needs(), await onPage(order)]).toEqual([[], null])
  })

  test("leaves the overview after half a year, and stays on its order", async () => {
    const order = await chargedBack()
    expect(await needs(at + 180 * DAY)).toHaveLength(1)
    expect(await needs(at + 181 * DAY)).toEqual([])
    expect(await onPage(order)).not.toBeNull()
  })
})
