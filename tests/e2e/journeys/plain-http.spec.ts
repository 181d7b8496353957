import playlistParser from "iptv-playlist-parser"
import { expect } from "playwright/test"
import { accessOn, chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const buyers = [
  { who: "in English", prefix: "", acceptLanguage: "en", language: "en" },
  {
    who: "in German by Accept-Language",
    prefix: "",
    acceptLanguage: "de",
    language: "de-DE",
  },
  { who: "in German by URL", prefix: "/de-de", acceptLanguage: "en", language: "de-DE" },
]

for (const { who, prefix, acceptLanguage, language } of buyers) {
  test(`a client without JavaScript buys a plan by links, forms and redirects: ${who}`, async () => {
    const browser = new Browser({
      "user-agent": "Lynx/2.9.0 libwww-FM/2.14",
      "accept-language": acceptLanguage,
    })
    const review = await chooseAndPay(browser, { shop, prefix })
    expect(review.url.pathname).toMatch(/\/creatingOrder$/)
    expect(review.language).toBe(language)

    const gateway = await goToGateway(review)
    expect(gateway.url.origin).toBe(shop.sandboxUrl)
    expect(gateway.language).toBe(language)

    const accessPage = await waitForAccess(await payAt(gateway))
    // A page that is read while the service is set up has its access and looks once more.
    const success = accessPage.refresh ? await accessPage.followRefresh() : accessPage
    expect(success.status).toBe(200)
    expect(success.language).toBe(language)
    expect(success.refresh).toBeNull()
    const access = accessOn(success)
    expect(access?.host).toBe("https://tv.example.com")

    const playlist = await success.follow(/playlist\.m3u8\?line=[\w-]+$/)
    expect(playlist.headers.get("content-type")).toContain("audio/x-mpegurl")
    const { items } = playlistParser.parse(playlist.body)
    expect(items.length).toBeGreaterThan(2)
    for (const { name, url } of items) {
      expect(name).not.toBe("")
      expect(url).toContain(`/live/${access?.username}/${access?.password}/`)
    }
  })
}

test("a buyer who abandons the payment finds the link to it on the waiting page", async () => {
  const browser = new Browser()
  const gateway = await goToGateway(await chooseAndPay(browser, { shop }))
  const waiting = await payAt(gateway, "abandoned")
  expect(waiting.url.pathname).toBe("/checkout/waiting")
  expect(waiting.refresh?.url.pathname).toBe("/checkout/waiting")

  const again = await waiting.follow(new RegExp(`^${shop.sandboxUrl}`))
  expect(again.url.href).toBe(gateway.url.href)
  const success = await waitForAccess(await payAt(again, "paid-unreported"))
  expect(success.url.pathname).toBe("/checkout/success")
})

test("credentials and playlist are available only with the session cookie of the purchase", async () => {
  const success = await waitForAccess(
    await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop }))),
  )
  const otherClient = new Browser()
  expect(accessOn(await otherClient.visit(success.url))).toBeNull()
  expect((await otherClient.visit(`${success.url}/playlist.m3u8`)).text).not.toContain("#EXTM3U")
  expect((await fetch(`${success.url}/playlist.m3u8`)).status).toBe(404)
  expect(success.headers.get("cache-control")).toContain("no-store")
})
