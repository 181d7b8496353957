import { afterEach, beforeEach, expect, test } from "vitest"
import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { emptySession } from "~/context/session.server"
import type { Order } from "~/domain/orders/order"
import { startTrial } from "~/flows/checkout/start-trial.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTemporaryDatabase } from "../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { catalogue, openTestShop, pricing, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let close: () => Promise<void>
beforeEach(async () => {
  const database = await openTemporaryDatabase("SQLite")
  const { products, promotions } = await catalogue()
  const ctx = { db: database.db, newId: database.newId, terms: termPolicy }
  await importCatalogue(ctx, {
    products: products.map((it) => (it.kind === "plan" && it.id === "1" ? { ...it, trialHours: 24 } : it)),
    promotions,
  })
  shop = await openTestShop({ openBilling: async () => createEmbeddedBilling(ctx) })
  close = database.close
})
afterEach(() => close())

async function pageOf({ id: orderId, serviceId }: Order): Promise<string> {
  const session = {
    ...emptySession,
    id: "s1",
    sealedAt: shop.services.now(),
    orderId,
    serviceIds: [serviceId],
  }
  return (await respond(shop.services, { path: "/success.data", session })).text()
}

test("the page of a service that cost nothing does not say that a payment has been received", async () => {
  const start = await startTrial(shop.services, {
    planId: "1",
    email: "ana@example.test",
    key: "trial",
    customer: null,
    pricing,
    locale: "en-en",
    address: "5.9.1.1",
    browser: "browser",
    affiliateId: null,
  })
  if (start.kind !== "started") throw new Error(start.reason)
  const page = await pageOf(start.order)
  expect(page).toContain(enEn.place.settingUp)
  expect(page).not.toContain('"paid"')
})

test("the page of a service that was paid does", async () => {
  const page = await pageOf(await buyPlan(shop))
  expect(page).not.toContain(enEn.place.settingUp)
  expect(page).toContain('"paid"')
})
