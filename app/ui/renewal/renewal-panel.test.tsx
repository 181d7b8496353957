import { expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { RenewalPanel, type RenewalView } from "./renewal-panel"

const year = { value: "1", total: money(7900, "EUR"), text: "Renew until May 2028" }
const twoYears = { value: "2", total: money(15800, "EUR"), text: "Renew until May 2029" }

const view: RenewalView = {
  serviceId: "s1",
  law: { orderButton: null, declarations: null },
  heading: "Renew",
  summary: "Renew until May 2028: €79.00",
  isFolded: true,
  isAsked: false,
  notes: [],
  pay: "Renew and pay {amount}",
  choices: [year],
  field: "cycles",
  value: "1",
  also: [],
  alsoText: "",
  gone: "",
  lower: null,
  gateways: [],
  gateway: null,
  key: "k1",
  balance: null,
  topUp: null,
  decline: null,
}

const page = (changes: Partial<RenewalView>) =>
  rendered(<RenewalPanel renewal={{ ...view, ...changes }} lastResult={null} />)

test.each([
  ["folded", { isFolded: true }],
  ["open", { isFolded: false }],
])("the only length of a renewal is named once, and sent, where the form is %s", async (_, changes) => {
  const document = await page(changes)
  expect(textOf(document).match(/until May 2028/g)).toHaveLength(1)
  const [form] = formsIn(document)
  expect(form?.submission(form.button({ value: "renew" }), {}).entries).toEqual([
    ["key", "k1"],
    ["serviceid", "s1"],
    ["cycles", "1"],
    ["price s1 1", "7900"],
    ["intent", "renew"],
  ])
})

test("several lengths are choices", async () => {
  const document = await page({ choices: [year, twoYears], value: "2" })
  const [form] = formsIn(document)
  expect(form?.submission(form.button({ value: "renew" }), {}).entries).toContainEqual(["cycles", "2"])
})

const payButton = async (changes: Partial<RenewalView>) =>
  elements(await page(changes), (it) => attribute(it, "value") === "renew").map((it) =>
    textOf(it).replace(/\s/g, " "),
  )

test("the button that renews names the price, less what account credit pays", async () => {
  expect(await payButton({})).toEqual(["Renew and pay €79.00"])
  const texts = { used: "From your credit", left: "You pay now", covered: "Pay from your credit" }
  const credit = { amount: money(10_00, "EUR"), texts }
  expect(await payButton({ credit })).toEqual(["Renew and pay €69.00"])
  expect(await payButton({ credit: { ...credit, amount: money(80_00, "EUR") } })).toEqual([texts.covered])
})

test("without script the button names no price that a choice may change", async () => {
  expect(await payButton({ choices: [year, twoYears] })).toEqual(["Continue to payment"])
})
