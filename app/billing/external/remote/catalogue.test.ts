import { afterAll, expect, test } from "vitest"
import { CodeRejectedError } from "~/billing/billing"
import { remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { openOldBilling } from "../../../../tests/fakes/legacy-billing-server"
import { openRemote } from "./remote.server"

const legacyBilling = await openOldBilling()
const externalBilling = openRemote({ ...remoteSettings, url: legacyBilling.url })
const NOW = Date.now()
afterAll(() => legacyBilling.close())

test("plans are parsed with options, custom fields and prices in the shop's currencies", async () => {
  const [monthly, yearly, ...others] = await externalBilling.plans()
  expect(monthly).toMatchObject({ id: "3", kind: "plan", name: "1 month", payType: "recurring" })
  expect(monthly?.pricing).toEqual({ EUR: { monthly: 1250 }, GBP: { monthly: 1250 } })
  const [extra, proxy] = monthly?.options ?? []
  const pricing = { EUR: { monthly: 500, annually: 500 }, GBP: { monthly: 500 } }
  expect(extra).toEqual({ id: "2", name: "Extra connection", choices: [{ id: "7", name: "Yes", pricing }] })
  expect(proxy).toMatchObject({ id: "4", choices: [{ id: "9" }] })
  expect(monthly?.customFields.map(({ id }) => id)).toEqual(["11", "12", "13"])
  expect(yearly).toMatchObject({ id: "4", options: [], pricing: { EUR: { annually: 9000 } } })
  expect(others).toEqual([])
})

test("a single reseller plan is parsed as a list, with the configured credits", async () => {
  const [plan, ...others] = await externalBilling.resellerPlans()
  expect(plan).toMatchObject({ id: "21", kind: "reseller", payType: "onetime", credits: 10, options: [] })
  expect(others).toEqual([])
})

test("promotions are parsed with discount kind, days and uses", async () => {
  expect(await externalBilling.promotion("welcome")).toEqual({
    code: "WELCOME",
    productIds: ["3", "4"],
    startsOn: null,
    endsOn: "2027-01-31",
    discount: { kind: "percentage", basisPoints: 1000 },
    maxUses: null,
    uses: 5,
    releasesUses: false,
  })
  expect(await externalBilling.promotion("MINUS5")).toMatchObject({
    startsOn: "2026-01-01",
    endsOn: null,
    maxUses: 20,
    uses: 20,
    discount: { kind: "fixed", amount: { minor: 500, currency: "EUR" } },
  })
})

test.each(["NOBODY", "FREESETUP"])(
  "promotion returns null for %s, an unknown code or an unsupported kind",
  async (code) => {
    expect(await externalBilling.promotion(code)).toBeNull()
  },
)

test.each([
  ["NEW-ONLY", "This code is for new customers: only."],
  ["MAYBE", "Ask us for a code."],
])("the code %s is rejected with the sentence that the server has for its buyer", async (code, sentence) => {
  const rejection = await externalBilling.promotion(code).catch((error: unknown) => error)
  expect(rejection).toBeInstanceOf(CodeRejectedError)
  expect(rejection).toMatchObject({ kind: "refused", sentence })
})

test.each(["BROKEN", "LONG", "SILENT"])(
  "the code %s, refused without a sentence, is unknown",
  async (code) => {
    expect(await externalBilling.promotion(code)).toBeNull()
  },
)

test("gateways returns the names of the payment modules", async () => {
  expect(await externalBilling.gateways()).toEqual(["offshore", "coinbase", "cryptomusgateway"])
})

test("diagnose lists what an older server supports, and its clock difference", async () => {
  expect(await externalBilling.diagnose(NOW)).toEqual([
    { ok: true, check: "server", message: "reachable" },
    { ok: true, check: "plans", message: "1 month, 12 months" },
    { ok: true, check: "currencies", message: "EUR, GBP" },
    { ok: true, check: "custom fields", message: "username and password found" },
    { ok: true, check: "reseller plans", message: "Reseller 10" },
    { ok: true, check: "gateways", message: "offshore, coinbase, cryptomusgateway" },
    { ok: null, check: "extras", message: "none: older server, may not check the key" },
    { ok: true, check: "clock", message: expect.stringMatching(/^\d s off$/) },
  ])
  expect(await externalBilling.diagnose(NOW + 600_000)).toContainEqual({
    ok: false,
    check: "clock",
    message: expect.stringMatching(/^(59|60)\d s off$/),
  })
})

test("diagnose reports failed calls, a rejected key and missing reseller credits", async () => {
  const mute = openRemote({ ...remoteSettings, url: legacyBilling.url, resellerCredits: new Map() })
  legacyBilling.spoil("/getProductCustomFields", 500, 500)
  const findings = await mute.diagnose(NOW)
  const message = "unknown for 21 (Reseller 10): set RESELLER_PLAN_CREDITS"
  expect(findings).toContainEqual({ ok: false, check: "reseller credits", message })
  expect(findings).toContainEqual({
    ok: false,
    check: "custom fields",
    message: expect.stringMatching(/answered 500$/),
  })
  legacyBilling.spoil("/getProducts", 401)
  expect(await mute.diagnose(NOW)).toContainEqual(expect.objectContaining({ ok: false, check: "key" }))
  legacyBilling.spoil("/getProducts", "html")
  expect(await mute.diagnose(NOW)).toEqual([expect.objectContaining({ ok: false, check: "server" })])
})
