import { expect, test } from "vitest"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { buy, pay } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { resume } from "../orders/resume-order.server"
import { autoRedirect } from "./auto-redirect.server"

const link = "/checkout/de-de?email=ana@example.test&pid=3&auto_redirect=true"

test("an auto-redirect link redirects to the gateway and stores the order in the session", async () => {
  const shop = await openTestShop()
  const met = await meet(autoRedirect, { services: shop.services, path: link, session: { id: "s1" } })
  expect(met.location).toMatch(/^https:\/\/pay\.test\//)
  const [order] = await shop.billing.operator.orders({ limit: 2 })
  expect(met.session).toMatchObject({ orderId: order?.id, choices: { plan: "3", email: "ana@example.test" } })
})

test("a browser without a session gets one first, and its repeated visits are one order", async () => {
  const shop = await openTestShop()
  const first = await meet(autoRedirect, { services: shop.services, path: link })
  expect(first.session.visitor).not.toBeNull()
  expect(await shop.billing.operator.orders({ limit: 2 })).toEqual([])
  const path = first.location ?? ""
  expect(new URL(path, "https://shop.test").searchParams.get("auto_redirect")).toBe("continue")
  for (const visited of [path, link])
    await meet(autoRedirect, { services: shop.services, path: visited, session: { id: "s1" } })
  expect(await shop.billing.operator.orders({ limit: 3 })).toHaveLength(1)
})

test("a browser without cookies orders at the second redirect", async () => {
  const shop = await openTestShop()
  const { location } = await meet(autoRedirect, { services: shop.services, path: link })
  const met = await meet(autoRedirect, { services: shop.services, path: location ?? "" })
  expect(met.location).toMatch(/^https:\/\/pay\.test\//)
})

test.each<[string, string, Record<string, string>]>([
  ["without auto_redirect=true", link.replace("auto_redirect=true", "auto_redirect=yes"), {}],
  ["without a product", link.replace("pid=3", "pid=x"), {}],
  ["for a search engine", link, { "user-agent": "Googlebot/2.1" }],
  [
    "for a browser without a screen",
    link,
    { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0" },
  ],
  ["for a prefetching browser", link, { "sec-purpose": "prefetch" }],
  ["as a picture of another site's page", link, { "sec-fetch-dest": "image" }],
  ["in a frame of another site's page", link, { "sec-fetch-dest": "iframe" }],
  ["by a script of another site", link, { "sec-fetch-dest": "empty", "sec-fetch-site": "cross-site" }],
])("%s places no order and shows the checkout", async (_, path, headers) => {
  const shop = await openTestShop()
  expect((await meet(autoRedirect, { services: shop.services, path, headers })).location).toBeNull()
  expect(await shop.billing.operator.orders({ limit: 2 })).toEqual([])
})

test.each<[string, Record<string, string>]>([
  ["a page", { "sec-fetch-dest": "document", "sec-fetch-site": "cross-site" }],
  // A worker that passes a navigation on names no destination.
  ["the shop's own service worker", { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" }],
])("%s that a person opens places the order", async (_, headers) => {
  const shop = await openTestShop()
  await meet(autoRedirect, { services: shop.services, path: link, headers, session: { id: "s1" } })
  expect(await shop.billing.operator.orders({ limit: 2 })).toHaveLength(1)
})

test("above the limit of orders a link places none and shows the checkout", async () => {
  const shop = await openTestShop()
  const [visitor, address] = ["v1", "93.184.216.34"]
  const who = { visitor, address, authenticated: false, email: null }
  while ((await shop.services.rateLimits.order(who)).ok);
  const visit = { services: shop.services, path: link, session: { id: "s1", visitor }, address }
  expect((await meet(autoRedirect, visit)).location).toBeNull()
  expect(await shop.billing.operator.orders({ limit: 2 })).toEqual([])
})

test("a flagged automatic order leads to the fraud screen and to no gateway", async () => {
  const shop = await openTestShop()
  await shop.billing.operator.block({ kind: "address", value: "192.0.2.7", reason: null, at: 0 })
  const met = await meet(autoRedirect, { services: shop.services, path: link, session: { id: "s1" } })
  expect(met.location).toBe("/checkout/de-de/creatingOrder")
  expect(shop.gateway.opened).toEqual([])
})

test("a link that is opened again after its order is paid leads to the service and to no gateway", async () => {
  const shop = await openTestShop()
  const visit = { services: shop.services, path: link }
  const { session } = await meet(autoRedirect, { ...visit, session: { id: "s1" } })
  const order = await shop.services.billing.order(session.orderId ?? "")
  if (!order) throw new Error("No order was placed")
  await pay(shop, order)
  expect((await meet(autoRedirect, { ...visit, session })).location).toBe("/checkout/de-de/success")
  expect(shop.gateway.opened).toHaveLength(1)
})

test("a return URL gives the order to the first browser that confirms it, once", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const { pathname, search } = new URL(shop.gateway.opened[0]?.returnUrl ?? "")
  const visit = { services: shop.services, path: pathname + search }
  expect((await meet(resume, { ...visit, form: {} })).session).toMatchObject({
    orderId: order.id,
    serviceIds: [order.serviceId],
  })
  expect(await meet(resume, visit)).toMatchObject({ status: 401, screen: { reason: "used-link" } })
})

test("a mail scanner that opens the return URL does not use its token up", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const { pathname, search } = new URL(shop.gateway.opened[0]?.returnUrl ?? "")
  const visit = { services: shop.services, path: pathname + search }
  await meet(resume, { ...visit, headers: { "user-agent": "Googlebot/2.1" } })
  expect((await meet(resume, { ...visit, form: {} })).session.orderId).toBe(order.id)
})
