import { afterEach, beforeEach, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { type ConsoleVisitor, enrolled } from "../../../tests/fixtures/console"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  marta = await enrolled(shop, "viewer")
})
afterEach(() => shop.billing.close())

const text = async (path: string) => (await marta.request({ path })).text()
const rowOf = async (id: string) =>
  (await text("/admin/gateways")).split("<tr").find((it) => it.includes(`<td>${id}</td>`)) ?? ""

test("the overview leads to the gateways, which say since when one does not answer, and how many orders wait for it", async () => {
  await buy(shop)
  expect(await rowOf("offshore")).toContain("Answers")
  const answered = shop.services.now() - 2 * HOUR
  const since = shop.services.now() - HOUR
  shop.gateway.isDegraded(true, { downSince: since, lastSuccessAt: answered })
  const row = await rowOf("offshore")
  expect(row).toContain(`Does not answer since ${localText(since, "UTC")}`)
  expect(row).toContain(localText(answered, "UTC"))
  expect(row).toContain('href="/checkout/admin/orders?status=awaiting-payment&amp;gateway=offshore">1</a>')
  expect(await rowOf("coinbase")).toContain("Answers")
  const overview = await text("/admin")
  expect(overview).toContain('<a href="/checkout/admin/gateways">A gateway does not answer</a>')
  expect(overview).toContain("1 h<")
})
