import { RouterContextProvider } from "react-router"
import { afterAll, beforeAll, expect, test } from "vitest"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { knownPrefix } from "./known-prefix.server"
import { locale } from "./locale.server"
import { pathLocale } from "./path-locale.server"

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.billing.close())

const page = () => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } })
const german = { "accept-language": "de-AT,de;q=0.9,en;q=0.5" }

test("redirects a first visit to the browser's language and keeps the query", async () => {
  const { response } = await visit("/checkout/?promocode=WELCOME10&aff_id=7", { headers: german })
  expect(response.status).toBe(302)
  expect(response.headers.get("location")).toBe("/checkout/de-de?promocode=WELCOME10&aff_id=7")
  expect(response.headers.get("vary")).toBe("accept-language, cookie")
})

test.each([
  ["de-CH", "/checkout/de-de"],
  ["de-AT,en;q=0.9", "/checkout/de-de"],
  ["pt-BR,pt;q=0.9,en-US;q=0.8", "/checkout/pt-pt"],
  ["es-MX", "/checkout/es-es"],
  ["nl-BE,fr;q=0.8", "/checkout/nl-nl"],
  ["en-GB,en;q=0.9", "/checkout/en-gb"],
  ["en-IE", "/checkout/en-gb"],
  ["fr-FR,es;q=0.4,de;q=0.8", "/checkout/de-de"],
])("a browser that prefers %s gets %s", async (preference, path) => {
  const { response } = await visit("/checkout/", { headers: { "accept-language": preference } })
  expect(response.headers.get("location")).toBe(path)
})

test.each([
  ["prefers English", "/checkout/", { headers: { "accept-language": "en-US,en;q=0.9,de;q=0.5" } }],
  ["prefers an unsupported language", "/checkout/", { headers: { "accept-language": "fr,ja" } }],
  ["sends an invalid Accept-Language", "/checkout/", { headers: { "accept-language": ";;;q=,,*" } }],
  ["has chosen English before", "/checkout/", { headers: { ...german, cookie: "browserLang=en-en" } }],
  ["is a search engine", "/checkout/", { headers: { ...german, "user-agent": "Googlebot/2.1" } }],
  ["sends a form", "/checkout/", { headers: german, method: "POST" }],
  ["fetches a subresource", "/checkout/", { headers: { ...german, "sec-fetch-dest": "manifest" } }],
  ["uses a URL with a locale prefix", "/checkout/nl-nl/", { headers: german }],
])("does not redirect a visitor who %s", async (_, path, init) => {
  const { response } = await visit(path, init)
  expect(response.status).toBe(200)
})

test("redirects a visit without a prefix to the chosen language and keeps the query", async () => {
  const { response } = await visit("/checkout/?promocode=WELCOME10", {
    headers: { cookie: "browserLang=de-de" },
  })
  expect(response.status).toBe(302)
  expect(response.headers.get("location")).toBe("/checkout/de-de?promocode=WELCOME10")
  expect(response.headers.get("vary")).toBe("cookie")
  expect(response.headers.get("set-cookie")).toBeNull()
})

test.each([
  ["sends a HEAD request", { method: "HEAD" }],
  ["sends a form", { method: "POST" }],
  ["is a search engine", { headers: { "user-agent": "Googlebot/2.1" } }],
])(
  "does not redirect a visitor with a chosen language who %s",
  async (_, { headers, ...init }: RequestInit) => {
    const { response } = await visit("/checkout/", {
      ...init,
      headers: { cookie: "browserLang=de-de", ...headers },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get("set-cookie")).toBeNull()
  },
)

test("shows a link with a prefix in its language without changing the choice", async () => {
  for (const cookie of ["", "browserLang=de-de"]) {
    const { response, shown } = await visit("/checkout/pt-pt/waiting", { headers: { cookie } })
    expect(shown.code).toBe("pt-pt")
    expect(response.status).toBe(200)
    expect(response.headers.get("set-cookie")).toBeNull()
  }
})

test("remembers English for a browser whose first page is English", async () => {
  const { response } = await visit("/checkout/", {})
  expect(response.headers.get("set-cookie")).toMatch(/^browserLang=en-en; Max-Age=31536000; Path=\/checkout/)
})

test.each([
  ["German on the first page", "/checkout/?lang=de-DE&utm=a", "/checkout/de-de?utm=a", "de-de"],
  ["English on a German page", "/checkout/de-de/waiting?lang=en", "/checkout/waiting", "en-en"],
  ["Dutch on a page in Spanish", "/checkout/es-es/?lang=nl-NL", "/checkout/nl-nl", "nl-nl"],
])("%s chosen in the menu is stored for 365 days and removed from the URL", async (_, path, to, code) => {
  const { response } = await visit(path, { headers: { ...german, cookie: "browserLang=es-es" } })
  expect(response.status).toBe(302)
  expect(response.headers.get("location")).toBe(to)
  expect(response.headers.get("set-cookie")).toMatch(
    new RegExp(`^browserLang=${code}; Max-Age=31536000; Path=/checkout; HttpOnly`),
  )
})

test("ignores an unknown language in the menu's parameter", async () => {
  const { response } = await visit("/checkout/?lang=fr-FR", {
    headers: { cookie: "browserLang=en-en" },
  })
  expect(response.status).toBe(200)
})

test.each([
  ["without a preference", {}],
  ["of a bot", { headers: { ...german, "user-agent": "Googlebot/2.1" } }],
  ["of a form", { headers: german, method: "POST" }],
])("a visit %s to an unknown prefix gets 404", async (_, init) => {
  await expect(visit("/checkout/fr-fr/", init)).rejects.toMatchObject({ init: { status: 404 } })
})

test.each([
  ["of the browser", { headers: german }, "/checkout/de-de/sucess?order=1"],
  [
    "chosen before",
    { headers: { ...german, cookie: "browserLang=nl-nl" } },
    "/checkout/nl-nl/sucess?order=1",
  ],
])("a mistyped address leads to the not-found page in the language %s", async (_, init, path) => {
  const { response } = await visit("/checkout/sucess?order=1", init)
  expect([response.status, response.headers.get("location")]).toEqual([302, path])
})

async function visit(path: string, init: RequestInit) {
  const url = new URL(path, "https://shop.test")
  const request = new Request(url, init)
  const context = new RouterContextProvider()
  context.set(servicesContext, shop.services)
  const prefix = url.pathname.split("/")[2]
  const params = !prefix ? {} : { locale: prefix }
  const visited = { request, url, params, context, pattern: "/:locale?" }
  await pathLocale(visited, async () => page())
  const shownPage = async () => (await knownPrefix(visited, async () => page())) ?? page()
  const response = await Promise.resolve(locale(visited, shownPage)).catch((thrown: unknown) => {
    if (thrown instanceof Response) return thrown
    throw thrown
  })
  return { response: response as Response, shown: context.get(localeContext) }
}
