import { afterEach, beforeEach, expect, test } from "vitest"
import type { Service } from "~/domain/services/service"
import { startTrial } from "~/flows/checkout/start-trial.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { openResellerAccount } from "../../../tests/fixtures/reseller-account"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, pricing, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

async function tryPlan(): Promise<string> {
  const { products, ...rest } = await shop.billing.operator.exportCatalogue()
  const tried = products.map((it) => (it.id === "1" ? { ...it, trialHours: 24 } : it))
  await shop.billing.operator.importCatalogue({ ...rest, products: tried })
  const start = await startTrial(shop.services, {
    planId: "1",
    email: "ben@example.test",
    key: "trial",
    customer: null,
    pricing,
    locale: "en-en",
    address: "5.9.1.1",
    browser: "browser",
    affiliateId: null,
  })
  if (start.kind !== "started") throw new Error(start.reason)
  await runJobs(shop.services)
  return start.order.serviceId
}

test.each([
  ["", ["Until 20 November 2027", "Free trial until Sat, 21 Nov 2026, 12:00 UTC"]],
  ["/de-de", ["Bis 20. November 2027", "Kostenlos bis Sa., 21. Nov. 2026, 12:00 UTC"]],
])("the list of several services calls a free trial one, in the language of %s/", async (prefix, ends) => {
  const { serviceId } = await buyPlan(shop)
  const session = {
    serviceIds: [serviceId, await tryPlan()],
    serviceId,
    sealedAt: shop.services.now(),
  }
  const page = await (await respond(shop.services, { path: `${prefix}/success.data`, session })).text()
  const said = page.replace(/\s/g, " ")
  expect(ends.filter((end) => !said.includes(end))).toEqual([])
})

test("the checkout offers the free trial to who is new, and not to who is trying a plan", async () => {
  const serviceId = await tryPlan()
  const checkoutOf = async (session: object) =>
    (await respond(shop.services, { path: "/_root.data", session })).text()
  expect(await checkoutOf({})).toContain("Try it free for 24")
  expect(await checkoutOf({ serviceIds: [serviceId], sealedAt: shop.services.now() })).not.toContain(
    "Try it free",
  )
})

test("the list of services says by the customer's notes whose each one is, in one short line", async () => {
  const dora = await openResellerAccount(shop, "dora@example.test")
  const line = await dora.line("Leo\nsecond house")
  const long = await dora.line("Grandmother".padEnd(60, " and so on"))
  const pageOf = async ({ id: serviceId }: Service) =>
    (await respond(shop.services, { path: "/success.data", session: { ...dora.session, serviceId } })).text()
  expect(await pageOf(line)).toContain(`"Leo · ${line.username}"`)
  const page = await pageOf(long)
  expect(page).toContain(`"Grandmother and so on and so on and so o… · ${long.username}"`)
  expect(page).toContain(`"${dora.service.username}"`)
})
