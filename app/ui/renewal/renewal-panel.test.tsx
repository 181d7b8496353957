import { expect, test } from "vitest"
import { money } from "~/domain/money"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { textOf } from "../../../tests/support/html/html-tree"
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
