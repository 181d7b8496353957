import { afterEach, beforeEach, expect, test } from "vitest"
import type { ShownSetting, ShownShopFile } from "~/domain/console/shown-setting"
import { TaxFile } from "~/domain/tax/tax-file"
import { consoleOf, enrolled } from "../../../../tests/fixtures/console"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

const usual = {
  about: "",
  value: null,
  isSet: false,
  isSecret: false,
  source: "default",
  usual: null,
  isStale: false,
} as const
const settings: ShownSetting[] = [
  { ...usual, name: "PORT", about: "Port of the shop", usual: "3000" },
  {
    ...usual,
    name: "ADMIN_ALLOW",
    about: "Networks that may open the console",
    value: "192.0.2.0/24",
    isSet: true,
    source: "settings-file",
    isStale: true,
  },
  { ...usual, name: "SESSION_SECRETS", isSet: true, isSecret: true, source: "environment" },
]

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
  Object.assign(consoleOf(shop.services), { settings: () => settings })
})
afterEach(() => shop.billing.close())

const page = async (role: "owner" | "support" | "viewer") =>
  (await (await enrolled(shop, role)).request({ path: "/admin/settings" })).text()

test("an owner sees every setting with its value and source, secrets hidden, and what a restart would change", async () => {
  const shown = await page("owner")
  for (const part of [
    "192.0.2.0/24",
    "Networks that may open the console",
    "Port of the shop",
    "File .env",
    "Set, and hidden",
    "3000",
    "A restart would change: ADMIN_ALLOW",
  ])
    expect(shown).toContain(part)
})

test.each(["support", "viewer"] as const)("%s sees where settings come from, and no value", async (role) => {
  const shown = await page(role)
  for (const part of ["ADMIN_ALLOW", "File .env", "Owners see the values."]) expect(shown).toContain(part)
  expect(shown).not.toContain("192.0.2.0/24")
})

const shopFile: ShownShopFile = {
  values: [
    { place: "brand.name", value: "Orange TV", source: "shop-file", next: "Lemon TV" },
    { place: "links.guides", value: null, source: "default" },
  ],
  problem: "links.support must be an address",
}

test("an owner sees the values of the shop file, what a restart would change, and why it would fail", async () => {
  Object.assign(consoleOf(shop.services), { shopFile: () => shopFile })
  const shown = await page("owner")
  for (const part of [
    "brand.name <small>Name of the shop</small>",
    "links.guides <small>Link to set-up guides</small>",
    "Orange TV (after a restart: Lemon TV)",
    "A restart would change: brand.name",
    "would not start with the shop file as it is now: links.support must be an address",
  ])
    expect(shown).toContain(part)
})

test("support sees which values of the shop file a restart would change, and no value", async () => {
  Object.assign(consoleOf(shop.services), { shopFile: () => shopFile })
  const shown = await page("support")
  expect(shown).toContain("A restart would change: brand.name")
  for (const part of ["Orange TV", "Lemon TV", "must be an address"]) expect(shown).not.toContain(part)
})

test("the page says whose rules of tax are in force, and leads to them", async () => {
  const { tax } = shop.billing
  expect(await page("viewer")).toContain("Rules of tax: the shop file&#x27;s.")
  const made = { author: "owner@shop.test", reason: "checked", at: shop.services.now() }
  await tax?.change(TaxFile.parse({ country: "DE" }), { ...made, seenVersion: 0 })
  const shown = await page("support")
  expect(shown).toContain("Rules of tax: the console&#x27;s.")
  expect(shown).toContain('href="/checkout/admin/tax"')
})
