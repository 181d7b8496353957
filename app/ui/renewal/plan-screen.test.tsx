import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, type Element, elements, textOf } from "../../../tests/support/html/html-tree"
import { PlanScreen, type PlanView } from "./plan-screen"

const words = { name: null, note: null, minutes: null }
const view: PlanView = {
  heading: "Change your plan",
  lead: "You have 1 month.",
  notes: [],
  next: { serviceId: "s1", text: "From June you have 3 months.", takeBack: "Keep my plan" },
  choices: [],
  chosen: {
    heading: "12 months",
    notes: [],
    figures: [],
    intent: "plan-change",
    submit: null,
    fields: { serviceid: "s1" },
    gateways: [{ id: "offshore", host: "pay.test", coins: [], isDegraded: false, words }],
    gateway: "offshore",
    law: { orderButton: null, declarations: null },
  },
  refused: "",
  notMade: null,
  back: { text: "Back", path: "/success" },
}

test("of the figures of a change what is to be paid now stands out", async () => {
  const figures = [
    { label: "New term", value: "€79.00" },
    { label: "To pay now", value: "€62.01", isDue: true },
  ]
  const chosen = view.chosen && { ...view.chosen, figures }
  const page = await rendered(<PlanScreen view={{ ...view, chosen }} lastResult={null} />)
  const strongIn = (it: Element) => elements(it, ({ tagName }) => tagName === "strong").map(textOf)
  const [list] = elements(page, (it) => attribute(it, "class") === "lines")
  expect(list && strongIn(list)).toEqual(["To pay now", "€62.01"])
})

test("the payment method belongs to the form of the change, also beside that of the plan that follows", async () => {
  const page = await rendered(<PlanScreen view={view} lastResult={null} />)
  const forms = elements(page, ({ tagName }) => tagName === "form").map((it) => attribute(it, "id"))
  expect(new Set(forms).size).toBe(2)
  const [radio] = elements(page, (it) => attribute(it, "name") === "gateway")
  const [button] = elements(page, (it) => attribute(it, "value") === "plan-change")
  const own = elements(page, ({ tagName }) => tagName === "form").find((it) =>
    elements(it, (inside) => inside === button).some(Boolean),
  )
  expect(radio && attribute(radio, "form")).toBe(own && attribute(own, "id"))
})
