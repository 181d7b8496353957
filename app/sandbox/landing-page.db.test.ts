import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { pino } from "pino"
import { afterAll, expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { OFFSHORE_SECRET } from "../../tests/fakes/offshore"
import { languageOf } from "./language.server"
import { routeRequest } from "./router.server"
import { startSandbox } from "./sandbox.server"
import { translationByLanguage } from "./translations/translations"

const log = pino({ level: "silent" })
const sandbox = await startSandbox({
  ...{ port: 0, host: "127.0.0.1", file: ":memory:", callbackSecret: OFFSHORE_SECRET, now: Date.now, log },
})
afterAll(() => sandbox.close())

const browser = (iso: string) => ({ headers: { accept: "text/html,*/*;q=0.8", "accept-language": iso } })

test.each(locales)("who opens the provider by itself reads in $name what it is", async ({ iso }) => {
  const page = await fetch(`${sandbox.origin}/`, browser(iso))
  const html = await page.text()
  expect(page.status).toBe(200)
  expect(html).toContain(`<html lang="${iso}">`)
  expect(html).toContain(translationByLanguage[iso].front)
  expect(html).toContain(translationByLanguage[iso].testMode)
})

test.each(locales)("an address without anything says so in $name", async ({ iso }) => {
  const page = await fetch(`${sandbox.origin}/offshore/nothing`, browser(iso))
  const html = await page.text()
  expect(page.status).toBe(404)
  expect(html).toContain(`<html lang="${iso}">`)
  expect(html).toContain(translationByLanguage[iso].nowhere)
})

test("a shop's program is told in JSON that there is nothing", async () => {
  const response = await fetch(`${sandbox.origin}/offshore/nothing`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { code: "not_found" } })
})

test.each(locales)("a page that fails says so in $name, and a program reads JSON", async ({ iso }) => {
  const answer = () => {
    throw new Error("out of order")
  }
  const server = createServer(routeRequest([{ method: "GET", path: /^\/$/, answer }], log))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const [page, result] = [await fetch(url, browser(iso)), await fetch(url)]
  expect([page.status, result.status]).toEqual([500, 500])
  expect(await page.text()).toContain(translationByLanguage[iso].broken)
  expect(await result.json()).toMatchObject({ error: { code: "internal" } })
  await new Promise<void>((resolve) => void server.close(() => resolve()))
})

test.each([
  ["the shop named it", "nl-NL", "https://shop.test/checkout/de-de/waiting", "nl-NL"],
  ["the buyer returns to a German page", null, "https://shop.test/checkout/de-de/waiting", "de-DE"],
  ["the buyer returns to the British checkout", null, "https://shop.test/checkout/en-gb", "en-GB"],
  ["the way back says nothing", null, "https://shop.test/checkout/waiting?a=de-de", null],
  ["the shop is another one", null, "https://other.test/", null],
])("a payment's language is known when %s, or the browser decides", (_, locale, returnUrl, iso) => {
  expect(languageOf({ locale, returnUrl })).toBe(iso)
})
