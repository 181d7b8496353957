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

/** Tests which products and promotions are on sale, and for whom. */
export function catalogueContract(backend: () => BillingUnderTest): void {
  describe("the catalogue", () => {
    test("lists viewer plans in catalogue order with all prices and options", async () => {
      expect(await backend().billing.plans()).toEqual([plan, longPlan])
    })

    test("lists reseller plans separately, with the line products a reseller may create", async () => {
      expect(await backend().billing.resellerPlans()).toEqual([resellerPlan])
    })

    test.each(["Mum's & half", "MUM'S & HALF", " mum's & half "])(
      "finds a promo code regardless of case and spaces: %j",
      async (typed) => {
        expect(await backend().billing.promotion(typed)).toEqual(promotions.half)
      },
    )

    test("returns a promo code's discount and remaining uses", async () => {
      expect(await backend().billing.promotion("fixed")).toEqual(promotions.fixed)
      expect(await backend().billing.promotion("five")).toEqual(promotions.five)
    })

    test("returns no promotion for an unknown promo code", async () => {
      expect(await backend().billing.promotion("NOBODY")).toBeNull()
    })
  })

  describe("a customer", () => {
    const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON } as const

    test("a customer is the same for every spelling of the email address", async () => {
      const first = await backend().billing.identify({ ...visitor, email: "O'Ana@Example.test" })
      expect(await backend().billing.identify({ ...visitor, email: " o'ana@example.TEST " })).toEqual(first)
    })

    test("a customer with another email address is another customer", async () => {
      const ana = await backend().billing.identify({ ...visitor, email: "o'ana@example.test" })
      const bob = await backend().billing.identify({ ...visitor, email: "bob@example.test" })
      expect(bob.customerId).not.toBe(ana.customerId)
    })

    test("ten concurrent requests with one email address create one customer", async () => {
      const known = await together(10, () =>
        backend().billing.identify({ ...visitor, email: "eva@example.test" }),
      )
      expect(new Set(known.map(({ customerId }) => customerId)).size).toBe(1)
    })
  })
}
