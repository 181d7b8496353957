import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { noLaw } from "~/domain/shop/country-law"
import { taxRulesOf } from "~/domain/tax/tax-file"
import { taxTable } from "~/domain/tax/tax-table"
import { logoOf } from "./logo-file.server"
import { readShopFile, unknownShopFields } from "./shop-file.server"

const folder = mkdtempSync(join(tmpdir(), "boxoffice-brand-"))
afterAll(() => rmSync(folder, { recursive: true }))

const rest = { links: {}, apps: [] }
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><path d="M0 0h300v100z"/></svg>'
writeFileSync(join(folder, "logo.svg"), svg)

function read(brand: unknown) {
  const file = join(folder, "shop.json")
  writeFileSync(file, JSON.stringify({ ...rest, brand }))
  return readShopFile(file)
}

test("without a file uses the demo data and the default brand", () => {
  const { brand, logo } = readShopFile(undefined)
  expect(brand).toEqual({
    name: "Boxoffice",
    title: {},
    guarantee: {},
    colours: { light: "#405db1", dark: "#8ea6f0" },
  })
  expect(logo).toBeNull()
})

test("a file without a brand uses the default brand", () => {
  expect(read(undefined).brand).toEqual(readShopFile(undefined).brand)
})

test("a file with a brand alone has no links and no players", () => {
  const file = join(folder, "brand.json")
  writeFileSync(file, JSON.stringify({ brand: { name: "Nordlicht TV" } }))
  expect(readShopFile(file)).toMatchObject({
    brand: { name: "Nordlicht TV" },
    links: { guides: null, speedTest: null, support: null },
    apps: [],
  })
  expect(unknownShopFields(file)).toEqual([])
})

test("fields that the shop does not know are named by their places, and do not stop the start", () => {
  const file = join(folder, "unknown.json")
  const apps = [{ name: "Player", devices: ["ios"], store: "https://store.test/", opens: "x:" }]
  writeFileSync(file, JSON.stringify({ taxes: {}, links: { suport: "https://tv.test/" }, apps }))
  expect(readShopFile(file)).toMatchObject({ tax: null, links: { support: null } })
  expect(unknownShopFields(file)).toEqual(["links.suport", "apps.0.opens", "taxes"])
  expect(unknownShopFields(undefined)).toEqual([])
})

test("resolves the logo relative to the file and scales it to the fixed height", () => {
  const { logo } = read({ logo: { file: "logo.svg", withName: false } })
  expect(logo).toMatchObject({ type: "image/svg+xml", width: 96, height: 32, withName: false })
  expect(logo?.path).toMatch(/^\/logo-[0-9a-f]{12}\.svg$/)
})

test.each([
  ["<style>@media (prefers-color-scheme: dark) { rect { fill: #fff } }</style>", true],
  ["<style>rect { fill: light-dark(#000, #fff) }</style>", true],
  ["<style>rect { fill: #000 }</style>", false],
])("a logo with %s has colours for dark mode: %s", (style, isForDark) => {
  const bytes = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1">${style}<rect/></svg>`)
  expect(logoOf(bytes, { withName: true, plate: true })).toMatchObject({ isForDark })
})

test("a logo that reads on a dark ground has no plate if the shop file says so", () => {
  const isForDark = (logo: object) => read({ logo: { file: "logo.svg", ...logo } }).logo?.isForDark
  expect([isForDark({}), isForDark({ plate: true }), isForDark({ plate: false })]).toEqual([
    false,
    false,
    true,
  ])
})

test("reads the size of a PNG logo from the file", () => {
  const header = Buffer.from("89504e470d0a1a0a0000000d49484452000000800000004008060000", "hex")
  writeFileSync(join(folder, "logo.png"), header)
  expect(read({ logo: { file: "logo.png" } }).logo).toMatchObject({
    type: "image/png",
    width: 64,
    height: 32,
  })
})

