import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { TaxFile, taxRulesOf } from "~/domain/tax/tax-file"
import {
  actOnPage,
  type ConsoleVisitor,
  consoleOf,
  enrolled,
  keyOfOwnSession,
} from "../../../../tests/fixtures/console"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/tax"
const RULES = `${PATH}/rules`

const file = TaxFile.parse({
  country: "DE",
  confirmedOn: "2026-11-01",
  registrations: [{ country: "DE", number: "DE123456789" }],
  oneStopShop: true,
})

let shop: TestShop
let owner: ConsoleVisitor
async function open(taxFile: TaxFile | null) {
  const rules = taxFile && taxRulesOf(taxFile)
  shop = await openTestShop(taxFile ? { taxFile, ...(rules && { tax: rules }) } : {})
  owner = await enrolled(shop, "owner")
}
beforeEach(() => open(file))
afterEach(() => shop.billing.close())

const text = async (path: string, who = owner) => (await who.request({ path })).text()

/** What the form of the rules has when it is opened. */
const typed = {
  country: "DE",
  registrations: "DE; DE123456789; 2000-01-01",
  oneStopShop: "on",
  rates: "",
  exempt: "",
  "prices.EUR": "inclusive",
  "prices.GBP": "inclusive",
  "prices.USD": "inclusive",
  accountingCurrency: "",
  exchangeRates: "",
}

/** Posts the form of the rules with other values. */
const change = (fields: Record<string, string>, who = owner) =>
  actOnPage(who, RULES, { form: { ...typed, action: "edit-tax", reason: "a reason", ...fields } })
const act = (action: string, reason = "a reason", who = owner) =>
  actOnPage(who, PATH, { form: { action, reason } })

describe("the page of the rules of tax", () => {
  test("shows those of the shop file, and the shipped table with its day", async () => {
    const page = await text(PATH)
    for (const part of ["the shop file&#x27;s", "DE DE123456789, from 2000-01-01", "2026-11-01"])
      expect(page).toContain(part)
    expect(page).toContain("as of 2026-01-01")
    expect(page).toContain("27.00 %")
    expect(page).toContain("The rules were not changed here yet.")
    expect(page).not.toContain("use-tax-file")
  })

  test("says that nothing is taxed in a shop without rules, which an owner can begin", async () => {
    await shop.billing.close()
    await open(null)
    expect(await text(PATH)).toContain("There are no rules: nothing is taxed.")
    expect((await change({ country: "de" })).status).toBe(303)
    expect(shop.services.shop.tax).toBeNull()
    expect((await act("confirm-tax")).status).toBe(303)
    expect(shop.services.shop.tax).toMatchObject({ country: "DE", confirmedOn: "2026-11-20" })
  })

  test("leads a shop with external billing to its billing system", async () => {
    const { services } = shop
    const external = { ...services, console: { ...consoleOf(services), tax: null } }
    const visitor = await enrolled({ ...shop, services: external }, "owner", "other@shop.test")
    expect(await text(PATH, visitor)).toContain("Your billing system taxes")
    for (const path of [RULES, `${PATH}/versions/1`])
      expect((await visitor.request({ path })).status).toBe(404)
  })
})

const badRates = [
  ["an exchange rate that is no number", "EUR; GBP; much; 2026-11-01", "1: rate must be a decimal"],
  ["an exchange rate of zero", "EUR; GBP; 0; 2026-11-01", "1: rate must be a decimal from 0.0001"],
  ["an exchange rate below zero", "EUR; GBP; -0.87; 2026-11-01", "1: rate must be a decimal from 0.0001"],
  ["an exchange rate beyond all sense", "EUR; GBP; 87350; 2026-11-01", "1: rate must be a decimal"],
  ["an exchange rate without a day", "EUR; GBP; 0.8735", "1: from must be a day"],
  ["an exchange rate of a day that does not exist", "EUR; GBP; 0.8735; 2026-02-30", "1: from must be a day"],
  ["a currency that is none", "EUR; POUND; 0.8735; 2026-11-01", "1: quote must be one of CHF"],
  ["a rate between other currencies", "USD; GBP; 0.76; 2026-11-01", "1: must be between EUR and another"],
  ["a rate of a currency to itself", "EUR; EUR; 1; 2026-11-01", "1: must be between EUR and another"],
  [
    "two rates for one day",
    "EUR; GBP; 0.87; 2026-11-01\nGBP; EUR; 1.2; 2026-11-01",
    "2: is another rate of GBP from 2026-11-01",
  ],
  ["a part too many in an exchange rate", "EUR; GBP; 0.87; 2026-11-01; 2026-12-01", "1: Unrecognized"],
] as const

