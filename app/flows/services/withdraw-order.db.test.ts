import { afterEach, beforeEach, expect, test } from "vitest"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { searchWithdrawal } from "./withdraw-order.server"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

/** How often the database is asked for an order or its events by a search that finds nothing. */
async function readsOf(named: { readonly order: string; readonly email: string }): Promise<number> {
  const { billing, ...services } = shop.services
  let reads = 0
  const counting = {
    ...billing,
    order: (id: string) => {
      reads++
      return billing.order(id)
    },
    timeline: (id: string) => {
      reads++
      return billing.timeline(id)
    },
  }
  const who = { address: "203.0.113.7", visitor: "browser", authenticated: false }
  const found = await searchWithdrawal({ ...services, billing: counting }, named, who)
  expect(found).toEqual({ kind: "unknown" })
  return reads
}

test("a search by another e-mail reads as much as one for a number that there is not, so that its time tells nothing", async () => {
  const { id } = await buyPlan(shop)
  const email = "somebody.else@example.test"
  expect(await readsOf({ order: id, email })).toBe(await readsOf({ order: "NOSUCHNUMB", email }))
})

test("whoever tries many order numbers is stopped, and the operator reads so in the log, without an e-mail", async () => {
  const who = { address: "203.0.113.7", visitor: "browser", authenticated: false }
  const named = { order: "NOSUCHNUMB", email: "somebody.else@example.test" }
  const search = () => searchWithdrawal(shop.services, named, who)
  while ((await search()).kind === "unknown");
  expect(await search()).toMatchObject({ kind: "too-many" })
  expect(shop.log).toContainEqual(
    expect.objectContaining({ limit: "withdrawal", address: who.address, msg: "rate limit exceeded" }),
  )
  expect(JSON.stringify(shop.log)).not.toContain(named.email)
})
