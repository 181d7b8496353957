import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { NOON, placed, resellerPlan } from "../../../../tests/contracts/billing/billing-fixtures"
import { resellerPriced } from "../../../../tests/contracts/billing/reseller-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("on %s the credits of a paid reseller plan", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  /** Orders the plan as it is sold now, edits the catalogue, and pays. Returns the buyer's credits. */
  async function creditsAfter(edit: () => Promise<unknown>, credits: number | undefined) {
    const accessScope = { reach: "account" } as const
    const order = await placed(shop, { kind: "reseller", accessScope, quote: resellerPriced, credits })
    await edit()
    await shop.billing.applyOrderEvent(order.id, "paid", NOON)
    const account = { id: order.customerId, reach: "account" } as const
    return (await shop.billing.resellerCredits(account, 1)).balance
  }
  const setCredits = (credits: number) =>
    shop.ctx.db.updateTable("products").set({ credits }).where("id", "=", resellerPlan.id).execute()

  test("are those of the order when the plan has fewer or more by then", async () => {
    expect(await creditsAfter(() => setCredits(10), 100)).toBe(100)
    expect(await creditsAfter(() => setCredits(500), 10)).toBe(10)
  })

  test("are those of the catalogue for an order from before they were kept", async () => {
    expect(await creditsAfter(() => setCredits(25), undefined)).toBe(25)
  })

  test("are those of the order when the catalogue no longer has the plan", async () => {
    const remove = () => shop.ctx.db.deleteFrom("products").where("id", "=", resellerPlan.id).execute()
    expect(await creditsAfter(remove, 100)).toBe(100)
  })
})
