import { describe, expect, test } from "vitest"
import type { NewUpsell } from "~/billing/orders/new-order"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { quoteUpsell } from "~/domain/services/upsell"
import {
  active,
  type BillingUnderTest,
  NOON,
  newOrderInput,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  promotions,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"
import { reseller } from "./reseller-fixtures"

const eur = (minor: number) => money(minor, "EUR")
const held = { holdReason: "blocked country XK" } as const
const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: eur(250) }

/** Tests orders that are held on placement, and the operator's decision on them. `credit`: the backend has account credit. */
export function heldOrdersContract(backend: () => BillingUnderTest, has: { credit: boolean }): void {
  const remainingUses = async (code: string) => (await backend().billing.promotion(code))?.remainingUses
  const credit = ({ customerId }: Order) => backend().payments.accountCredit(customerId, "EUR")
  const jobs = async () => (await backend().outbox.claim(NOON, HOUR, 9)).map(({ subject }) => subject)

  /** Returns an order of a customer who has this much account credit. */
  const withCredit = async (minor: number): Promise<Order> => {
    const order = await placed(backend())
    await backend().payments.recordPaymentUpdate(
      "offshore",
      paymentUpdate(await opened(backend(), order), "paid", 2_000 + minor),
      NOON,
    )
    return orderNow(backend(), order)
  }

  describe("an order held on placement", () => {
    test("a held order without an amount due provisions nothing and redeems no promo code", async () => {
      const order = await placed(backend(), held, promotions.free)
      expect(order).toMatchObject({ status: "fraud", total: eur(0) })
      expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await jobs()).toEqual([])
      await placed(backend(), held, promotions.five)
      expect(await remainingUses("FIVE")).toBe(5)
    })

    test("a held order records the reason in its timeline when it is placed", async () => {
      const order = await placed(backend(), held)
      expect(await backend().billing.timeline(order.id)).toEqual([
        { kind: "placed", at: NOON, amount: eur(2_000), reference: null },
        { kind: "flagged", at: NOON, amount: null, reference: "blocked country XK" },
      ])
    })

    test.runIf(has.credit)("a held order does not use account credit that would cover it", async () => {
      const before = await withCredit(3_000)
      const { customerId } = before
      const order = await placed(backend(), { ...held, customerId, accountCreditScope: "account" })
      expect(order).toMatchObject({ status: "fraud", credited: eur(0) })
      expect(await credit(before)).toEqual(eur(3_000))
      expect(await jobs()).not.toContain(order.serviceId)
    })

    test("a held order gets no payment attempt", async () => {
      const order = await placed(backend(), held)
      await expect(opened(backend(), order)).rejects.toMatchObject({ kind: "refused" })
    })

    test("a held order is returned for its idempotency key, even if a new order would not be held", async () => {
      const request = await newOrderInput(backend().billing, held, promotions.free)
      const orders = await together(5, () => backend().billing.placeOrder({ ...request, number: unique }))
      orders.push(await backend().billing.placeOrder({ ...request, holdReason: null }))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
      expect(orders.map(({ status }) => status)).toEqual(Array(6).fill("fraud"))
    })

    test("a held upsell order adds no connections although credit would pay for them", async () => {
      const before = await withCredit(3_000)
      const base = await active(backend(), { customerId: before.customerId })
      const upsell = await backend().billing.addInvoice({ ...upsellFor(base), ...held })
      expect(upsell).toMatchObject({ status: "fraud", credited: eur(0) })
      expect(await backend().billing.service(base.serviceId)).toMatchObject({
        status: "Active",
        connections: 1,
      })
      expect(await timelineKinds(backend(), upsell)).toEqual(["placed", "flagged"])
      expect(await jobs()).not.toContain(upsell.id)
    })

    test("a held line order takes no reseller credit and creates no line", async () => {
      const { customerId, line } = await reseller(backend())
      const made = await backend().billing.createLine({ ...line(), ...held })
      expect(made.status).toBe("fraud")
      expect(await backend().billing.service(made.serviceId)).toMatchObject({ status: "Cancelled" })
      expect((await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 9)).balance).toBe(
        25,
      )
      expect(await jobs()).not.toContain(made.serviceId)
    })
  })

  const LATER = NOON + 3 * HOUR
  const release = (order: Order, quoteHolds = true) =>
    backend().billing.releaseOrder(order.id, {
      at: LATER,
      deadline: LATER + DAY,
      reference: "operator: known customer",
      quoteHolds,
    })

  describe("a held order that the operator releases", () => {
    test.runIf(has.credit)(
      "a released order continues as ordered, with a new deadline, its promo code and its account credit",
      async () => {
        const before = await withCredit(300)
        const request = { ...held, customerId: before.customerId, accountCreditScope: "account" } as const
        const order = await placed(backend(), request, promotions.five)
        const released = await together(4, () => release(order))
        expect(released[0]).toMatchObject({
          status: "placed",
          decision: "released",
          deadline: LATER + DAY,
          credited: eur(-300),
        })
        expect(await remainingUses("FIVE")).toBe(4)
        expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Pending" })
        expect((await backend().billing.timeline(order.id)).slice(2)).toMatchObject([
          { kind: "released", at: LATER, reference: "operator: known customer" },
          { kind: "credit-used", amount: eur(300) },
        ])
        const paid = paymentUpdate(await opened(backend(), order, 700), "paid", 700)
        await backend().payments.recordPaymentUpdate("offshore", paid, LATER)
        expect((await orderNow(backend(), order)).status).toBe("paid")
      },
    )

    test("a released order without an amount due is provisioned immediately", async () => {
      const order = await placed(backend(), held, promotions.free)
      expect(await release(order)).toMatchObject({ status: "paid" })
      const jobs = await backend().outbox.claim(LATER, HOUR, 9)
      // External billing has assigned the service id by now.
      const { serviceId } = await orderNow(backend(), order)
      expect(jobs.map(({ subject }) => subject)).toEqual([serviceId])
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "flagged", "released", "paid"])
    })

    test.runIf(has.credit)("a released upsell order adds the connections that credit pays for", async () => {
      const before = await withCredit(3_000)
      const base = await active(backend(), { customerId: before.customerId })
      const upsell = await backend().billing.addInvoice({ ...upsellFor(base), ...held })
      expect(await release(upsell)).toMatchObject({ status: "paid", credited: eur(-250) })
      expect(await backend().billing.service(base.serviceId)).toMatchObject({ connections: 2 })
    })

    test("a released line order takes a reseller credit, and stays held without one", async () => {
      const { customerId, line } = await reseller(backend())
      const made = await backend().billing.createLine({ ...line(), ...held })
      for (let spent = 0; spent < 25; spent++) await backend().billing.createLine(line())
      await expect(release(made)).rejects.toMatchObject({ kind: "refused" })
      expect(await orderNow(backend(), made)).toMatchObject({ status: "fraud", decision: null })
      expect((await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 9)).balance).toBe(
        0,
      )
    })

    test("a line order stays held on release once the reseller's plan has ended", async () => {
      const { order, line, customerId } = await reseller(backend())
      const made = await backend().billing.createLine({ ...line(), ...held })
      await backend().billing.markTerminated(order.serviceId, NOON)
      await expect(release(made)).rejects.toMatchObject({ kind: "refused" })
      expect(await orderNow(backend(), made)).toMatchObject({ status: "fraud", decision: null })
      expect((await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 9)).balance).toBe(
        25,
      )
    })

    test("an order stays held on release if its promo code is used up", async () => {
      const order = await placed(backend(), held, promotions.last)
      await placed(backend(), {}, promotions.last)
      await expect(release(order)).rejects.toMatchObject({ kind: "refused" })
      expect(await orderNow(backend(), order)).toMatchObject({ status: "fraud", decision: null })
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "flagged"])
    })

    test.runIf(has.credit)("a released order returns what it used when it is cancelled", async () => {
      const before = await withCredit(300)
      const request = { ...held, customerId: before.customerId, accountCreditScope: "account" } as const
      const order = await placed(backend(), request, promotions.five)
      await release(order)
      await backend().billing.applyOrderEvent(order.id, "deadlinePassed", LATER + DAY)
      expect(await orderNow(backend(), order)).toMatchObject({ status: "expired", credited: eur(0) })
      expect([await remainingUses("FIVE"), await credit(before)]).toEqual([5, eur(300)])
    })

    test("a released order whose price has changed waits for the buyer to accept the new price, once", async () => {
      const order = await placed(backend(), held, promotions.five)
      expect(await release(order, false)).toMatchObject({ status: "fraud", decision: "released" })
      expect(await remainingUses("FIVE")).toBe(5)
      const { quote } = await newOrderInput(backend().billing)
      const agreed = { quote, promoCode: null, at: LATER, deadline: LATER + DAY }
      const orders = await together(3, () => backend().billing.requoteOrder(order.id, agreed))
      for (const it of orders)
        expect(it).toMatchObject({ status: "placed", total: eur(2_000), lines: quote.lines })
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "flagged", "released", "requoted"])
      const attempt = await opened(backend(), order)
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), LATER)
      expect((await orderNow(backend(), order)).status).toBe("paid")
      expect(await remainingUses("FIVE")).toBe(5)
    })

    test("a released order that is held again needs another decision", async () => {
      const order = await placed(backend(), held)
      await release(order)
      await backend().billing.fraudOrder(order.id, "a bot", LATER)
      expect(await orderNow(backend(), order)).toMatchObject({ status: "fraud", decision: null })
    })
  })

  test("the new price of an order that was not released cannot be accepted", async () => {
    const { quote } = await newOrderInput(backend().billing)
    const agreed = { quote, promoCode: null, at: LATER, deadline: LATER + DAY }
    const order = await placed(backend(), held)
    const refused = { name: "BillingError", kind: "refused" }
    await expect(backend().billing.requoteOrder(order.id, agreed)).rejects.toMatchObject(refused)
    await backend().billing.refuseOrder(order.id, { at: LATER, reference: "operator" })
    await expect(backend().billing.requoteOrder(order.id, agreed)).rejects.toMatchObject(refused)
  })

  test.runIf(has.credit)(
    "a rejected order is rejected permanently and uses no promo code and no credit",
    async () => {
      const before = await withCredit(3_000)
      const request = { ...held, customerId: before.customerId, accountCreditScope: "account" } as const
      const order = await placed(backend(), request, promotions.five)
      const refusal = { at: LATER, reference: "operator: chargebacks" }
      await together(3, () => backend().billing.refuseOrder(order.id, refusal))
      expect(await release(order)).toMatchObject({ status: "fraud", decision: "refused" })
      expect([await remainingUses("FIVE"), await credit(before)]).toEqual([5, eur(3_000)])
      expect((await backend().billing.timeline(order.id)).slice(2)).toEqual([
        { kind: "refused", at: LATER, amount: null, reference: "operator: chargebacks" },
      ])
    },
  )

  test("an order that is not held can be neither released nor rejected", async () => {
    const order = await placed(backend())
    expect(await release(order)).toEqual(order)
    expect(await backend().billing.refuseOrder(order.id, { at: LATER, reference: "operator" })).toEqual(order)
    expect(
      await backend().billing.releaseOrder("none", { ...rejectionOf(LATER), quoteHolds: true }),
    ).toBeNull()
    expect(await backend().billing.refuseOrder("none", rejectionOf(LATER))).toBeNull()
  })
}

function upsellFor(base: Order): NewUpsell {
  return {
    key: unique(),
    customerId: base.customerId,
    serviceId: base.serviceId,
    quantity: 1,
    quote: quoteUpsell(extra, 1),
    gateway: "offshore",
    locale: "de-de",
    address: "192.0.2.7",
    number: unique,
    at: NOON,
    deadline: NOON + DAY,
    accessScope: { reach: "account" },
    accountCreditScope: "account",
    holdReason: null,
    browser: null,
  }
}

function rejectionOf(at: number) {
  return { at, deadline: at + DAY, reference: "operator" }
}
