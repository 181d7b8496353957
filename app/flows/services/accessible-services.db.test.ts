import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { browserWith, buy, buyPlan } from "../../../tests/fixtures/purchase"
import { choice, openTestShop } from "../../../tests/fixtures/test-shop"
import { accessibleService, accessibleServices, ownsService } from "./accessible-services.server"
import { playlistOf, serviceOfKey, showAccess } from "./show-access.server"

test("a browser has access to the services it bought", async () => {
  const shop = await openTestShop()
  const order = await buyPlan(shop)
  expect((await accessibleServices(shop.services, browserWith(order))).map(({ id }) => id)).toEqual([
    order.serviceId,
  ])
})

test("an unpaid order gives no access to its service", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  expect(await accessibleServices(shop.services, browserWith(order))).toEqual([])
  expect(await showAccess(shop.services, browserWith(order))).toBeNull()
})

test("a service that was ended after its payment is shown to the browser that bought it, and nothing is in progress", async () => {
  const shop = await openTestShop()
  const order = await buyPlan(shop)
  await shop.services.billing.markTerminated(order.serviceId, shop.services.now())
  expect(await showAccess(shop.services, browserWith(order))).toMatchObject({
    service: { status: "Cancelled" },
    ready: false,
    unsettled: false,
  })
})

test("entering a customer's e-mail gives no access to their services", async () => {
  const shop = await openTestShop()
  await buyPlan(shop)
  const { order } = await buy(shop, { key: "draft-2" })
  expect(await accessibleServices(shop.services, browserWith(order))).toEqual([])
})

test("an authenticated customer has access to every service of the account", async () => {
  const shop = await openTestShop()
  const first = await buyPlan(shop)
  const second = await buyPlan(shop, { key: "draft-2" })
  const himself = browserWith(null, { id: first.customerId, reach: "account" })
  const ids = (await accessibleServices(shop.services, himself)).map(({ id }) => id)
  expect(ids.toSorted()).toEqual([first.serviceId, second.serviceId].toSorted())
})

test("another customer's service looks like a missing one", async () => {
  const shop = await openTestShop()
  const mine = await buyPlan(shop)
  const own = await buyPlan(shop, { key: "draft-2", choices: { ...choice, email: "ben@example.test" } })
  for (const visitor of [browserWith(mine), browserWith(null, { id: mine.customerId, reach: "account" })]) {
    expect(await accessibleService(shop.services, visitor, own.serviceId)).toBeNull()
    expect(await accessibleService(shop.services, visitor, "no-such-service")).toBeNull()
    const shown = await showAccess(shop.services, { ...visitor, serviceId: own.serviceId })
    expect(shown?.service.id).toBe(mine.serviceId)
  }
})

test("the header links to services that were paid for, and to those of a signed-in customer", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const bought = await buyPlan(shop, { key: "draft-2" })
  expect(await ownsService(shop.services, browserWith(null))).toBe(false)
  expect(await ownsService(shop.services, browserWith(order))).toBe(false)
  expect(await ownsService(shop.services, browserWith(bought))).toBe(true)
  const customer = { id: bought.customerId, reach: "account" } as const
  expect(await ownsService(shop.services, browserWith(null, customer))).toBe(true)
})

test("the header does not link to services of a signed-in customer whose only order is unpaid", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const customer = { id: order.customerId, reach: "account" } as const
  expect(await ownsService(shop.services, browserWith(order, customer))).toBe(false)
})

test("a page is shown without the link to services while they cannot be read", async () => {
  const shop = await openTestShop()
  const bought = await buyPlan(shop)
  const service = async () => Promise.reject(new BillingError("unavailable", "no database"))
  const services = { ...shop.services, billing: { ...shop.services.billing, service } }
  expect(await ownsService(services, browserWith(bought))).toBe(false)
})

test("the playlist is served for its exact URL only", async () => {
  const shop = await openTestShop()
  const order = await buyPlan(shop)
  const access = await showAccess(shop.services, browserWith(order))
  const address = new URL(access?.playlistAddress ?? "")
  const [line = "", key = ""] = ["line", "key"].map((name) => address.searchParams.get(name) ?? "")
  const playlist = await playlistOf(shop.services, await serviceOfKey(shop.services, { line, key }))
  expect(playlist && (await text(playlist))).toContain("#EXTM3U")
  expect(await serviceOfKey(shop.services, { line, key: `${key}x` })).toBeNull()
  expect(await serviceOfKey(shop.services, { line: "other", key })).toBeNull()
})

test.each([
  ["Pending", true],
  ["Active", false],
  ["Suspended", false],
  ["Terminated", false],
] as const)("the page of a service that is %s reloads itself: %s", async (status, reloads) => {
  const shop = await openTestShop()
  const order = await buyPlan(shop)
  const { billing } = shop.services
  const service = async (id: string) => {
    const found = await billing.service(id)
    return found && { ...found, status }
  }
  const services = { ...shop.services, billing: { ...billing, service } }
  expect((await showAccess(services, browserWith(order)))?.unsettled).toBe(reloads)
})

test("the page of a plan that was set up while its paid order was being read waits for nothing more", async () => {
  const shop = await openTestShop()
  const bought = await buyPlan(shop)
  const order = async () => ({ ...bought, status: "paid" }) as const
  const services = { ...shop.services, billing: { ...shop.services.billing, order } }
  const visitor = browserWith(bought)
  expect(await showAccess(services, visitor)).toMatchObject({ ready: true, unsettled: false })
  const connections = async () => ({ ...bought, status: "paid", kind: "upsell" }) as const
  services.billing = { ...services.billing, order: connections }
  expect(await showAccess(services, visitor)).toMatchObject({ ready: true, unsettled: true })
})
