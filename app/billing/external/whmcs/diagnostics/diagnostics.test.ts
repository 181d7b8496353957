import { afterEach, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import { NOON, paidAt, type WhmcsShop, whmcsShop } from "../../../../../tests/fixtures/whmcs-shop"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

const diagnostics = async (now = NOON) => shop.office.diagnose(now)
const about = async (check: string, now = NOON) => (await diagnostics(now)).filter((it) => it.check === check)

test("diagnose reports no failure for a correct installation and changes no data", async () => {
  const resellerCredits = new Map(["11", "12", "13"].map((id) => [id, 10]))
  shop = await whmcsShop({}, { resellerCredits })
  const all = await diagnostics()
  expect(all.filter(({ ok }) => ok === false)).toEqual([])
  expect(all.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["reachable", "permissions", "plans", "reseller plans", "currencies", "clock"]),
  )
  const { clients, orders, invoices, services, transactions } = shop.whmcs
  expect([clients, orders, invoices, services, transactions].map(({ length }) => length)).toEqual([
    0, 0, 0, 0, 0,
  ])
})

test("diagnose reports only the address that WHMCS saw if it is not on the allow list", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.deny = { address: true, credentials: false, actions: [] }
  expect(await diagnostics()).toEqual([
    {
      ok: false,
      check: "reachable",
      message: expect.stringMatching(/^Invalid IP .*127\.0\.0\.1.*: add this address/),
    },
  ])
})

test("diagnose reports an unreachable installation as failed", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.down = true
  expect(await diagnostics()).toMatchObject([{ ok: false, check: "reachable" }])
})

test("diagnose lists the actions with PHP output before their JSON", async () => {
  shop = await whmcsShop()
  expect(await about("PHP output")).toEqual([])
  shop.whmcs.quirks.html = "warning"
  const [diagnostic] = await about("PHP output")
  expect(diagnostic).toMatchObject({
    ok: null,
    message: expect.stringMatching(/^Warning before .*AddOrder.*display_errors/),
  })
})

test("diagnose lists the actions that the API role lacks", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.deny = { address: false, credentials: false, actions: ["addorder", "modulecreate"] }
  expect(await about("permissions")).toEqual([
    { ok: false, check: "permissions", message: "add to the API role: AddOrder, ModuleCreate" },
  ])
})

test("diagnose reports missing custom fields, set-up fees and missing credits per product", async () => {
  shop = await whmcsShop(
    { fieldsOnOrderForm: "listed", setupFees: { "1": { EUR: { monthly: 500 } } } },
    { resellerCredits: new Map() },
  )
  const plan = (await about("product 1")).map(({ message }) => message)
  expect(plan).toContain("prices in EUR, GBP, USD")
  expect(plan).toContainEqual(expect.stringMatching(/custom fields not found: MAC Address/))
  expect(plan).toContainEqual(expect.stringMatching(/set-up fees/))
  expect((await about("product 11")).filter(({ ok }) => ok === false)).toMatchObject([
    { message: expect.stringMatching(/RESELLER_PLAN_CREDITS/) },
  ])
})

test("diagnose reports that WHMCS lacks CURRENCY, and lists the currencies it has", async () => {
  shop = await whmcsShop({ currencies: ["USD", "GBP"] })
  expect(await about("currencies")).toEqual([
    {
      ok: false,
      check: "currencies",
      message: "CURRENCY EUR not found, WHMCS has: USD, GBP",
    },
  ])
  const prices = "no price in CURRENCY EUR, only in GBP, USD"
  expect(await about("product 1")).toContainEqual({ ok: false, check: "product 1", message: prices })
  const monthly = "no monthly price in CURRENCY EUR, only in GBP, USD"
  expect(await about("product 11")).toContainEqual({ ok: false, check: "product 11", message: monthly })
})

test("diagnose reports an unknown default currency", async () => {
  shop = await whmcsShop({ rates: { EUR: 250_000, GBP: 300_000, USD: 200_000 } })
  expect(await about("fixed discounts")).toEqual([])
  shop.whmcs.quirks.defaultCurrency = "unsaid"
  expect(await about("fixed discounts")).toMatchObject([{ ok: null }])
})

test("diagnose reports unknown plans, gateways without a payment module and a missing reseller setting", async () => {
  shop = await whmcsShop(
    { gateways: ["paypal"] },
    { plans: { ids: ["77"] }, resellerPlans: undefined, gatewayIds: ["offshore"] },
  )
  expect(await about("plans")).toMatchObject([{ ok: false }])
  expect(await about("reseller plans")).toMatchObject([{ ok: null }])
  expect(await about("gateway offshore")).toEqual([
    { ok: false, check: "gateway offshore", message: "payment module not found (active: paypal)" },
  ])
})

test("diagnose reports a wrong server clock and a wrong time zone", async () => {
  shop = await whmcsShop({ timeZone: "Europe/Madrid" })
  expect(await about("clock", NOON - 5 * MINUTE)).toEqual([
    { ok: false, check: "clock", message: "300 s ahead" },
  ])
  expect(await about("time zone")).toMatchObject([{ ok: null }])
  await paidAt(shop)
  expect(await about("time zone", NOON)).toMatchObject([
    { ok: false, message: expect.stringContaining(`${(2 * HOUR) / MINUTE} minutes in the future`) },
  ])
})