describe("an owner", () => {
  test("changes the rules: orders are taxed by them at once, and the version says who, why and what", async () => {
    const before = await buyPlan(shop)
    const answer = await change({
      registrations: "de; DE123456789; 2020-01-01\n MA; 42 ",
      rates: "MA; ; ; 20\nMA; Tanger; reduced; 7,5; 2026-01-01; 2027-12-31",
      exempt: "us, br",
      "category.3": "reduced",
      "prices.USD": "exclusive",
    })
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}?done=edit-tax`])
    expect((await shop.billing.tax?.present())?.content).toEqual({
      ...file,
      registrations: [
        { country: "DE", number: "DE123456789", from: "2020-01-01", until: null },
        { country: "MA", number: "42", from: "2000-01-01", until: null },
      ],
      rates: [
        { country: "MA", category: "standard", percent: 20, from: "2000-01-01", until: null },
        {
          country: "MA",
          region: "Tanger",
          category: "reduced",
          percent: 7.5,
          from: "2026-01-01",
          until: "2027-12-31",
        },
      ],
      exempt: ["US", "BR"],
      categories: { "3": "reduced" },
      prices: { USD: "exclusive" },
    })
    const after = await buyPlan(shop, { key: "draft-2" })
    expect(after.tax?.lines[0]?.basisPoints).toBe(2_000)
    expect((await shop.services.billing.order(before.id))?.tax).toEqual(before.tax)
    const page = await text(PATH)
    for (const part of [owner.email, "a reason", "/tax/versions/2", "the console&#x27;s", "do not count"])
      expect(page).toContain(part)
    const version = await text(`${PATH}/versions/2`)
    for (const part of ["rate added: MA (Tanger) reduced 7.5 %", "exempt countries: none → US, BR"])
      expect(version).toContain(part)
    const [entry] = await shop.billing.auditLog.newest({ limit: 1, subject: "tax" })
    expect(entry).toMatchObject({ action: "edit-tax", reason: "a reason", operator: owner.email })
    expect(JSON.stringify(entry)).toContain("rate added")
  })

  test("sees in the form what the rules are, and saves nothing without a difference", async () => {
    await change({ rates: "AT; ; ; 20; 2027-01-01", "category.3": "reduced" })
    const page = await text(RULES)
    for (const part of ["DE; DE123456789; 2000-01-01", "AT; ; standard; 20; 2027-01-01", 'value="reduced"'])
      expect(page).toContain(part)
    const again = await change({ rates: "AT; ; standard; 20; 2027-01-01", "category.3": "reduced" })
    expect([again.status, await again.text()]).toEqual([422, expect.stringContaining("like that already")])
  })

  test.each([
    ["a country that is none", { country: "Germany" }, "Seller&#x27;s country: must be a country code"],
    ["a rate that is no number", { rates: "AT; ; ; much" }, "Own rates, line 1: percent must be a number"],
    ["a rate without a number", { rates: "AT" }, "Own rates, line 1: percent must be a number"],
    ["a rate above everything", { rates: "\nAT; ; ; 20\nAT; ; ; 120" }, "Own rates, line 2: percent"],
    ["a day that does not exist", { rates: "AT; ; ; 20; 2026-02-30" }, "line 1: from must be a day"],
    ["a part too many", { registrations: "DE; 1; 2026-01-01; ; more" }, "Registrations, line 1"],
    ["a registration without a number", { registrations: "DE" }, "Registrations, line 1: number"],
    ["a registration without a known rate", { registrations: "NO; 1" }, "none is shipped for NO"],
    ["an exempt country that is none", { exempt: "US, XYZ" }, "Countries that are not taxed, line 2"],
    [
      "an accounting currency that is none",
      { accountingCurrency: "XYZ" },
      "Accounting currency: must be one of CHF",
    ],
    [
      "exchange rates without the accounting currency",
      { exchangeRates: "EUR; GBP; 0.8735; 2026-11-01" },
      "Accounting currency: must be one of CHF",
    ],
    ["a mode that is none", { "prices.EUR": "net" }, "Prices in the catalogue: EUR"],
    ["no reason", { reason: " " }, "Write down why."],
    ["a form that is older than another change", { seen: "7" }, "have changed since"],
  ])("is refused %s in words, with the form filled in", async (_, fields, words) => {
    const answer = await change({ exempt: "US", ...fields })
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toContain(words)
    for (const value of Object.values(fields).filter((it) => it.trim() !== "" && it !== "7" && it !== "net"))
      expect(page).toContain(value.trim())
    expect((await shop.billing.tax?.present())?.source).toBe("file")
  })

  test.each(badRates)("is refused %s in words, with the form filled in", async (_, exchangeRates, words) => {
    const answer = await change({ accountingCurrency: "EUR", exchangeRates })
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toContain(`Exchange rates, line ${words}`)
    expect(page).toContain(exchangeRates)
    expect(page).toContain('value="EUR"')
    expect((await shop.billing.tax?.present())?.source).toBe("file")
  })

  test("names the accounting currency and its exchange rates, which the page and the version show, and takes them out", async () => {
    const rates = "eur; gbp; 0,87350; 2026-11-01\nUSD; EUR; 0.86; 2026-12-01"
    expect((await change({ accountingCurrency: "eur", exchangeRates: rates })).status).toBe(303)
    const stored = {
      currency: "EUR",
      exchangeRates: [
        { base: "EUR", quote: "GBP", rate: "0.87350", from: "2026-11-01" },
        { base: "USD", quote: "EUR", rate: "0.86", from: "2026-12-01" },
      ],
    }
    expect((await shop.billing.tax?.present())?.content).toEqual({ ...file, accounting: stored })
    expect(await text(PATH)).toContain("1 EUR = 0.87350 GBP, from 2026-11-01")
    const version = await text(`${PATH}/versions/2`)
    for (const part of [
      "accounting currency: none → EUR",
      "exchange rate added: 1 USD = 0.86 EUR, from 2026-12-01",
    ])
      expect(version).toContain(part)
    const form = await text(RULES)
    expect(form).toContain("EUR; GBP; 0.87350; 2026-11-01\nUSD; EUR; 0.86; 2026-12-01")
    expect((await change({})).status).toBe(303)
    expect((await shop.billing.tax?.present())?.content).toEqual(file)
  })

  test("switches tax off and, once the rates are checked, on again; each is a version", async () => {
    expect((await act("switch-off-tax")).status).toBe(303)
    expect(shop.services.shop.tax).toBeNull()
    expect(await text(PATH)).toContain("Nothing is taxed: nobody has said that the rates are right.")
    expect((await buyPlan(shop)).tax).toBeUndefined()
    expect((await act("confirm-tax")).status).toBe(303)
    expect(shop.services.shop.tax?.confirmedOn).toBe("2026-11-20")
    expect((await shop.billing.tax?.versions({ limit: 9 }))?.map(({ how }) => how)).toEqual([
      "edit",
      "edit",
      "found",
    ])
  })

  test("uses the shop file's rules again", async () => {
    await change({ country: "AT", registrations: "AT; 1" })
    expect((await act("use-tax-file")).status).toBe(303)
    expect(shop.services.shop.tax?.country).toBe("DE")
    expect(await text(PATH)).toContain("the shop file&#x27;s again")
  })

  test("takes a version back with a reason, as a new one", async () => {
    await change({ country: "AT", registrations: "AT; 1" })
    const first = `${PATH}/versions/1`
    const unreasoned = await actOnPage(owner, first, { form: { action: "take-back-tax", reason: "" } })
    expect(unreasoned.status).toBe(422)
    const answer = await actOnPage(owner, first, { form: { action: "take-back-tax", reason: "a typo" } })
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}/versions/3`])
    expect(shop.services.shop.tax?.country).toBe("DE")
    expect(await text(first)).toContain("Nothing: the rules are like this.")
  })

  test("compares a version with any other one", async () => {
    await change({ exempt: "US" })
    await change({ exempt: "US, BR" })
    const since = async (version: string) => text(`${PATH}/versions/${version}`)
    expect(await since("1")).toContain("This is the first version.")
    expect(await since("3")).toContain("exempt countries: US → US, BR")
    expect(await since("3?with=1")).toContain("exempt countries: none → US, BR")
    const unknown = await owner.request({ path: `${PATH}/versions/3?with=9` })
    expect([unknown.status, await unknown.text()]).toEqual([422, expect.stringContaining("no version with")])
  })

  test("hears what is wrong with the rules before the reason and the password are asked for", async () => {
    shop.wait(11 * 60_000)
    const page = await (await change({ rates: "AT; ; ; much", reason: "" })).text()
    expect(page).toContain("Own rates, line 1: percent must be a number")
    expect(page).not.toContain("Write down why.")
  })

  test("needs password and code where they were given more than ten minutes ago", async () => {
    const { services } = shop
    shop.wait(11 * 60_000)
    expect(services.shop.tax).not.toBeNull()
    const answer = await act("switch-off-tax")
    expect(answer.status).toBe(422)
    expect(services.shop.tax).not.toBeNull()
  })

  test("sends a form twice and makes one version", async () => {
    const page = await text(PATH)
    const key = /name="key" value="([^"]+)"/.exec(page)?.[1] ?? ""
    const form = { action: "switch-off-tax", reason: "once", key, seen: "0" }
    const statuses = [await owner.request({ path: PATH, form }), await owner.request({ path: PATH, form })]
    expect(statuses.map(({ status }) => status)).toEqual([303, 303])
    expect(statuses.at(-1)?.headers.get("location")).toContain("sent-before")
    expect((await shop.billing.tax?.present())?.latest).toBe(2)
  })
})

