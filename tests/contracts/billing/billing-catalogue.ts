import { describe, expect, test } from "vitest"
import {
  type BillingUnderTest,
  longPlan,
  NOON,
  plan,
  promotions,
  resellerPlan,
  together,
} from "./billing-fixtures"

/** What is on sale, and to whom. */
export function catalogueContract(backend: () => BillingUnderTest): void {
  describe("the shop", () => {
    test("lists plans for viewers in the order of the price list, with all their prices and options", async () => {
      expect(await backend().billing.plans()).toEqual([plan, longPlan])
    })

    test("lists plans for resellers apart, with the lines a reseller may create", async () => {
      expect(await backend().billing.resellerPlans()).toEqual([resellerPlan])
    })

    test.each(["Half", "HALF", " half "])("knows a code however it is typed: %j", async (typed) => {
      expect(await backend().billing.promotion(typed)).toEqual(promotions.half)
    })

    test("knows what a code takes off and how often it may still be used", async () => {
      expect(await backend().billing.promotion("fixed")).toEqual(promotions.fixed)
      expect(await backend().billing.promotion("five")).toEqual(promotions.five)
    })

    test("does not know a code that was never given out", async () => {
      expect(await backend().billing.promotion("NOBODY")).toBeNull()
    })
  })

  describe("a customer", () => {
    const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON } as const

    test("is the same one however the e-mail is typed", async () => {
      const first = await backend().billing.identify({ ...visitor, email: "Ana@Example.test" })
      expect(await backend().billing.identify({ ...visitor, email: " ana@example.TEST " })).toEqual(first)
    })

    test("is another one with another e-mail", async () => {
      const ana = await backend().billing.identify({ ...visitor, email: "ana@example.test" })
      const bob = await backend().billing.identify({ ...visitor, email: "bob@example.test" })
      expect(bob.customerId).not.toBe(ana.customerId)
    })

    test("who comes in ten tabs at once is still one", async () => {
      const known = await together(10, () =>
        backend().billing.identify({ ...visitor, email: "eva@example.test" }),
      )
      expect(new Set(known.map(({ customerId }) => customerId)).size).toBe(1)
    })
  })
}
