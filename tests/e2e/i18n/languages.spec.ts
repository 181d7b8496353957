import { expect } from "playwright/test"
import { locales } from "~/domain/locales"
import { loadCatalogue } from "~/i18n/i18n"
import { chooseAndPay, goToGateway, payAt } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import type { HtmlPage } from "../../support/html/html-page"
import { attribute, elements, readHtml, textOf } from "../../support/html/html-tree"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const at = (prefix: string, path: string) => `/checkout${prefix}${path === "/" && prefix ? "" : path}`

for (const path of ["/", "/resellers"]) {
  test(`${path} has hreflang alternates for every language and x-default`, async () => {
    const wanted = [
      ...locales.map(({ iso, prefix }) => [iso, shop.url + at(prefix, path)]),
      ["x-default", shop.url + at("", path)],
    ]
    for (const { code, iso, prefix } of locales) {
      const page = await new Browser().visit(shop.url + at(prefix, path))
      expect(page.status).toBe(200)
      expect(page.language).toBe(iso)
      expect(alternatesOn(page)).toEqual(wanted)
      expect(robotsOn(page)).toBeNull()
      const { title } = await loadCatalogue(code)
      expect(titleOf(page)).toBe(`${path === "/" ? title.checkout : title.resellers} · Boxoffice`)
    }
  })
}

test("pages with an order, the sign-in page and error pages are noindex and have no hreflang alternates", async () => {
  const browser = new Browser()
  const review = await chooseAndPay(browser, { shop })
  const payment = await goToGateway(review)
  const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
  const success = await payAt(payment)
  const pages = [review, waiting, success]
  for (const path of ["/success", "/?signin", "/nothing", "/fr-fr", "/none.png", "/%E0%A4%A"])
    pages.push(await new Browser().visit(`${shop.url}/checkout${path}`))
  for (const page of pages) {
    expect(robotsOn(page), page.url.pathname).toBe("noindex")
    expect(alternatesOn(page), page.url.pathname).toEqual([])
  }
})

test('the document title of an unknown URL is "Page not found"', async () => {
  for (const path of ["/nothing", "/fr-fr", "/none.png"]) {
    const page = await new Browser().visit(`${shop.url}/checkout${path}`)
    expect(titleOf(page)).toBe("Page not found · Boxoffice")
  }
})

for (const { code, iso, name, prefix } of locales) {
  test(`the language menu of a page without a form in ${name} has six plain links to it with its query`, async () => {
    const page = await new Browser().visit(`${shop.url}${at(prefix, "/offline/none")}?utm=mail&x=1`)
    const [menu] = elements(readHtml(page.body), (it) => attribute(it, "class") === "languages")
    const links = menu ? elements(menu, ({ tagName }) => tagName === "a") : []
    expect(links.map((link) => [textOf(link), attribute(link, "href"), attribute(link, "lang")])).toEqual(
      locales.map((it) => [it.name, `${at(it.prefix, "/offline/none")}?utm=mail&x=1&lang=${it.iso}`, it.iso]),
    )
    const found = links.filter((link) => attribute(link, "aria-current") === "true")
    expect(found.map(textOf)).toEqual([name])
  })

  test(`a URL outside the shop returns a 404 page in ${name} for that Accept-Language`, async () => {
    const { error } = await loadCatalogue(code)
    const page = await new Browser({ "accept-language": iso }).visit(`${shop.url}/nothing`)
    expect(page.status).toBe(404)
    expect(page.language).toBe(iso)
    expect(page.text).toContain(error["not-found"])
    const home = await page.follow(error.home)
    expect([home.status, home.language]).toEqual([200, iso])
  })
}

test("the language menu has the specified labels", () => {
  const names = ["English", "Español", "Português", "Deutsch", "Netherlands", "UK English"]
  expect(locales.map(({ name }) => name)).toEqual(names)
})

test("a language chosen in the menu applies to /checkout/ from then on, whatever localized URLs are visited", async () => {
  const visitor = new Browser({ "user-agent": "Lynx/2.9.0 libwww-FM/2.14", "accept-language": "es" })
  const first = await visitor.visit(`${shop.url}/checkout/?utm=a`)
  expect([first.language, first.url.search]).toEqual(["es-ES", "?utm=a"])
  const german = await first.submit({ button: { text: "Deutsch" } })
  expect([german.language, german.url.pathname, german.url.search]).toEqual([
    "de-DE",
    "/checkout/de-de",
    "?utm=a",
  ])
  expect((await visitor.visit(`${shop.url}/checkout/`)).language).toBe("de-DE")
  expect((await visitor.visit(`${shop.url}/checkout/nl-nl/resellers`)).language).toBe("nl-NL")
  const back = await visitor.visit(`${shop.url}/checkout/resellers?utm=b`)
  expect([back.language, back.url.search]).toEqual(["de-DE", "?utm=b"])
  const english = await back.submit({ button: { text: "English" } })
  expect([english.language, english.url.pathname, english.url.search]).toEqual([
    "en",
    "/checkout/resellers",
    "?utm=b",
  ])
  expect((await visitor.visit(`${shop.url}/checkout/`)).language).toBe("en")
})

test("with JavaScript the language menu changes the language and removes its parameter from the URL", async ({
  browser,
}) => {
  const page = await browser.newPage({ userAgent: BROWSER_AGENT })
  await page.goto(`${shop.url}/checkout/nothing`)
  await page.locator(".languages summary").click()
  await page.getByRole("link", { name: "Português" }).click()
  await expect(page).toHaveURL(`${shop.url}/checkout/pt-pt/nothing`)
  await page.goto(`${shop.url}/checkout/`)
  await expect(page).toHaveURL(`${shop.url}/checkout/pt-pt`)
  await expect(page.locator("html")).toHaveAttribute("lang", "pt-PT")
})

test("a search engine gets each URL in its own language, whatever its Accept-Language", async () => {
  const engine = new Browser({ "user-agent": "Googlebot/2.1", "accept-language": "de" })
  expect((await engine.visit(`${shop.url}/checkout/`)).language).toBe("en")
  expect((await engine.visit(`${shop.url}/checkout/es-es`)).language).toBe("es-ES")
})

function head(page: HtmlPage, tag: string) {
  return elements(readHtml(page.body), ({ tagName }) => tagName === tag)
}

function alternatesOn(page: HtmlPage) {
  return head(page, "link")
    .filter((link) => attribute(link, "rel") === "alternate")
    .map((link) => [attribute(link, "hreflang"), attribute(link, "href")])
}

function robotsOn(page: HtmlPage): string | null {
  const robots = head(page, "meta").find((meta) => attribute(meta, "name") === "robots")
  return robots ? attribute(robots, "content") : null
}

function titleOf(page: HtmlPage): string {
  return head(page, "title").map(textOf).join()
}
