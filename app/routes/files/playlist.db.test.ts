import { describe, expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { showAccess } from "~/flows/services/show-access.server"
import { deDe } from "~/i18n/screen-texts/de-de"
import { browserWith, buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop } from "../../../tests/fixtures/test-shop"

test.each([
  [
    "no session, in the browser's language",
    "/success/playlist.m3u8",
    "de",
    "Melden Sie sich an",
    "/de-de/success",
  ],
  [
    "no session, in the language of its address",
    "/es-es/success/playlist.m3u8",
    "de",
    "Inicia sesión",
    "/es-es/success",
  ],
  ["a key that is unknown", "/success/playlist.m3u8?line=s1&key=k", "", "Sign in", "/success"],
])("who asks for a playlist with %s reads where to get it", async (_, path, language, words, page) => {
  const shop = await openTestShop()
  const response = await respond(shop.services, { path, headers: { "accept-language": language } })
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"])
  const text = await response.text()
  expect(text).toContain(words)
  expect(text).toContain(`https://shop.test/checkout${page}?signin\n`)
  await shop.billing.close()
})

describe("who opens a playlist address in a browser that is not valid any more", () => {
  const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
  const former = { path: "/de-de/success/playlist.m3u8?line=s1&key=former", headers: { accept } }
  const page = "/de-de/success?old-playlist"

  test("is led to the sign-in, which says so", async () => {
    const shop = await openTestShop()
    const led = await respond(shop.services, former)
    expect([led.status, led.headers.get("location")]).toEqual([303, `/checkout${page}`])
    const asked = await respond(shop.services, { path: page.replace("?", ".data?") })
    expect([asked.status, await asked.text()]).toEqual([401, expect.stringContaining('"old-playlist"')])
    await shop.billing.close()
  })

  test("reads so on the page of the service where the browser has it, which has the current address", async () => {
    const shop = await openTestShop()
    const { serviceId } = await buyPlan(shop)
    const session = { serviceIds: [serviceId], sealedAt: shop.services.now() }
    const look = async (path: string) => (await respond(shop.services, { path, session })).text()
    const text = deDe.oldPlaylist.replace("{{place}}", deDe.place.qr)
    expect(await look(page.replace("?", ".data?"))).toContain(text)
    expect(await look("/de-de/success.data")).not.toContain(text)
    await shop.billing.close()
  })
})

test.each(locales.map(({ code }) => code))(
  "a player that fetches the playlist of a suspended service gets a message, in %s",
  async (locale) => {
    const shop = await openTestShop()
    const order = await buyPlan(shop, { locale })
    const visitor = { ...browserWith(order), serviceId: null }
    const address = (await showAccess(shop.services, visitor))?.playlistAddress ?? ""
    const path = address.slice(address.indexOf("/checkout") + "/checkout".length)
    const fetched = async () => (await respond(shop.services, { path })).text()
    expect(await fetched()).toBe("#EXTM3U\n")
    const cause = { owner: "non-payment", reason: null, at: shop.services.now() } as const
    await shop.billing.operator.suspendService(order.serviceId, cause)
    const [head, title, url] = (await fetched()).split("\n")
    expect(head).toBe("#EXTM3U")
    const words = { es: "en pausa", pt: "em pausa", de: "pausiert", nl: "gepauzeerd", en: "paused" }
    expect(title).toMatch(
      new RegExp(`^#EXTINF:-1,\\S.*: ${words[locale.slice(0, 2) as keyof typeof words]}$`),
    )
    expect(url).toMatch(new RegExp(`^https://shop\\.test/checkout/.*serviceid=${order.serviceId}$`))
    await shop.billing.operator.terminateService(order.serviceId, cause)
    expect((await respond(shop.services, { path })).status).toBe(404)
    await shop.billing.close()
  },
)