test.each([
  ["a colour by name", { colours: { light: "navy" } }, /must be a colour, for example #405db1.*light/s],
  ["an unknown key", { colour: "#112233" }, /colour/],
  ["an unsupported language", { guarantee: { "fr-fr": "30 jours" } }, /fr-fr.*brand\.guarantee/s],
  ["an empty guarantee", { guarantee: { "de-de": " " } }, /guarantee/],
  ["a name of more than 40 characters", { name: "x".repeat(41) }, /name/],
  ["a missing logo", { logo: { file: "none.svg" } }, /none\.svg/],
  ["a logo that is neither PNG nor SVG", { logo: { file: "shop.json" } }, /must be a PNG or an SVG/],
])("rejects %s with an error that names it", (_what, brand, pattern) => {
  expect(() => read(brand)).toThrow(pattern)
})

test("reads the seller and the operator's own words of messages", () => {
  const file = join(folder, "shop.json")
  const mail = {
    seller: "Northlight Media Ltd, 12 Harbour Road, Valletta, Malta",
    messages: { receipt: { "de-de": { subject: "Es geht los", paragraph: "Viel Spaß beim Schauen." } } },
  }
  writeFileSync(file, JSON.stringify({ ...rest, mail }))
  expect(readShopFile(file).mail).toEqual(mail)
  expect(readShopFile(undefined).mail).toEqual({ seller: null, messages: {} })
})

test.each([
  [
    "a line break in a subject",
    { receipt: { "en-en": { subject: "Hello\r\nBcc: a@b.example" } } },
    /one line/,
  ],
  ["a subject of more than 78 characters", { receipt: { "en-en": { subject: "x".repeat(79) } } }, /subject/],
  ["a paragraph of two lines", { receipt: { "en-en": { paragraph: "a\nb" } } }, /one line/],
  ["an empty paragraph", { receipt: { "en-en": { paragraph: " " } } }, /paragraph/],
  ["an unknown message", { welcome: { "en-en": { subject: "Hello" } } }, /welcome/],
  ["a message to the operator", { "operator-refund": { "en-en": { subject: "Hello" } } }, /operator-refund/],
  ["an unsupported language", { receipt: { "fr-fr": { subject: "Bonjour" } } }, /fr-fr/],
  ["an unknown text", { receipt: { "en-en": { body: "Hello" } } }, /body/],
])("rejects %s in messages with an error that names it", (_what, messages, pattern) => {
  const file = join(folder, "shop.json")
  writeFileSync(file, JSON.stringify({ ...rest, mail: { messages } }))
  expect(() => readShopFile(file)).toThrow(pattern)
})

test("rejects a logo file that is too large", () => {
  writeFileSync(join(folder, "large.svg"), svg + " ".repeat(60_000))
  expect(() => read({ logo: { file: "large.svg" } })).toThrow(/larger than 60 kB/)
})

const whole = (more: object) => {
  const file = join(folder, "whole.json")
  writeFileSync(file, JSON.stringify({ links: {}, apps: [], ...more }))
  return readShopFile(file)
}

test("rules by country are off until the shop file names them", () => {
  const law = { countries: { DE: { orderButton: true, withdrawalDays: 14 } } }
  expect(whole({ legal: { law } }).legal.law).toEqual({
    countries: { DE: { orderButton: true, startAtOnce: false, withdrawalDays: 14 } },
    words: noLaw.words,
  })
  expect(whole({}).legal.law).toEqual(noLaw)
  expect(() => whole({ legal: { law: { countries: { Germany: {} } } } })).toThrow(/countries\.Germany/)
})

const tax = { country: "DE", registrations: [{ country: "DE", number: "DE123456789" }] }

const pounds = { base: "EUR", quote: "GBP", rate: "0.8735", from: "2026-11-01" }

/** A tax section of a seller who accounts in euros, with the exchange rate of the pound changed. */
function exchanging(...changes: readonly object[]) {
  return { accounting: { currency: "EUR", exchangeRates: changes.map((it) => ({ ...pounds, ...it })) } }
}

test("a tax section has the accounting currency with its exchange rates as they were typed; none without it", () => {
  expect(whole({ tax }).tax?.accounting).toBeUndefined()
  expect(whole({ tax: { ...tax, accounting: { currency: "PLN" } } }).tax?.accounting).toEqual({
    currency: "PLN",
    exchangeRates: [],
  })
  const typed = exchanging({ rate: "0.87350" }, { from: "2026-12-01" })
  expect(whole({ tax: { ...tax, ...typed } }).tax?.accounting).toEqual(typed.accounting)
})

/** The rules of a shop file with a tax section. */
function rulesOf(section: object) {
  const file = whole({ tax: section }).tax
  return file && taxRulesOf(file)
}

test("nothing is taxed until somebody has confirmed the rates", () => {
  expect(whole({}).tax).toBeNull()
  expect(rulesOf(tax)).toBeNull()
  expect(rulesOf({ ...tax, confirmedOn: "2026-11-01" })).toMatchObject({
    country: "DE",
    oneStopShop: false,
    registrations: [{ country: "DE", number: "DE123456789", from: "2000-01-01", until: null }],
  })
})

test("own rates come before those that are shipped, the latest first", () => {
  const rates = [
    { country: "DE", percent: 7.7, category: "reduced" },
    { country: "DE", percent: 16, from: "2026-07-01", until: "2026-12-31" },
  ]
  const read = rulesOf({ ...tax, confirmedOn: "2026-11-01", rates })
  expect(read?.rates.slice(0, 2)).toMatchObject([
    { basisPoints: 1_600, category: "standard" },
    { basisPoints: 770, category: "reduced" },
  ])
  expect(read?.rates.slice(2)).toEqual(taxTable)
})

test.each([
  ["a country by name", { country: "Germany" }, /tax\.country/],
  ["a rate with three decimals", { rates: [{ country: "DE", percent: 7.125 }] }, /two decimals.*percent/s],
  ["a rate above everything", { rates: [{ country: "DE", percent: 119 }] }, /percent/],
  [
    "a registration without a known rate",
    { registrations: [{ country: "NO", number: "1" }] },
    /none is shipped for NO/,
  ],
  ["prices of an unknown kind", { prices: { EUR: "net" } }, /prices/],
  ["prices of an unknown currency", { prices: { CHF: "exclusive" } }, /prices/],
  ["a day that does not exist", { confirmedOn: "2026-02-30" }, /confirmedOn/],
  [
    "an accounting currency that is none",
    { accounting: { currency: "euro" } },
    /must be one of CHF, CZK.*\n.*tax\.accounting\.currency/,
  ],
  ["an exchange rate that is a number", exchanging({ rate: 0.8735 }), /must be a decimal in quotes/],
  ["an exchange rate of zero", exchanging({ rate: "0.0000" }), /must be a decimal from 0\.0001 to 10000/],
  ["an exchange rate below zero", exchanging({ rate: "-0.87" }), /must be a decimal from 0\.0001 to 10000/],
  ["an exchange rate with an exponent", exchanging({ rate: "1e2" }), /must be a decimal from 0\.0001/],
  ["an exchange rate beyond all sense", exchanging({ rate: "10000.1" }), /must be a decimal from 0\.0001/],
  ["an exchange rate of nine decimals", exchanging({ rate: "0.873512345" }), /at most eight decimals/],
  ["an exchange rate without a day", exchanging({ from: undefined }), /accounting\.exchangeRates\[0\]\.from/],
  [
    "an exchange rate of a day that does not exist",
    exchanging({ from: "2026-02-30" }),
    /accounting\.exchangeRates\[0\]\.from/,
  ],
  [
    "an exchange rate without the accounting currency",
    exchanging({ base: "USD" }),
    /must be between EUR and another currency of EUR, GBP, USD/,
  ],
  [
    "an exchange rate of the accounting currency to itself",
    exchanging({ quote: "EUR" }),
    /must be between EUR and another currency/,
  ],
  [
    "an exchange rate of a currency that the catalogue cannot have",
    exchanging({ quote: "PLN" }),
    /must be between EUR and another currency/,
  ],
  [
    "two exchange rates of one currency and day",
    exchanging({}, { base: "GBP", quote: "EUR", rate: "1.2" }),
    /is another rate of GBP from 2026-11-01\n.*tax\.accounting\.exchangeRates\[1\]/,
  ],
])("a tax section with %s is rejected and named", (_what, change, pattern) => {
  expect(() => whole({ tax: { ...tax, ...change } })).toThrow(pattern)
})

test("reads payment methods, seller and terms; messages name the same seller", () => {
  const shop = whole({
    legal: {
      seller: "Northlight Media Ltd",
      terms: { "de-de": "https://tv.example/agb" },
      tax: { "en-en": "Includes 19 % VAT." },
    },
    methods: {
      offshore: {
        name: { "en-en": "SEPA transfer" },
        minutes: { from: 1, to: 2 },
        statement: "NORTHLIGHT TV",
      },
      cryptomusgateway: { coins: { "USDT/tron": { from: 1, to: 2 } } },
    },
    setup: { tv: [{ "en-en": "Install the app." }] },
  })
  expect(shop.legal).toEqual({
    seller: "Northlight Media Ltd",
    terms: { "de-de": "https://tv.example/agb" },
    privacy: null,
    refunds: null,
    tax: { "en-en": "Includes 19 % VAT." },
    law: noLaw,
  })
  expect(shop.mail.seller).toBe("Northlight Media Ltd")
  expect(shop.methods).toEqual({
    offshore: {
      name: { "en-en": "SEPA transfer" },
      note: {},
      minutes: { from: 1, to: 2 },
      coins: {},
      statement: "NORTHLIGHT TV",
      place: null,
    },
    cryptomusgateway: {
      name: {},
      note: {},
      minutes: null,
      coins: { "USDT/tron": { from: 1, to: 2 } },
      statement: null,
      place: null,
    },
  })
  expect(shop.setup).toEqual({ tv: [{ "en-en": "Install the app." }] })
})

test("a seller that only the messages name is in the footer too", () => {
  expect(whole({ mail: { seller: "Northlight Media Ltd" } }).legal.seller).toBe("Northlight Media Ltd")
})

test.each([
  ["a payment method that does not exist", { methods: { paypal: {} } }, /paypal/],
  ["a time that ends before it starts", { methods: { coinbase: { minutes: { from: 5, to: 2 } } } }, /from/],
  ["a coin that is none", { methods: { btcpay: { coins: { "a coin": { from: 1, to: 2 } } } } }, /coins/],
  ["terms that are not a web page", { legal: { terms: "javascript:alert(1)" } }, /terms/],
])("rejects %s", (_what, given, pattern) => {
  expect(() => whole(given)).toThrow(pattern)
})
