import { expect, test } from "vitest"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { affiliateClick } from "./affiliate-click.server"

const link = "/checkout/de-de?aff_id=7&pid=1"
const BROWSER_AGENT =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1"
const phone = { "user-agent": BROWSER_AGENT, referer: "https://blog.test/tv?reader=ana" }

test("records a click and stores its cookie for 90 days", async () => {
  const shop = await openTestShop()
  const { cookies, affiliate } = await click(shop)
  expect(cookies).toEqual([expect.stringMatching(/^aff_id=7; Max-Age=7776000; Path=\/checkout; HttpOnly/)])
  expect(affiliate).toBe("7")
  expect(await shop.billing.operator.affiliates()).toMatchObject([{ id: "7", clicks: 1, orders: 0 }])
})

test("counts a visitor once a day for each affiliate", async () => {
  const shop = await openTestShop()
  await click(shop)
  await click(shop)
  await click(shop, "/checkout/de-de?aff_id=8")
  await meet(affiliateClick, { services: shop.services, path: link, headers: phone, address: "192.0.2.8" })
  shop.wait(24 * 3_600_000)
  await click(shop)
  expect(await shop.billing.operator.affiliates()).toMatchObject([
    { id: "7", clicks: 3 },
    { id: "8", clicks: 1 },
  ])
})

test("a click above the limit of an address is not counted, and its visitor's orders are the affiliate's all the same", async () => {
  const shop = await openTestShop()
  const address = "93.184.216.34"
  while ((await shop.services.rateLimits.click(address)).ok);
  const met = await meet(affiliateClick, { services: shop.services, path: link, headers: phone, address })
  expect(met).toMatchObject({ affiliate: "7", cookies: [expect.stringMatching(/^aff_id=7;/)] })
  expect(await shop.billing.operator.affiliates()).toEqual([])
})

test("a link of another affiliate replaces the one before", async () => {
  const { services } = await openTestShop()
  const visit = { services, path: link, headers: { ...phone, cookie: "aff_id=8" } }
  expect(await meet(affiliateClick, visit)).toMatchObject({
    affiliate: "7",
    cookies: [expect.stringMatching(/^aff_id=7;/)],
  })
})

test.each([
  ["https://shop.test", true],
  ["http://shop.test", false],
])("the browser of a shop at %s sends the affiliate over TLS alone: %s", async (publicUrl, isSecure) => {
  const { services } = await openTestShop()
  const at = { ...services, shop: { ...services.shop, publicUrl } }
  const { cookies } = await meet(affiliateClick, { services: at, path: link, headers: phone })
  expect(cookies.map((it) => /; Secure/.test(it))).toEqual([isSecure])
})

test("reads the affiliate from the cookie on later visits", async () => {
  const { services } = await openTestShop()
  const visit = { services, path: "/checkout/de-de", headers: { cookie: "aff_id=7" } }
  expect(await meet(affiliateClick, visit)).toMatchObject({ affiliate: "7", cookies: [] })
})

test.each([
  ["an affiliate id that is not a number", "/checkout/de-de?aff_id=me", {}],
  ["an unsigned cookie", "/checkout/de-de", { cookie: "aff_id=me" }],
])("%s names no affiliate", async (_, path, headers) => {
  const shop = await openTestShop()
  const met = await meet(affiliateClick, { services: shop.services, path, headers })
  expect(met).toMatchObject({ affiliate: null, cookies: [] })
  expect(await shop.billing.operator.affiliates()).toEqual([])
})

test.each([
  ["a search engine", { "user-agent": "Googlebot/2.1" }],
  ["a prefetching browser", { ...phone, "sec-purpose": "prefetch;prerender" }],
  ["a picture of another site's page", { ...phone, "sec-fetch-dest": "image" }],
])("does not count a click by %s", async (_, headers) => {
  const shop = await openTestShop()
  await meet(affiliateClick, { services: shop.services, path: link, headers })
  expect(await shop.billing.operator.affiliates()).toEqual([])
})

function click({ services }: TestShop, path = link) {
  return meet(affiliateClick, { services, path, headers: phone })
}
