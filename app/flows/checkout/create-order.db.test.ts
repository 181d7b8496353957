import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { seedIfEmpty } from "~/billing/embedded/catalogue/catalogue.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import { request } from "../../../tests/fixtures/purchase"
import { engines, openTemporaryDatabase } from "../../../tests/fixtures/temporary-database"
import { catalogue, choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { placeOrder } from "./place-order.server"
import { reviewOrder } from "./review-order.server"

describe.each(engines)("the writes of a purchase on %s", (engine) => {
  let database: Awaited<ReturnType<typeof openTemporaryDatabase>>
  let shop: TestShop
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    await seedIfEmpty(database, catalogue)
    shop = await openTestShop({ openBilling: async () => createEmbeddedBilling(database) })
  })
  afterEach(() => database.close())

  test("leave no customer and no order if the attempt cannot be written", async () => {
    const { services } = shop
    const findOrCreateAttempt = async () => {
      throw new BillingError("unavailable", "the disk is full")
    }
    const purchase: PurchaseTransaction = (work) =>
      services.purchase((ports) => work({ ...ports, findOrCreateAttempt }))
    const choices = { ...choice, promoCode: "WELCOME10" }
    const key = "k"
    const ordered = request({ choices, key, agreedTotal: 89_01 })
    await expect(placeOrder({ ...services, purchase }, ordered)).rejects.toThrow("the disk is full")
    expect(await services.billing.customerOf(choice.email)).toBeNull()
    expect(await services.billing.orderByIdempotencyKey(key)).toBeNull()
    expect(await services.billing.promotionUses("WELCOME10")).toBe(0)
  })

  test("are those of one order and one attempt if a form is sent twice at once", async () => {
    const twice = await Promise.all([request(), request()].map((it) => placeOrder(shop.services, it)))
    const [first] = twice
    if (first?.kind !== "placed") throw new Error("The order was not placed")
    expect(twice).toEqual([first, first])
    expect(first.attempt).toMatchObject({ orderId: first.order.id, amount: first.order.total, url: null })
    expect(await shop.services.payments.latestAttempt(first.order.id)).toEqual(first.attempt)
  })

  describe("with a promo code for one order", () => {
    const ordered = { choices: { ...choice, promoCode: "GIFT-1" }, agreedTotal: 89_01 }
    beforeEach(async () => {
      await shop.billing.promotions?.addCodes("WELCOME10", { codes: ["GIFT-1"], at: 0 })
    })

    test("are those of one order if the form is sent again because its answer was lost", async () => {
      const first = await placeOrder(shop.services, request(ordered))
      const again = await placeOrder(shop.services, request(ordered))
      if (first.kind !== "placed") throw new Error("The order was not placed")
      expect(again).toEqual({ ...first, attempt: null })
      expect(await placeOrder(shop.services, request({ ...ordered, key: "another" }))).toEqual({
        kind: "rejected",
        field: "promoCode",
        reason: "promotion.used-up",
      })
    })

    test("are reviewed again as they were placed, and not if the order was cancelled", async () => {
      const first = await placeOrder(shop.services, request(ordered))
      if (first.kind !== "placed") throw new Error("The order was not placed")
      const { id } = first.order
      const draft = { ...ordered, customer: null, orderId: null, currency: "EUR", key: "draft-1" } as const
      const review = () => reviewOrder(shop.services, draft)
      expect(await review()).toMatchObject({ kind: "review", orderId: id, error: null })
      await shop.services.billing.applyOrderEvent(id, "handedOff", 0)
      expect(await review()).toMatchObject({ quote: { total: { minor: 89_01 } }, orderId: id, error: null })
      expect(await reviewOrder(shop.services, { ...draft, key: "another" })).toEqual({ kind: "rejected" })
      await shop.services.billing.applyOrderEvent(id, "aborted", 0)
      expect(await review()).toMatchObject({ kind: "review", orderId: null })
    })
  })

  test("are one customer and two orders if two drafts with one e-mail are sent at once", async () => {
    const drafts = ["one", "two"].map((key) => request({ key }))
    const placed = await Promise.all(drafts.map((it) => placeOrder(shop.services, it)))
    const orders = placed.flatMap((it) => (it.kind === "placed" ? [it.order] : []))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(2)
    expect(new Set(orders.map(({ customerId }) => customerId)).size).toBe(1)
  })
})
