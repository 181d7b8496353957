import { expect, test } from "vitest"
import { planOf, plansOffered } from "~/domain/catalogue/catalogue"
import { checkPromotion } from "~/domain/catalogue/promotion"
import { currencies, toDecimal } from "~/domain/money/money"
import { contentOf, InvalidCatalogueError, readCatalogueFile, writeCatalogueFile } from "./catalogue-file"
import demonstration from "./demo-catalogue.json?raw"

const shop = readCatalogueFile(demonstration)
const plans = shop.products.filter(({ kind }) => kind === "plan")

test("the demo catalogue offers three plans in every currency, with extra connections and proxy protection", () => {
  for (const currency of currencies) {
    const offered = plansOffered(plans, currency)
    expect(offered.map(({ id, cycle }) => [id, cycle])).toEqual([
      ["1", "monthly"],
      ["2", "semiannually"],
      ["3", "annually"],
    ])
    for (const { extraConnection, proxyProtection } of offered)
      expect([extraConnection?.optionId, proxyProtection?.optionId]).toEqual(["2", "4"])
  }
})

test("the demo catalogue has the expected EUR prices", () => {
  const prices = plansOffered(plans, "EUR").map((plan) =>
    [plan.price, plan.extraConnection?.price, plan.proxyProtection?.price].map((it) => it && toDecimal(it)),
  )
  expect(prices).toEqual([
    ["12.00", "2.50", "1.50"],
    ["54.00", "11.90", "6.90"],
    ["79.00", "19.90", "9.90"],
  ])
})

test("the demo catalogue has three monthly reseller plans", () => {
  const resellers = shop.products.filter(({ kind }) => kind === "reseller")
  expect(resellers.map(({ id, credits }) => [id, credits])).toEqual([
    ["11", 10],
    ["12", 25],
    ["13", 100],
  ])
  expect(resellers.map((it) => planOf(it, "USD")?.cycle)).toEqual(Array(3).fill("monthly"))
})

test.each([
  ["WELCOME10", "1", null],
  ["YEAR15", "3", null],
  ["YEAR15", "1", "not-for-this-product"],
  ["SUMMER25", "1", "ended"],
])("demo promo code %s on plan %s is rejected with reason %s (null: accepted)", (code, productId, reason) => {
  const listed = shop.promotions.find((it) => it.code === code)
  const verdict = checkPromotion(listed ? { ...listed, remainingUses: listed.maxUses } : null, {
    productId,
    currency: "EUR",
    today: "2026-06-15",
  })
  expect(verdict).toMatchObject(reason ? { ok: false, reason } : { ok: true })
})

test("writing and reading a catalogue file preserves the catalogue and the file", () => {
  expect(readCatalogueFile(writeCatalogueFile(shop))).toEqual(shop)
  expect(JSON.parse(writeCatalogueFile(shop))).toEqual(JSON.parse(demonstration))
})

type FileEntry = Record<string, unknown>
const promotion = { code: "X", appliesto: "1", type: "Percentage", value: "10" }
const plan = { pid: "1", name: "One", pricing: { EUR: { monthly: "12.00" } } }
const choice = { id: "1", name: "Yes", pricing: plan.pricing }
const extras = [
  { id: "2", name: "Second screen", options: [choice] },
  { id: "4", name: "Proxy", options: [choice] },
]

test("each plan may have an extra connection of its own", () => {
  const plans = [
    { ...plan, configoptions: ["2"] },
    { ...plan, pid: "2", configoptions: ["4"] },
  ]
  const { products } = readCatalogueFile(JSON.stringify({ plans, configoptions: extras }))
  expect(products.map(({ options }) => options.map(({ id }) => id))).toEqual([["2"], ["4"]])
})

test("the options are written in the order of a product that has several", () => {
  const read = (configoptions: string[]) =>
    readCatalogueFile(JSON.stringify({ plans: [{ ...plan, configoptions }], configoptions: extras })).products
  const [both] = read(["4", "2"])
  const products = [...read(["2"]), ...(both ? [{ ...both, id: "2" }] : [])]
  expect(contentOf(products).configoptions.map(({ id }) => id)).toEqual(["4", "2"])
})

