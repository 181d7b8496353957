import { describe, expect, test } from "vitest"
import type { NewLine } from "~/billing/resellers"
import { HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { type BillingUnderTest, NOON, timelineKinds, together, unique } from "./billing-fixtures"
import { ordered, type Reseller, reseller, resellerPriced } from "./reseller-fixtures"

/** Tests reseller credits and the lines created with them. */
export function resellersContract(backend: () => BillingUnderTest): void {
  describe("a reseller's credits", () => {
    test("reseller credits arrive once with the paid plan and are listed with their source", async () => {
      const { customerId, order } = await reseller(backend())
      await backend().billing.applyOrderEvent(order.id, "paid", NOON)
      expect(await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 10)).toEqual({
        balance: 25,
        movements: [{ cause: "plan", amount: 25, reference: order.id, at: NOON }],
      })
      expect(await backend().billing.resellerCredits({ id: unique(), reach: "account" }, 10)).toEqual({
        balance: 0,
        movements: [],
      })
    })

    test("reseller credits are listed newest first, up to the requested number", async () => {
      const { customerId, line } = await reseller(backend())
      await backend().billing.createLine({ ...line(), at: NOON + HOUR })
      await backend().billing.createLine({ ...line(), at: NOON + 2 * HOUR })
      const { movements } = await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 2)
      expect(movements.map(({ cause, amount, at }) => [cause, amount, at])).toEqual([
        ["line", -1, NOON + 2 * HOUR],
        ["line", -1, NOON + HOUR],
      ])
    })
  })

  describe("a line for a reseller's own customer", () => {
    test("creating a line takes a credit and creates a viewer service to provision", async () => {
      const { customerId, line } = await reseller(backend())
      const made = await backend().billing.createLine(line())
      expect(made).toMatchObject({ kind: "line", status: "paid", customerId, total: money(0, "EUR") })
      expect(await backend().billing.service(made.serviceId)).toMatchObject({
        kind: "plan",
        status: "Pending",
        productId: "7",
        connections: 1,
        notes: "for Leo",
        username: "TVABCDEFGH",
        orderId: made.id,
      })
      const jobs = await backend().outbox.claim(NOON, HOUR, 9)
      expect(jobs.map(({ topic, subject }) => [topic, subject])).toContainEqual(["provision", made.serviceId])
      expect((await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 9)).balance).toBe(
        24,
      )
      expect(await timelineKinds(backend(), made)).toEqual(["placed"])
    })

    test("repeated and concurrent submissions of one form create one line", async () => {
      const { customerId, line } = await reseller(backend())
      const request = line()
      const made = await together(6, () => backend().billing.createLine({ ...request, number: unique }))
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect((await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 9)).balance).toBe(
        24,
      )
    })

    test("creating a line without credits is rejected and stores nothing", async () => {
      const { customerId, line } = await reseller(backend())
      for (let spent = 0; spent < 23; spent++) await backend().billing.createLine(line())
      const requests = await Promise.allSettled(
        Array.from({ length: 4 }, () => backend().billing.createLine(line())),
      )
      expect(requests.filter(({ status }) => status === "fulfilled")).toHaveLength(2)
      const services = await backend().billing.servicesOf({ id: customerId, reach: "account" })
      expect(services.filter(({ kind }) => kind === "plan")).toHaveLength(25)
      expect((await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 9)).balance).toBe(
        0,
      )
    })

    test.each<[string, (mine: Reseller, other: Reseller) => Partial<NewLine>]>([
      ["another reseller's service", (_, other) => ({ resellerServiceId: other.order.serviceId })],
      ["an unknown service", () => ({ resellerServiceId: "nowhere" })],
      ["the idempotency key of another order", (_, other) => ({ key: other.key })],
    ])("creating a line is rejected with %s", async (_, changes) => {
      const mine = await reseller(backend())
      const other = await reseller(backend())
      const request = { ...mine.line(), ...changes(mine, other) }
      await expect(backend().billing.createLine(request)).rejects.toMatchObject({ kind: "refused" })
    })

    test("creating a line is rejected with the idempotency key of another reseller's line", async () => {
      const [mine, other] = [await reseller(backend()), await reseller(backend())]
      const line = other.line()
      await backend().billing.createLine(line)
      const sameKey = { ...mine.line(), key: line.key }
      await expect(backend().billing.createLine(sameKey)).rejects.toMatchObject({ kind: "refused" })
    })

    test("creating a line is rejected for an inactive reseller service and for a line with a price", async () => {
      const { customerId, order, line } = await ordered(backend())
      await backend().billing.applyOrderEvent(order.id, "paid", NOON)
      await expect(backend().billing.createLine(line())).rejects.toMatchObject({ kind: "refused" })
      await backend().billing.activateService(order.serviceId, { host: "https://panel.test" }, NOON)
      const dear = { ...line(), quote: resellerPriced }
      await expect(backend().billing.createLine(dear)).rejects.toMatchObject({ kind: "refused" })
      expect((await backend().billing.resellerCredits({ id: customerId, reach: "account" }, 9)).balance).toBe(
        25,
      )
    })
  })
}
