import { describe, expect, test } from "vitest"
import { DAY, HOUR, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money"
import {
  type BillingUnderTest,
  credentials,
  NOON,
  newOrderInput,
  news,
  opened,
  orderNow,
  placed,
  plan,
  promotions,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"

const { five, free, last } = promotions

/** How an order comes about and comes to nothing. */
export function ordersContract(books: () => BillingUnderTest): void {
  const remainingUses = async (code: string) => (await books().billing.promotion(code))?.remainingUses

  describe("placing an order", () => {
    test("an event keeps why it was carried out, and by whom, for the operator", async () => {
      const order = await placed(books())
      await books().billing.applyOrderEvent(order.id, "aborted", NOON, "operator: duplicate")
      const told = (await books().billing.timeline(order.id)).find(({ kind }) => kind === "cancelled")
      expect(told?.reference).toBe("operator: duplicate")
    })

    test("keeps what was ordered at the price it was ordered for", async () => {
      const wish = await newOrderInput(books().billing, {}, five)
      const order = await books().billing.placeOrder(wish)
      expect(order).toMatchObject({
        ...{ customerId: wish.customerId, status: "placed", gateway: "offshore", locale: "de-de" },
        ...{ lines: wish.quote.lines, total: money(1_000, "EUR"), received: money(0, "EUR") },
        ...{ placedAt: NOON, deadline: NOON + DAY },
      })
      expect(await books().billing.order(order.id)).toEqual(order)
    })

    test("prepares the service, which is not set up before it is paid", async () => {
      const order = await placed(books(), { connections: 2 })
      expect(await books().billing.service(order.serviceId)).toEqual({
        ...{ id: order.serviceId, orderId: order.id, customerId: order.customerId },
        ...{ productId: "7", name: plan.name, status: "Pending", host: null },
        ...{ ...credentials, connections: 2, proxyProtection: false },
        ...{ kind: "plan", cycle: "monthly", currency: "EUR", deviceAddress: null, notes: "" },
      })
      expect(await books().outbox.claim(NOON + DAY, HOUR, 10)).toEqual([])
    })

    test("keeps what the service was bought as, for whoever adds to it later", async () => {
      const line = { kind: "plan", productId: "12", name: "Reseller", amount: money(9_000, "GBP") } as const
      const quote = { lines: [line], total: line.amount }
      const { serviceId } = await placed(books(), { kind: "reseller", cycle: "annually", quote })
      expect(await books().billing.service(serviceId)).toMatchObject({
        ...{ kind: "reseller", cycle: "annually", currency: "GBP" },
      })
    })

    test("from an address that is only assumed tells so", async () => {
      const order = await placed(books(), { address: "192.0.2.1", isFallbackAddress: true })
      expect(await books().billing.timeline(order.id)).toMatchObject([
        { kind: "placed", reference: "address 192.0.2.1 assumed" },
      ])
    })

    test("begins the order's timeline", async () => {
      const order = await placed(books())
      expect(await books().billing.timeline(order.id)).toEqual([
        { kind: "placed", at: NOON, amount: money(2_000, "EUR"), reference: null },
      ])
    })

    test("with the same key again gives the first order, whatever else is asked", async () => {
      const wish = await newOrderInput(books().billing)
      const first = await books().billing.placeOrder(wish)
      const wrongTotal = { ...wish.quote, total: money(1, "EUR") }
      expect(await books().billing.placeOrder({ ...wish, quote: wrongTotal })).toEqual(first)
    })

    test("twenty times at once with one key gives one order and uses its code once", async () => {
      const wish = await newOrderInput(books().billing, {}, five)
      const orders = await together(20, () => books().billing.placeOrder({ ...wish, number: unique }))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
      expect(await remainingUses("FIVE")).toBe(4)
    })

    test("takes another number when the first is taken", async () => {
      const { id } = await placed(books())
      const offered = [id, id, "FREENUMBER"]
      const order = await placed(books(), { number: () => offered.shift() ?? "" })
      expect(order.id).toBe("FREENUMBER")
    })

    test.each([
      ["is not the sum of its lines", money(1_999, "EUR")],
      ["is below zero", money(-1, "EUR")],
      ["is in another currency than its lines", money(2_000, "USD")],
    ])("is refused when the total %s, and nothing is stored", async (_, total) => {
      const wish = await newOrderInput(books().billing)
      const refused = books().billing.placeOrder({ ...wish, quote: { ...wish.quote, total } })
      await expect(refused).rejects.toMatchObject({ name: "BillingError", kind: "refused" })
      expect(await books().billing.placeOrder(wish)).toMatchObject({ total: money(2_000, "EUR") })
    })

    test("is refused for a customer nobody knows", async () => {
      await expect(placed(books(), { customerId: "nobody" })).rejects.toMatchObject({ kind: "refused" })
    })

    test("uses a code's last use for one of two buyers, and stores nothing for the other", async () => {
      const wishes = [
        await newOrderInput(books().billing, {}, last),
        await newOrderInput(books().billing, {}, last),
      ]
      const outcomes = await Promise.allSettled(wishes.map((wish) => books().billing.placeOrder(wish)))
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
      const loser = outcomes.find((it) => it.status === "rejected")
      expect(loser?.reason).toMatchObject({ name: "BillingError", kind: "refused" })
      expect(await remainingUses("LAST")).toBe(0)
    })

    test("of nothing to pay is paid at once and its service is set up", async () => {
      const order = await placed(books(), {}, free)
      expect(order.status).toBe("paid")
      expect(await timelineKinds(books(), order)).toEqual(["placed", "paid"])
      expect(await books().outbox.claim(NOON, HOUR, 10)).toMatchObject([{ subject: order.serviceId }])
    })
  })

  describe("giving an order up", () => {
    test.each([
      ["aborted", "cancelled"],
      ["deadlinePassed", "expired"],
    ] as const)("because it was %s gives the code back once and sets nothing up", async (event, status) => {
      const order = await placed(books(), {}, five)
      const moved = await together(5, () => books().billing.applyOrderEvent(order.id, event, NOON + HOUR))
      expect(moved.map((it) => it?.status)).toEqual(Array(5).fill(status))
      expect(await remainingUses("FIVE")).toBe(5)
      expect(await books().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await timelineKinds(books(), order)).toEqual(["placed", status])
    })

    test("and being paid late after all uses the code again", async () => {
      const order = await placed(books(), {}, five)
      const attempt = await opened(books(), order, 1_000)
      await books().billing.applyOrderEvent(order.id, "aborted", NOON)
      await books().payments.recordPaymentUpdate("offshore", news(attempt, "paid", 1_000), NOON + HOUR)
      expect(await books().billing.order(order.id)).toMatchObject({ status: "paid" })
      expect(await remainingUses("FIVE")).toBe(4)
    })

    test("changes nothing once it is paid", async () => {
      const order = await placed(books(), {}, five)
      await books().payments.recordPaymentUpdate(
        "offshore",
        news(await opened(books(), order, 1_000), "paid", 1_000),
        NOON,
      )
      expect(await books().billing.applyOrderEvent(order.id, "aborted", NOON)).toMatchObject({
        status: "paid",
      })
      expect(await remainingUses("FIVE")).toBe(4)
      expect(await timelineKinds(books(), order)).not.toContain("cancelled")
    })

    test("is due when the deadline has passed, the longest overdue first", async () => {
      const late = await placed(books(), { deadline: NOON - SECOND })
      const later = await placed(books(), { deadline: NOON - HOUR })
      await placed(books(), { deadline: NOON + SECOND })
      await placed(books(), { deadline: NOON - DAY }, free)
      expect(await books().billing.overdueOrders(NOON, 10)).toEqual([later.id, late.id])
      expect(await books().billing.overdueOrders(NOON, 1)).toEqual([later.id])
    })
  })

  test("an order, a service or a timeline nobody has is not there", async () => {
    expect(await books().billing.order("none")).toBeNull()
    expect(await books().billing.service("none")).toBeNull()
    expect(await books().billing.applyOrderEvent("none", "aborted", NOON)).toBeNull()
    expect(await books().billing.timeline("none")).toEqual([])
  })

  test("an event that does not belong to an order's status is not told", async () => {
    const order = await placed(books())
    await books().billing.applyOrderEvent(order.id, "provisioned", NOON)
    expect(await orderNow(books(), order)).toEqual(order)
    expect(await timelineKinds(books(), order)).toEqual(["placed"])
  })
}
