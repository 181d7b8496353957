import { expect, test } from "vitest"
import { UpsellDraft, UpsellForm } from "./upsell-form"

const complete = { key: "k-1", serviceid: "service", quantity: "3", gateway: "coinbase" }

/** The form's message keys by field. */
function errors(input: object) {
  const issues = UpsellForm.safeParse(input).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]))
}

test("a complete form orders a number of connections for a service", () => {
  expect(UpsellForm.parse(complete)).toEqual({ ...complete, quantity: 3 })
})

test.each(["1", "10"])("accepts an order of %s connections", (quantity) => {
  expect(errors({ ...complete, quantity })).toEqual({})
})

test.each([
  ["quantity", "0", "upsell.quantityProblem"],
  ["quantity", "11", "upsell.quantityProblem"],
  ["quantity", "1.5", "upsell.quantityProblem"],
  ["quantity", "-1", "upsell.quantityProblem"],
  ["quantity", "many", "upsell.quantityProblem"],
  ["quantity", undefined, "upsell.quantityProblem"],
  ["gateway", "paypal", "checkout.gateway.required"],
  ["gateway", undefined, "checkout.gateway.required"],
  ["key", "k".repeat(65), "upsell.gone"],
  ["key", "", "upsell.gone"],
  ["serviceid", "1 or 1=1", "upsell.gone"],
  ["serviceid", "s".repeat(65), "upsell.gone"],
])("rejects ordering with %s %j with the message %s", (field, value, message) => {
  expect(errors({ ...complete, [field]: value })).toEqual({ [field]: message })
})

test("updating the total keeps valid fields and ignores invalid ones", () => {
  expect(UpsellDraft.parse({ serviceid: "service", quantity: "4", gateway: "paypal" })).toEqual({
    serviceid: "service",
    quantity: 4,
  })
  expect(UpsellDraft.parse({ serviceid: "<b>", quantity: "1000" })).toEqual({})
  expect(UpsellDraft.parse({ quantity: ["2", "3"] })).toEqual({})
  expect(UpsellDraft.parse({})).toEqual({})
})