test.each(["support", "viewer"] as const)(
  "an operator whose role is %s reads the rules and changes none",
  async (role) => {
    const who = await enrolled(shop, role)
    for (const path of [PATH, RULES]) expect(await text(path, who)).not.toContain('name="reason"')
    const key = await keyOfOwnSession(who)
    for (const [path, action] of [
      [PATH, "switch-off-tax"],
      [RULES, "edit-tax"],
    ] as const) {
      const form = { ...typed, exempt: "US", action, key, seen: "0", reason: "mine" }
      expect((await who.request({ path, form })).status).toBe(422)
    }
    expect((await shop.billing.tax?.present())?.latest).toBe(0)
  },
)

test("an unknown action changes nothing, nor does an unknown version", async () => {
  expect((await owner.request({ path: PATH, form: { action: "edit-tax" } })).status).toBe(400)
  for (const number of ["0", "9", "1e3", "x"])
    expect((await owner.request({ path: `${PATH}/versions/${number}` })).status).toBe(404)
})

describe("the preview", () => {
  const preview = (query: string) => text(`${PATH}?${query}`)

  test("says what a buyer of a country pays for a plan on a day: net, tax and gross", async () => {
    const page = await preview("country=at&region=&plan=3&day=2026-11-27")
    for (const part of ["20.00 %, taxed in AT", "€65.83", "€13.17", "€79.00"]) expect(page).toContain(part)
    expect(await preview("country=US&plan=3&day=2026-11-27")).toContain("not taxed there")
  })

  test("adds the tax to a price without it, by the rate of a region, before anything is switched on", async () => {
    await change({ rates: "ES; Canarias; ; 7", "prices.EUR": "exclusive" })
    await act("switch-off-tax")
    const page = await preview("country=ES&region=Canarias&plan=3&day=2026-11-27")
    for (const part of ["7.00 %, taxed in ES", "€79.00", "€5.53", "€84.53"]) expect(page).toContain(part)
  })

  test.each([
    ["country=Germany&plan=3&day=2026-11-27"],
    ["country=QQ&plan=3&day=2026-11-27"],
    ["country=DE&plan=99&day=2026-11-27"],
    ["country=DE&plan=3&day=tomorrow"],
    ["country=DE&plan=3&day=2026-13-01"],
    ["country=DE"],
  ])("answers %s with what to type", async (query) => {
    expect(await preview(query)).toContain("Type the code of a country")
  })
})
