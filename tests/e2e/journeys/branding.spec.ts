import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { contrast, type Hex, READABLE } from "~/domain/shop/colour"
import { deDe } from "~/i18n/translations/de-de"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { attribute, elements, readHtml, textOf } from "../../support/html/html-tree"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32"><rect width="96" height="32" fill="#0a7"/></svg>'
const folder = mkdtempSync(join(tmpdir(), "boxoffice-brand-"))
writeFileSync(join(folder, "logo.svg"), svg)
test.afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a shop file with this brand and returns its path. */
function brandFile(brand: unknown): string {
  const file = join(folder, `${JSON.stringify(brand).length}-${Math.random()}.json`)
  writeFileSync(file, JSON.stringify({ brand, links: {}, apps: [] }))
  return file
}

async function inShop(
  env: Record<string, string>,
  visit: (shop: TestServer) => Promise<void>,
): Promise<void> {
  const shop = await startShop({ env })
  try {
    await visit(shop)
  } finally {
    await shop.stop()
  }
}

test("a shop file sets the checkout's name, logo, colours, title and guarantee", async ({ page }) => {
  const brand = {
    name: "Nordlicht TV",
    title: { "de-de": "Kasse bei Nordlicht" },
    guarantee: { "de-de": "30 Tage Geld zurück, ohne Fragen." },
    logo: { file: "logo.svg", withName: false },
    colours: { light: "#0a7a5a" },
  }
  await inShop({ SHOP_FILE: brandFile(brand) }, async (shop) => {
    const rejections: string[] = []
    page.on("console", (message) => rejections.push(...(message.type() === "error" ? [message.text()] : [])))
    await page.goto(`${shop.url}/checkout/de-de`)
    await expect(page).toHaveTitle(/Kasse bei Nordlicht$/)
    await expect(page.locator("main")).toContainText("30 Tage Geld zurück, ohne Fragen.")
    await expect(page.locator("main")).not.toContainText(deDe.checkout.plan.guarantee)
    await expect(page.locator("footer")).toContainText("Nordlicht TV")
    const logo = page.locator(".brand img")
    expect(await logo.evaluate((it: HTMLImageElement) => [it.naturalWidth > 0, it.width, it.height])).toEqual(
      [true, 96, 32],
    )
    const address = await logo.getAttribute("src")
    const response = await page.request.get(`${shop.url}${address}`)
    expect(response.headers()).toMatchObject({
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=31536000, immutable",
    })
    expect(await colours(page)).toMatchObject({ background: "#0a7a5a" })
    await expect(page.locator('meta[name="theme-color"]').last()).toHaveAttribute("content", "#0a7a5a")

    await page.goto(`${shop.url}/checkout/es-es`)
    await expect(page).toHaveTitle(/Nordlicht TV$/)
    expect(rejections).toEqual([])
  })
})

test("in dark mode a logo stands on white, also with forced colours, unless it has colours for dark mode", async ({
  page,
}) => {
  const dark = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><rect width="3" height="1"/></svg>'
  const adapting = dark.replace(
    "<rect",
    "<style>@media (prefers-color-scheme: dark) { rect { fill: #fff } }</style><rect",
  )
  writeFileSync(join(folder, "dark.svg"), dark)
  writeFileSync(join(folder, "adapting.svg"), adapting)
  const logo = page.locator(".brand img")
  for (const forcedColors of ["none", "active"] as const) {
    await page.emulateMedia({ colorScheme: "dark", forcedColors })
    await inShop({ SHOP_FILE: brandFile({ logo: { file: "dark.svg" } }) }, async (shop) => {
      await page.goto(`${shop.url}/checkout/`)
      await expect(logo).toHaveCSS("background-color", "rgb(255, 255, 255)")
    })
  }
  await page.emulateMedia({ colorScheme: "dark", forcedColors: "none" })
  await inShop({ SHOP_FILE: brandFile({ logo: { file: "adapting.svg" } }) }, async (shop) => {
    await page.goto(`${shop.url}/checkout/`)
    await expect(logo).toHaveCSS("background-color", "rgba(0, 0, 0, 0)")
  })
})

