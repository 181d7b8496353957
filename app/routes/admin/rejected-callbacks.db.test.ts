import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY, dayIn } from "~/domain/calendar"
import { type ConsoleVisitor, enrolled } from "../../../tests/fixtures/console"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  marta = await enrolled(shop, "viewer")
})
afterEach(() => shop.billing.close())

const page = async (query = "") => (await marta.request({ path: `/admin/rejected-callbacks${query}` })).text()
const dayBefore = (days: number) => dayIn("UTC", shop.services.now() - days * DAY)

async function rejected(gateway: "offshore" | "coinbase", reason: string, days: number) {
  await shop.services.payments.recordRejectedCallback(gateway, reason, dayBefore(days))
}

test("lists rejected callbacks by day, gateway and reason with their count, and the overview leads there", async () => {
  expect(await page()).toContain(`No callback was rejected since ${dayBefore(30)}.`)
  await rejected("offshore", "signature does not match", 0)
  await rejected("offshore", "signature does not match", 0)
  await rejected("coinbase", "too old", 3)
  const listed = await page()
  expect(listed).toMatch(/<td>offshore<\/td><td>signature does not match<\/td><td[^>]*>2<\/td>/)
  expect(listed.indexOf("offshore</td>")).toBeLessThan(listed.indexOf("coinbase</td>"))
  const overview = await (await marta.request({ path: "/admin" })).text()
  expect(overview).toContain('<a href="/checkout/admin/rejected-callbacks">Rejected callbacks</a>')
})

test("filters by gateway and first day, and says which of them is not valid", async () => {
  await rejected("offshore", "signature does not match", 2)
  await rejected("coinbase", "too old", 40)
  expect(await page("?gateway=coinbase")).not.toMatch(/signature|too old/)
  const all = await page(`?since=${dayBefore(50)}`)
  expect(all).toContain("too old")
  expect(await page(`?since=${dayBefore(50)}&gateway=offshore`)).not.toContain("too old")
  expect(await page("?since=2026-02-31&gateway=odd")).toContain("These are not valid and were left out")
})
