import { afterEach, beforeEach, expect, test } from "vitest"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import type { Order } from "~/domain/orders/order"
import { openMirrorUnderTest } from "../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../tests/fakes/whmcs-simulator/start"
import { enrolled } from "../../../tests/fixtures/console"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { settingsFor } from "../../../tests/fixtures/whmcs-shop"

let shop: TestShop
let whmcs: Whmcs
beforeEach(async () => {
  shop = await openTestShop({
    openBilling: async (now) => {
      whmcs = await startWhmcs({ now, autosetup: "", fieldNames: [] })
      return openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)), { now })
    },
  })
})
afterEach(async () => {
  await shop.billing.close()
  await whmcs.close()
})

/** What a page of the order's browser is rendered from. */
async function shown(path: string, order: Order, services = shop.services): Promise<string> {
  const { id: orderId, serviceId } = order
  const session = { orderId, serviceIds: [serviceId], sealedAt: shop.services.now() }
  const response = await respond(services, { path: `${path}.data`, session })
  return (await response.text()).replaceAll("\u00a0", " ")
}

test("a purchase has the tax of its WHMCS invoice while it waits, on its receipt and in the console", async () => {
  whmcs.quirks.tax = { rates: [19, 0], type: "Inclusive" }
  const { order: open } = await buy(shop)
  expect(await shown("/de-de/waiting", open)).toContain("inkl. 19 % MwSt. 15,79 €")
  const order = await buyPlan(shop)
  expect(order.id).toBe(open.id)
  expect(await shown("/de-de/success", order)).toContain("inkl. 19 % MwSt. 15,79 €")
  const marta = await enrolled(shop, "owner")
  const page = await (await marta.request({ path: `/admin/orders/${order.id}` })).text()
  expect(page).toContain("€15.79 (19 %, by the billing system)")
})

test("a purchase whose WHMCS invoice states no tax has the operator's sentence, as before", async () => {
  const { services } = shop
  const legal = { ...services.shop.legal, tax: { "de-de": "Alle Preise inklusive." } }
  const { order } = await buy(shop)
  expect(order.externalTax).toBeUndefined()
  const page = await shown("/de-de/waiting", order, { ...services, shop: { ...services.shop, legal } })
  expect(page).toContain("Alle Preise inklusive.")
  expect(page).not.toContain("MwSt.")
})
