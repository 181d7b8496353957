import { afterEach, beforeEach, expect, test } from "vitest"
import { type ConsoleVisitor, enrolled } from "../../../../tests/fixtures/console"
import { buy, pay } from "../../../../tests/fixtures/purchase"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { NOON, openTestShop, pricing, type TestShop } from "../../../../tests/fixtures/test-shop"
import { FRENCH } from "../../../../tests/fixtures/vat-numbers"

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop({ tax: germanTax })
  marta = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const company = "Lumière <b>SARL</b>"

/** An order of a French company whose number the register has not answered about, from an address in Germany. */
async function ordered() {
  const check = { result: "unanswered", at: NOON, requestId: null } as const
  const business = { company, address: ["1 rue de la Paix", "75002 Paris"], taxNumber: FRENCH, check }
  const buyer = { named: "FR", located: "DE", confirmed: "FR", business }
  const { order } = await buy(shop, { pricing: { ...pricing, country: "FR", buyer } })
  await pay(shop, order)
  return order
}

const page = async (path: string) => (await marta.request({ path })).text()

test("an order of a business names company, number, answer and the country that was confirmed", async () => {
  const { id } = await ordered()
  const text = await page(`/admin/orders/${id}`)
  expect(text).toContain("Lumière &lt;b&gt;SARL&lt;/b&gt;, 1 rue de la Paix, 75002 Paris.")
  expect(text).toContain(`${FRENCH}: no answer yet, 2026-11-20`)
  expect(text).toContain(
    "The buyer named France (FR); the address is of Germany (DE). The buyer was asked, and confirmed France (FR).",
  )
})

test("a number that is confirmed later says on the order and the overview what is owed back", async () => {
  const { id } = await ordered()
  const check = { result: "valid", at: NOON, requestId: "WAPIAAAAY1" } as const
  await shop.services.billing.recordNumberCheck(id, check)
  const text = await page(`/admin/orders/${id}`)
  expect(text).toMatch(/16[.,]48.{0,12} of tax is owed back: the number was confirmed after the sale/)
  expect(text).toContain("confirmed, 2026-11-20")
  expect(text).toContain("request WAPIAAAAY1")
  const overview = await page("/admin")
  expect(overview).toContain("Tax is owed back to a business")
  expect(overview).toContain(`${FRENCH} was confirmed after the sale.`)
})