test.each<[string, FileEntry, RegExp]>([
  [
    "a price with a comma",
    { plans: [priced({ EUR: { monthly: "12,00" } })] },
    /plans\.0\.pricing\.EUR\.monthly: is not a number such as "79\.00"/,
  ],
  [
    "a price without quotation marks",
    { plans: [priced({ EUR: { monthly: 12 } })] },
    /monthly: is not a number in quotation marks/,
  ],
  [
    "an unknown billing cycle",
    { plans: [priced({ EUR: { weekly: "1.00" } })] },
    /plans\.0\.pricing\.EUR: names weekly, which is not one of monthly/,
  ],
  [
    "an unsupported currency",
    { plans: [priced({ CHF: { monthly: "1.00" } })] },
    /plans\.0\.pricing: names CHF, which is not one of EUR, GBP, USD/,
  ],
  ["a plan without a price", { plans: [priced({})] }, /plans\.0\.pricing: is missing: it needs one at least/],
  ["a misspelt field name", { plans: [{ ...plan, priceing: {} }] }, /plans\.0: .*priceing/],
  [
    "an unlisted configuration option",
    { plans: [{ ...plan, configoptions: ["9"] }] },
    /plans\.0\.configoptions: names the option "9", which is not listed/,
  ],
  [
    "the second option without the first",
    { plans: [{ ...plan, configoptions: ["4"] }], configoptions: extras },
    /plans\.0\.configoptions: has "Proxy" without "Second screen", so it would be sold as the extra connection/,
  ],
  ["a duplicate plan id", { plans: [plan, plan] }, /plans: has the pid "1" more than once/],
  ["an empty plan list", { plans: [] }, /plans: has no plan/],
  [
    "a reseller plan without credits",
    { plans: [plan], resellerPlans: [{ ...plan, pid: "2" }] },
    /resellerPlans\.0\.credits: /,
  ],
  [
    "a promotion for an unknown product",
    coded({ appliesto: "1,8" }),
    /promotions\.0\.appliesto: names the product "8"/,
  ],
  ["a nonexistent date", coded({ expirationdate: "2026-02-30" }), /promotions\.0\.expirationdate: /],
  [
    "a promotion that ends before it starts",
    coded({ startdate: "2026-02-02", expirationdate: "2026-02-01" }),
    /promotions\.0\.expirationdate: is before the first day/,
  ],
  [
    "a fixed amount without a currency",
    coded({ type: "Fixed Amount" }),
    /promotions\.0: is a Fixed Amount and needs a currency/,
  ],
  ["a percentage above 100", coded({ value: "101" }), /promotions\.0: takes off more than 100 percent/],
  [
    "an unsupported discount type",
    coded({ type: "Free Setup" }),
    /promotions\.0\.type: is neither "Percentage" nor "Fixed Amount"/,
  ],
  [
    "a duplicate promo code",
    { plans: [plan], promotions: [promotion, { ...promotion, code: "x" }] },
    /promotions: has the code "X" more than once/,
  ],
])("readCatalogueFile rejects %s with its path and the reason", (_, translation, reason) => {
  const reading = () => readCatalogueFile(JSON.stringify(translation))
  expect(reading).toThrow(InvalidCatalogueError)
  expect(reading).toThrow(reason)
})

test("readCatalogueFile rejects a file that is not JSON with the parser's message", () => {
  expect(() => readCatalogueFile('{ "plans": [ }')).toThrow(/^Invalid catalogue: not JSON: Unexpected token/)
})

test("readCatalogueFile reads a promotion without dates, limits and use count as unrestricted", () => {
  const { promotions } = readCatalogueFile(JSON.stringify(coded({})))
  expect(promotions).toEqual([
    {
      code: "X",
      productIds: ["1"],
      startsOn: null,
      endsOn: null,
      maxUses: null,
      discount: { kind: "percentage", basisPoints: 1_000 },
    },
  ])
})

test("a catalogue file keeps the billing cycles of a promotion, in their order, and its uses per person", () => {
  const read = readCatalogueFile(
    JSON.stringify(coded({ cycles: ["annually", "monthly", "annually"], maxusesperperson: 1 })),
  )
  expect(read.promotions).toMatchObject([{ cycles: ["monthly", "annually"], usesPerPerson: 1 }])
  expect(readCatalogueFile(writeCatalogueFile(read))).toEqual(read)
  for (const [field, value] of Object.entries({ cycles: ["weekly"], maxusesperperson: -1 }))
    expect(() => readCatalogueFile(JSON.stringify(coded({ [field]: value })))).toThrow(
      new RegExp(`promotions\\.0\\.${field}`),
    )
})

function priced(pricing: FileEntry): FileEntry {
  return { ...plan, pricing }
}

function coded(changes: FileEntry): FileEntry {
  return { plans: [plan], promotions: [{ ...promotion, ...changes }] }
}

test("a catalogue file keeps that the services of a plan are not renewed", () => {
  const plan = { pid: "1", name: "Trial", pricing: { EUR: { monthly: "1.00" } }, renewal_price: "none" }
  const read = readCatalogueFile(JSON.stringify({ plans: [plan] }))
  expect(read.products[0]?.renewalPrice).toBe("none")
  expect(JSON.parse(writeCatalogueFile(read)).plans[0]).toMatchObject({ renewal_price: "none" })
})

test("a catalogue file keeps the free trial of a plan, and refuses one that no paid term can follow", () => {
  const file = JSON.parse(demonstration)
  const withTrial = (changes: object, trial: object = { hours: 24 }) =>
    JSON.stringify({ ...file, plans: [{ ...file.plans[0], trial, ...changes }, ...file.plans.slice(1)] })
  const read = readCatalogueFile(withTrial({}))
  expect(read.products[0]?.trialHours).toBe(24)
  expect(readCatalogueFile(writeCatalogueFile(read))).toEqual(read)
  for (const changes of [{ paytype: "onetime" }, { renewal_price: "none" }])
    expect(() => readCatalogueFile(withTrial(changes))).toThrow(/plans\.0\.trial: is possible only/)
  for (const hours of [0, 721, 1.5])
    expect(() => readCatalogueFile(withTrial({}, { hours }))).toThrow(/plans\.0\.trial\.hours: is/)
})
