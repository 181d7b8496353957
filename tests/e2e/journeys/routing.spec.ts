import { expect } from "playwright/test"
import { locales } from "~/domain/locales"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { enGb } from "~/i18n/translations/en-gb"
import { esEs } from "~/i18n/translations/es-es"
import { nlNl } from "~/i18n/translations/nl-nl"
import { ptPt } from "~/i18n/translations/pt-pt"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const translationByLocale = {
  "en-en": enEn,
  "en-gb": enGb,
  "es-es": esEs,
  "pt-pt": ptPt,
  "de-de": deDe,
  "nl-nl": nlNl,
}

/**
 * URLs of the specification, and the screen that each shows to a visitor without an order. The service page requires
 * signing in.
 */
const screens = {
  "/": "/",
  "/creatingOrder": "/",
  "/waiting": "/",
  "/success": "/success",
  "/resellers": "/resellers",
  "/upsell": "/resellers",
  "/resellers/waiting": "/resellers",
  "/resellers/success": "/resellers",
} as const

for (const { code, iso, name, prefix } of locales) {
  const at = (path: string) => `/checkout${prefix}${path === "/" && prefix ? "" : path}`

  for (const [path, leadsTo] of Object.entries(screens)) {
    test(`${at(path)} is answered in ${name}`, async () => {
      const page = await new Browser().visit(shop.url + at(path))
      expect(page.status).toBe(leadsTo === "/success" ? 401 : 200)
      expect(page.language).toBe(iso)
      expect(page.url.pathname.replace(/\/$/, "")).toBe(at(leadsTo).replace(/\/$/, ""))
      const { checkout, resellers, signIn } = translationByLocale[code]
      const headings = {
        "/": checkout.heading,
        "/success": signIn.lead.needed,
        "/resellers": resellers.heading,
      }
      expect(page.text).toContain(headings[leadsTo])
    })
  }

  test(`an unknown URL gets a 404 page in ${name} with a link to the checkout`, async () => {
    for (const path of ["/nothing", "/success/nothing", "/resellers/success/more", "/api"]) {
      const page = await new Browser().visit(shop.url + at(path))
      expect(page.status).toBe(404)
      expect(page.language).toBe(iso)
      expect(page.text).toContain(translationByLocale[code].error["not-found"])
      expect(page.text).toContain(translationByLocale[code].error.lead["not-found"])
      const home = await page.follow(translationByLocale[code].error.home)
      expect(home.status).toBe(200)
      expect(home.language).toBe(iso)
      expect(home.text).toContain(translationByLocale[code].checkout.heading)
    }
  })
}

const withoutOwner = [
  "/documents/2026-0001",
  "/documents/proforma/none",
  "/resellers/statement.csv",
  "/resellers/lines.csv",
  "/api/nothing",
  "/api/order-status",
]
for (const path of withoutOwner) {
  test(`a browser that opens ${path} without right to it reads a page, and a program gets no body`, async () => {
    const page = await new Browser().visit(`${shop.url}/checkout${path}`)
    expect([page.status, page.text]).toEqual([404, expect.stringContaining(enEn.error["not-found"])])
    expect((await page.follow(enEn.error.home)).status).toBe(200)
    const program = await fetch(`${shop.url}/checkout${path}`, { headers: { accept: "application/json" } })
    expect([program.status, await program.text()]).toEqual([404, ""])
  })
}

for (const path of ["/fr-fr", "/fr-fr/waiting", "/FR-fr", "/en-en", "/de", "/%00"]) {
  test(`/checkout${path} has an unknown locale and gets 404`, async () => {
    const page = await new Browser().visit(`${shop.url}/checkout${path}`)
    expect(page.status).toBe(404)
    expect(page.text).toContain(enEn.error["not-found"])
    expect((await page.follow(enEn.error.home)).status).toBe(200)
  })
}

test("a form sent to an unknown URL gets 404", async () => {
  const page = await new Browser().post(`${shop.url}/checkout/nothing`, { body: new URLSearchParams() })
  expect(page.status).toBe(404)
  expect(page.text).toContain(enEn.error["not-found"])
})

for (const path of ["/", "/checkout"]) {
  test(`${path} redirects permanently (301) to /checkout/`, async () => {
    const response = await fetch(shop.url + path, { redirect: "manual" })
    expect(response.status).toBe(301)
    expect(response.headers.get("location")).toBe("/checkout/")
  })
}

test("a first visit is redirected to the browser's language and keeps its query", async () => {
  const browser = new Browser({
    "user-agent": "Lynx/2.9.0 libwww-FM/2.14",
    "accept-language": "fr, nl;q=0.8",
  })
  const page = await browser.visit(`${shop.url}/checkout/resellers?utm=mail`)
  expect(page.url.href).toBe(`${shop.url}/checkout/nl-nl/resellers?utm=mail`)
  expect(page.language).toBe("nl-NL")
})
