import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "playwright/test"
import { chooseAndPay } from "../../fixtures/no-script-purchase"
import { runAdmin } from "../../fixtures/signed-in-operator"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop } from "../start-shop"

const HOSTILE = `"><img src=x onerror=a()>`
const everywhere = { "en-en": HOSTILE, "de-de": HOSTILE }

/** All texts that the console sets, with markup in them. Addresses cannot have any: the rules refuse them. */
const sections = {
  brand: { name: HOSTILE, title: everywhere, guarantee: everywhere },
  legal: { seller: HOSTILE, terms: "https://northlight.example/?a=%22%3E%3Cimg" },
  methods: { offshore: { name: everywhere, note: everywhere, statement: HOSTILE } },
  mail: { messages: { receipt: { "en-en": { subject: HOSTILE, paragraph: HOSTILE } } } },
}

test("markup in any text that the console sets is text on every page of a visitor, in files and in mail", async () => {
  const shop = await startShop()
  const file = join(shop.dataDir, "brand.json")
  writeFileSync(file, JSON.stringify(sections))
  await runAdmin(shop, "brand", "set", file, "--reason", "an attack")
  const body = async (path: string) => (await new Browser().visit(`${shop.url}${path}`)).body
  await expect.poll(() => body("/checkout/")).toContain("onerror=a()")

  const paths = [
    "/checkout/",
    "/checkout/de-de",
    "/checkout/resellers",
    "/checkout/?signin",
    "/checkout/none",
    "/none",
  ]
  for (const path of paths) {
    const html = await body(path)
    // It is there, as text.
    expect([path, html.includes("onerror=a()")]).toEqual([path, true])
    expect([path, html.includes("<img src=x")]).toEqual([path, false])
  }
  const review = await chooseAndPay(new Browser(), { shop })
  expect(review.body).not.toContain("<img src=x")
  const manifest = await fetch(`${shop.url}/checkout/manifest.webmanifest`)
  expect(manifest.headers.get("content-type")).toContain("application/manifest+json")
  expect(JSON.parse(await manifest.text())).toMatchObject({ name: HOSTILE })
  const mail = JSON.parse(await runAdmin(shop, "mail", "preview", "receipt", "--json"))
  expect(mail.html).not.toContain("<img src=x")
  expect(mail.subject).toBe(HOSTILE)
  await shop.stop()
})
