import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { pino } from "pino"
import { afterAll, expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { OFFSHORE_SECRET } from "../../tests/fakes/offshore"
import { pageLocale } from "./locale.server"
import { routeRequest } from "./router.server"
import { startSandbox } from "./sandbox.server"
import { translationByLocale } from "./translations/translations"

const log = pino({ level: "silent" })
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  callbackSecret: OFFSHORE_SECRET,
  now: Date.now,
  log,
})
afterAll(() => sandbox.close())

const browser = (iso: string) => ({ headers: { accept: "text/html,*/*;q=0.8", "accept-language": iso } })

test.each(locales)("the sandbox's root path shows the landing page in $name", async ({ iso }) => {
  const page = await fetch(`${sandbox.origin}/`, browser(iso))
  const html = await page.text()
  expect(page.status).toBe(200)
  expect(html).toContain(`<html lang="${iso}">`)
  expect(html).toContain(translationByLocale[iso].front)
  expect(html).toContain(translationByLocale[iso].testMode)
})

test.each(locales)("an unknown sandbox path shows a 404 page in $name", async ({ iso }) => {
  const page = await fetch(`${sandbox.origin}/offshore/nothing`, browser(iso))
  const html = await page.text()
  expect(page.status).toBe(404)
  expect(html).toContain(`<html lang="${iso}">`)
  expect(html).toContain(translationByLocale[iso].nowhere)
})

test("an unknown sandbox path returns 404 as JSON to an API client", async () => {
  const response = await fetch(`${sandbox.origin}/offshore/nothing`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { code: "not_found" } })
})

test.each(locales)(
  "an exception in a sandbox route returns a 500 page in $name, and JSON to an API client",
  async ({ iso }) => {
    const respond = () => {
      throw new Error("out of order")
    }
    const server = createServer(routeRequest([{ method: "GET", path: /^\/$/, handle: respond }], log))
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const [page, result] = [await fetch(url, browser(iso)), await fetch(url)]
    expect([page.status, result.status]).toEqual([500, 500])
    expect(await page.text()).toContain(translationByLocale[iso].broken)
    expect(await result.json()).toMatchObject({ error: { code: "internal" } })
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  },
)

test.each([
  ["the shop named it", "nl-NL", "https://shop.test/checkout/de-de/waiting", "nl-nl"],
  ["the shop named a language of another region", "de-AT", "https://shop.test/checkout/", "de-de"],
  ["the buyer returns to a German page", null, "https://shop.test/checkout/de-de/waiting", "de-de"],
  ["the buyer returns to the British checkout", null, "https://shop.test/checkout/en-gb", "en-gb"],
  ["the return URL has no locale prefix", null, "https://shop.test/checkout/waiting?a=de-de", "es-es"],
  ["the return URL is another site's", null, "https://other.test/", "es-es"],
  [
    "the shop named a language that the shop does not have",
    "fr",
    "https://shop.test/checkout/de-de",
    "es-es",
  ],
  ["the shop named no language", "日本 語", "https://shop.test/checkout/de-de", "es-es"],
])(
  "pageLocale() is the payment's, that of the return URL, or the browser's: %s",
  async (_, locale, returnUrl, code) => {
    const headers = { "accept-language": "es" }
    expect((await pageLocale({ headers }, { locale, returnUrl })).code).toBe(code)
  },
)
