import { describe, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { DAY, HOUR, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { withoutTerm } from "../../fixtures/without-term"
import {
  type BillingUnderTest,
  credentials,
  NOON,
  newOrderInput,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  plan,
  promotions,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"

const { five, free, last } = promotions

/** Tests placing and cancelling orders. */
export function ordersContract(backend: () => BillingUnderTest): void {
  const remainingUses = async (code: string) => (await backend().billing.promotion(code))?.remainingUses

  describe("placing an order", () => {
    test("an order event stores its reason and its actor for the operator", async () => {
      const order = await placed(backend())
      await backend().billing.applyOrderEvent(order.id, "aborted", NOON, "operator: duplicate")
      const event = (await backend().billing.timeline(order.id)).find(({ kind }) => kind === "cancelled")
      expect(event?.reference).toBe("operator: duplicate")
    })

    test("placing an order stores the selection at its price", async () => {
      const request = await newOrderInput(backend().billing, {}, five)
      const order = await backend().billing.placeOrder(request)
      expect(order).toMatchObject({
        customerId: request.customerId,
        status: "placed",
        gateway: "offshore",
        locale: "de-de",
        lines: request.quote.lines,
        total: money(1_000, "EUR"),
        received: money(0, "EUR"),
        placedAt: NOON,
        deadline: NOON + DAY,
      })
      expect(await backend().billing.order(order.id)).toEqual(order)
    })

    test("placing an order creates the service, which is not provisioned before payment", async () => {
      const order = await placed(backend(), { connections: 2 })
      expect(await backend().billing.service(order.serviceId)).toEqual({
        id: order.serviceId,
        orderId: order.id,
        customerId: order.customerId,
        productId: "7",
        name: plan.name,
        status: "Pending",
        host: null,
        ...credentials,
        connections: 2,
        proxyProtection: false,
        kind: "plan",
        cycle: "monthly",
        currency: "EUR",
        deviceAddress: null,
        notes: "",
        ...withoutTerm,
      })
      expect(await backend().outbox.claim(NOON + DAY, HOUR, 10)).toEqual([])
    })

    test("placing an order stores the service's purchased options for later upsells", async () => {
      const line = { kind: "plan", productId: "12", name: "Reseller", amount: money(9_000, "GBP") } as const
      const quote = { lines: [line], total: line.amount }
      const { serviceId } = await placed(backend(), { kind: "reseller", cycle: "annually", quote })
      expect(await backend().billing.service(serviceId)).toMatchObject({
        kind: "reseller",
        cycle: "annually",
        currency: "GBP",
      })
    })

    test("an order from a fallback address records that in its timeline", async () => {
      const order = await placed(backend(), { address: "192.0.2.1", isFallbackAddress: true })
      expect(await backend().billing.timeline(order.id)).toMatchObject([
        { kind: "placed", reference: "address 192.0.2.1 assumed" },
      ])
    })

    test("placing an order starts its timeline", async () => {
      const order = await placed(backend())
      expect(await backend().billing.timeline(order.id)).toEqual([
        { kind: "placed", at: NOON, amount: money(2_000, "EUR"), reference: null },
      ])
    })

    test("placing an order with a used idempotency key returns the first order, whatever else the request contains", async () => {
      const request = await newOrderInput(backend().billing)
      const first = await backend().billing.placeOrder(request)
      const wrongTotal = { ...request.quote, total: money(1, "EUR") }
      expect(await backend().billing.placeOrder({ ...request, quote: wrongTotal })).toEqual(first)
    })

    test("twenty concurrent orders with one idempotency key create one order and redeem its promo code once", async () => {
      const request = await newOrderInput(backend().billing, {}, five)
      const orders = await together(20, () => backend().billing.placeOrder({ ...request, number: unique }))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
      expect(await remainingUses("FIVE")).toBe(4)
    })

    test("placing an order draws another number when the first is taken", async () => {
      const { id } = await placed(backend())
      const offered = [id, id, "FREENUMBER"]
      const order = await placed(backend(), { number: () => offered.shift() ?? "" })
      expect(order.id).toBe("FREENUMBER")
    })

    test.each([
      ["is not the sum of its lines", money(1_999, "EUR")],
      ["is below zero", money(-1, "EUR")],
      ["is in another currency than its lines", money(2_000, "USD")],
    ])("rejects an order whose total %s and stores nothing", async (_, total) => {
      const request = await newOrderInput(backend().billing)
      const refused = backend().billing.placeOrder({ ...request, quote: { ...request.quote, total } })
      await expect(refused).rejects.toMatchObject({ name: "BillingError", kind: "refused" })
      expect(await backend().billing.placeOrder(request)).toMatchObject({ total: money(2_000, "EUR") })
    })

    test("rejects an order of an unknown customer", async () => {
      await expect(placed(backend(), { customerId: "nobody" })).rejects.toMatchObject({ kind: "refused" })
    })

    test("gives the last use of a promo code to one of two concurrent buyers and stores nothing for the other", async () => {
      const requests = [
        await newOrderInput(backend().billing, {}, last),
        await newOrderInput(backend().billing, {}, last),
      ]
      const outcomes = await Promise.allSettled(
        requests.map((request) => backend().billing.placeOrder(request)),
      )
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
      const loser = outcomes.find((it) => it.status === "rejected")
      expect(loser?.reason).toBeInstanceOf(BillingError)
      expect(loser?.reason).toMatchObject({ kind: "refused" })
      expect(await remainingUses("LAST")).toBe(0)
    })

    test("an order without an amount due is paid immediately and its service is provisioned", async () => {
      const order = await placed(backend(), {}, free)
      expect(order.status).toBe("paid")
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "paid"])
      expect(await backend().outbox.claim(NOON, HOUR, 10)).toMatchObject([{ subject: order.serviceId }])
    })
  })

  describe("cancelling an order", () => {
    test.each([
      ["aborted", "cancelled"],
      ["deadlinePassed", "expired"],
    ] as const)(
      "an order that is %s releases its promo code once and provisions nothing",
      async (event, status) => {
        const order = await placed(backend(), {}, five)
        const moved = await together(5, () => backend().billing.applyOrderEvent(order.id, event, NOON + HOUR))
        expect(moved.map((it) => it?.status)).toEqual(Array(5).fill(status))
        expect(await remainingUses("FIVE")).toBe(5)
        expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
        expect(await timelineKinds(backend(), order)).toEqual(["placed", status])
      },
    )

    test("a cancelled order that is paid late redeems its promo code again", async () => {
      const order = await placed(backend(), {}, five)
      const attempt = await opened(backend(), order, 1_000)
      await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(attempt, "paid", 1_000),
        NOON + HOUR,
      )
      expect(await backend().billing.order(order.id)).toMatchObject({ status: "paid" })
      expect(await remainingUses("FIVE")).toBe(4)
    })

    test("cancelling a paid order changes nothing", async () => {
      const order = await placed(backend(), {}, five)
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(await opened(backend(), order, 1_000), "paid", 1_000),
        NOON,
      )
      expect(await backend().billing.applyOrderEvent(order.id, "aborted", NOON)).toMatchObject({
        status: "paid",
      })
      expect(await remainingUses("FIVE")).toBe(4)
      expect(await timelineKinds(backend(), order)).not.toContain("cancelled")
    })

    test("orders past their deadline are listed, longest overdue first", async () => {
      const late = await placed(backend(), { deadline: NOON - SECOND })
      const later = await placed(backend(), { deadline: NOON - HOUR })
      await placed(backend(), { deadline: NOON + SECOND })
      await placed(backend(), { deadline: NOON - DAY }, free)
      expect(await backend().billing.overdueOrders(NOON, 10)).toEqual([later.id, late.id])
      expect(await backend().billing.overdueOrders(NOON, 1)).toEqual([later.id])
    })
  })

  test("returns nothing for an unknown order, service or timeline", async () => {
    expect(await backend().billing.order("none")).toBeNull()
    expect(await backend().billing.service("none")).toBeNull()
    expect(await backend().billing.applyOrderEvent("none", "aborted", NOON)).toBeNull()
    expect(await backend().billing.timeline("none")).toEqual([])
  })

  test("an event that the order's status does not allow is not recorded", async () => {
    const order = await placed(backend())
    await backend().billing.applyOrderEvent(order.id, "provisioned", NOON)
    expect(await orderNow(backend(), order)).toEqual(order)
    expect(await timelineKinds(backend(), order)).toEqual(["placed"])
  })
}
