import { describe, expect, test } from "vitest"
import type { NewUpsell } from "~/billing/new-order"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { quoteUpsell } from "~/domain/upsell"
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

/** Orders that are held as suspicious from the moment they are written, and what the operator makes of them. */
export function heldOrdersContract(backend: () => BillingUnderTest): void {
  const remainingUses = async (code: string) => (await backend().billing.promotion(code))?.remainingUses
  const credit = ({ customerId }: Order) => backend().payments.credit(customerId, "EUR")
  const jobs = async () => (await backend().outbox.claim(NOON, HOUR, 9)).map(({ subject }) => subject)

  /** A customer with so much account credit. */
  const withCredit = async (minor: number): Promise<Order> => {
    const order = await placed(backend())
    await backend().payments.recordPaymentUpdate(
      "offshore",
      paymentUpdate(await opened(backend(), order), "paid", 2_000 + minor),
      NOON,
    )
    return orderNow(backend(), order)
  }

  describe("an order that is held from the beginning", () => {
    test("sets nothing up where nothing is owed for it, and uses no code", async () => {
      const order = await placed(backend(), held, promotions.free)
      expect(order).toMatchObject({ status: "fraud", total: eur(0) })
      expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await jobs()).toEqual([])
      await placed(backend(), held, promotions.five)
      expect(await remainingUses("FIVE")).toBe(5)
    })

    test("is told with the reason, in the moment in which it is placed", async () => {
      const order = await placed(backend(), held)
      expect(await backend().billing.timeline(order.id)).toEqual([
        { kind: "placed", at: NOON, amount: eur(2_000), reference: null },
        { kind: "flagged", at: NOON, amount: null, reference: "blocked country XK" },
      ])
    })

    test("leaves account credit alone that would pay all of it", async () => {
      const before = await withCredit(3_000)
      const { customerId } = before
      const order = await placed(backend(), { ...held, customerId, creditScope: "account" })
      expect(order).toMatchObject({ status: "fraud", credited: eur(0) })
      expect(await credit(before)).toEqual(eur(3_000))
      expect(await jobs()).not.toContain(order.serviceId)
    })

    test("is opened no payment for", async () => {
      const order = await placed(backend(), held)
      await expect(opened(backend(), order)).rejects.toMatchObject({ kind: "refused" })
    })

    test("is the same order when its form is sent again, also when nothing is held against it by then", async () => {
      const request = await newOrderInput(backend().billing, held, promotions.free)
      const orders = await together(5, () => backend().billing.placeOrder({ ...request, number: unique }))
      orders.push(await backend().billing.placeOrder({ ...request, holdReason: null }))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
      expect(orders.map(({ status }) => status)).toEqual(Array(6).fill("fraud"))
    })

    test("for more connections adds none, though credit would pay them", async () => {
      const before = await withCredit(3_000)
      const base = await active(backend(), { customerId: before.customerId })
      const upsell = await backend().billing.addInvoice({ ...upsellFor(base), ...held })
      expect(upsell).toMatchObject({ status: "fraud", credited: eur(0) })
      expect(await backend().billing.service(base.serviceId)).toMatchObject({
        ...{ status: "Active", connections: 1 },
      })
      expect(await timelineKinds(backend(), upsell)).toEqual(["placed", "flagged"])
      expect(await jobs()).not.toContain(upsell.id)
    })

    test("for a line takes none of the reseller's credits and makes no line", async () => {
      const { customerId, line } = await reseller(backend())
      const made = await backend().billing.createLine({ ...line(), ...held })
      expect(made.status).toBe("fraud")
      expect(await backend().billing.service(made.serviceId)).toMatchObject({ status: "Cancelled" })
      expect((await backend().billing.credits({ id: customerId, reach: "account" }, 9)).balance).toBe(25)
      expect(await jobs()).not.toContain(made.serviceId)
    })
  })

  const LATER = NOON + 3 * HOUR
  const release = (order: Order, quoteHolds = true) =>
    backend().billing.releaseOrder(order.id, {
      ...{ at: LATER, deadline: LATER + DAY, reference: "operator: known customer", quoteHolds },
    })

  describe("a held order that the operator releases", () => {
    test("goes on as it was ordered, with a new deadline, its code and its buyer's credit", async () => {
      const before = await withCredit(300)
      const request = { ...held, customerId: before.customerId, creditScope: "account" } as const
      const order = await placed(backend(), request, promotions.five)
      const released = await together(4, () => release(order))
      expect(released[0]).toMatchObject({
        ...{ status: "placed", decision: "released", deadline: LATER + DAY, credited: eur(-300) },
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
    })

    test("is set up at once where nothing is owed for it", async () => {
      const order = await placed(backend(), held, promotions.free)
      expect(await release(order)).toMatchObject({ status: "paid" })
      const jobs = await backend().outbox.claim(LATER, HOUR, 9)
      // External billing has named the service by now.
      const { serviceId } = await orderNow(backend(), order)
      expect(jobs.map(({ subject }) => subject)).toEqual([serviceId])
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "flagged", "released", "paid"])
    })

    test("adds the connections that credit pays", async () => {
      const before = await withCredit(3_000)
      const base = await active(backend(), { customerId: before.customerId })
      const upsell = await backend().billing.addInvoice({ ...upsellFor(base), ...held })
      expect(await release(upsell)).toMatchObject({ status: "paid", credited: eur(-250) })
      expect(await backend().billing.service(base.serviceId)).toMatchObject({ connections: 2 })
    })

    test("takes the reseller's credit for a line, and stays held without one", async () => {
      const { customerId, line } = await reseller(backend())
      const made = await backend().billing.createLine({ ...line(), ...held })
      for (let spent = 0; spent < 25; spent++) await backend().billing.createLine(line())
      await expect(release(made)).rejects.toMatchObject({ kind: "refused" })
      expect(await orderNow(backend(), made)).toMatchObject({ status: "fraud", decision: null })
      expect((await backend().billing.credits({ id: customerId, reach: "account" }, 9)).balance).toBe(0)
    })

    test("stays held where somebody else has used up its code", async () => {
      const order = await placed(backend(), held, promotions.last)
      await placed(backend(), {}, promotions.last)
      await expect(release(order)).rejects.toMatchObject({ kind: "refused" })
      expect(await orderNow(backend(), order)).toMatchObject({ status: "fraud", decision: null })
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "flagged"])
    })

    test("gives back what it used when it comes to nothing after all", async () => {
      const before = await withCredit(300)
      const request = { ...held, customerId: before.customerId, creditScope: "account" } as const
      const order = await placed(backend(), request, promotions.five)
      await release(order)
      await backend().billing.applyOrderEvent(order.id, "deadlinePassed", LATER + DAY)
      expect(await orderNow(backend(), order)).toMatchObject({ status: "expired", credited: eur(0) })
      expect([await remainingUses("FIVE"), await credit(before)]).toEqual([5, eur(300)])
    })

    test("at a price that no longer holds waits for the buyer, who agrees to the new one, once", async () => {
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

    test("is to be decided on once more when it is held once more", async () => {
      const order = await placed(backend(), held)
      await release(order)
      await backend().billing.fraudOrder(order.id, "a bot", LATER)
      expect(await orderNow(backend(), order)).toMatchObject({ status: "fraud", decision: null })
    })
  })

  test("nobody agrees to a new price of an order that was not released", async () => {
    const { quote } = await newOrderInput(backend().billing)
    const agreed = { quote, promoCode: null, at: LATER, deadline: LATER + DAY }
    const order = await placed(backend(), held)
    const refused = { name: "BillingError", kind: "refused" }
    await expect(backend().billing.requoteOrder(order.id, agreed)).rejects.toMatchObject(refused)
    await backend().billing.refuseOrder(order.id, { at: LATER, reference: "operator" })
    await expect(backend().billing.requoteOrder(order.id, agreed)).rejects.toMatchObject(refused)
  })

  test("a held order that the operator refuses is refused for good, and uses no code and no credit", async () => {
    const before = await withCredit(3_000)
    const request = { ...held, customerId: before.customerId, creditScope: "account" } as const
    const order = await placed(backend(), request, promotions.five)
    const refusal = { at: LATER, reference: "operator: chargebacks" }
    await together(3, () => backend().billing.refuseOrder(order.id, refusal))
    expect(await release(order)).toMatchObject({ status: "fraud", decision: "refused" })
    expect([await remainingUses("FIVE"), await credit(before)]).toEqual([5, eur(3_000)])
    expect((await backend().billing.timeline(order.id)).slice(2)).toEqual([
      { kind: "refused", at: LATER, amount: null, reference: "operator: chargebacks" },
    ])
  })

  test("an order that is not held is neither released nor refused", async () => {
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
    ...{ key: unique(), customerId: base.customerId, serviceId: base.serviceId, quantity: 1 },
    quote: quoteUpsell(extra, 1),
    ...{ gateway: "offshore", locale: "de-de", address: "192.0.2.7", number: unique },
    ...{
      at: NOON,
      deadline: NOON + DAY,
      accessScope: { reach: "account" },
      creditScope: "account",
      holdReason: null,
      browser: null,
    },
  }
}

function rejectionOf(at: number) {
  return { at, deadline: at + DAY, reference: "operator" }
}