/** Runs a visit from Germany in a shop that taxes, with a logo that has no size of its own. */
async function inTaxingShop(page: Page, visit: (shop: TestServer) => Promise<void>): Promise<void> {
  const registrations = [{ country: "DE", number: "DE123456789" }]
  const tax = { country: "DE", confirmedOn: "2026-11-01", registrations, oneStopShop: true }
  const file = join(folder, "taxing.json")
  writeFileSync(file, JSON.stringify({ brand: { logo: { file: "logo.svg" } }, links: {}, apps: [], tax }))
  await page.context().setExtraHTTPHeaders({ "x-country": "DE" })
  await inShop({ SHOP_FILE: file, COUNTRY_SOURCE: "header", COUNTRY_HEADER: "x-country" }, visit)
}

test("the page of an invoice shows a logo that has no size of its own", async ({ page }) => {
  await inTaxingShop(page, async (shop) => {
    await buyForPage(page, shop, { email: uniqueEmail() })
    await page.locator('#receipt a[href*="receipt="]').first().click()
    await page.getByRole("link", { name: /^Invoice 2\d{3}-\d{6}$/ }).click()
    expect(await page.locator(".sheet-brand img").boundingBox()).toMatchObject({ width: 120, height: 40 })
  })
})

test("on a wide screen the checkout has the tax and the time that is paid on lines of their own", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await inTaxingShop(page, async (shop) => {
    await page.goto(`${shop.url}/checkout/`)
    const tops = await page
      .locator(".summary > .note")
      .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top))
    const [tax = 0, time = 0] = tops
    expect(time - tax).toBeGreaterThan(16)
  })
})

test("SHOP_NAME overrides the name in the shop file", async () => {
  const env = { SHOP_FILE: brandFile({ name: "From the file" }), SHOP_NAME: "From outside" }
  await inShop(env, async (shop) => {
    const checkout = await new Browser().visit(`${shop.url}/checkout/`)
    const [brand] = elements(readHtml(checkout.body), (it) => attribute(it, "class") === "brand")
    expect(brand && textOf(brand).trim()).toBe("From outside")
  })
})

for (const light of ["#ffd500", "#000000", "#ffffff", "#ff3b30", "#7f7f7f"]) {
  test(
    `with brand colour ${light} the pay button is readable in light and dark mode`,
    deep,
    async ({ page }) => {
      await inShop({ SHOP_FILE: brandFile({ colours: { light } }) }, async (shop) => {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
          await page.goto(`${shop.url}/checkout/`)
          const still = await colours(page)
          expect(contrast(still.text, still.background)).toBeGreaterThanOrEqual(READABLE)
          await page.locator("button.main:visible").first().hover()
          const hovered = await colours(page)
          expect(contrast(hovered.text, hovered.background)).toBeGreaterThanOrEqual(READABLE)
          const link = await colours(page, ".account", ".top")
          expect(contrast(link.text, link.background)).toBeGreaterThanOrEqual(READABLE)
        }
      })
    },
  )
}

test("an invalid brand stops the start with an error that names the setting or file", async () => {
  const start = (brand: unknown) =>
    runServerCommand([], { SHOP_FILE: brandFile(brand), DATA_DIR: folder, PORT: "1" })
  const colour = await start({ colours: { light: "blue" } })
  expect(colour.exitCode).toBe(1)
  expect(colour.errorOutput).toMatch(
    /did not start.*must be a colour, for example #405db1.*brand\.colours\.light/s,
  )
  const logo = await start({ logo: { file: "missing.svg" } })
  expect(logo.errorOutput).toMatch(/did not start.*missing\.svg/s)
})

/** Computed text colour of an element, and background colour of `ground`. */
async function colours(page: Page, selector = "button.main:visible", ground = selector) {
  const read = (of: string, property: "color" | "backgroundColor") =>
    page
      .locator(of)
      .first()
      .evaluate((element, name) => getComputedStyle(element)[name], property)
  const [text, background] = [await read(selector, "color"), await read(ground, "backgroundColor")]
  return { text: hexOf(text), background: hexOf(background) }
}

/** Converts a computed colour such as `rgb(64, 93, 177)` to hexadecimal. */
function hexOf(colour: string): Hex {
  const parts = colour.match(/\d+/g)?.slice(0, 3) ?? []
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`
}
