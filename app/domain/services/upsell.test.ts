import { expect, test } from "vitest"
import { withoutTerm } from "../../../tests/fixtures/without-term"
import type { Choice, Product } from "../catalogue/catalogue"
import { money } from "../money/money"
import type { Service } from "./service"
import { newTerm, trialTerm } from "./term"
import { extraFor, quoteUpsell, unitField } from "./upsell"

const connection: Choice = {
  id: "5",
  name: "Yes",
  pricing: { EUR: { monthly: 250, annually: 1_990 }, GBP: { monthly: 210 } },
}
const product: Product = {
  id: "7",
  kind: "plan",
  name: "12 months",
  payType: "recurring",
  customFields: [],
  pricing: { EUR: { monthly: 1_000, annually: 7_900 }, GBP: { monthly: 900 } },
  options: [
    { id: "2", name: "Extra connection", choices: [connection] },
    { id: "4", name: "Proxy protection", choices: [{ ...connection, id: "9" }] },
  ],
}
const service: Service = {
  id: "s",
  orderId: "o",
  customerId: "c",
  productId: "7",
  kind: "plan",
  name: "12 months",
  status: "Active",
  username: "TV",
  password: "1",
  host: "https://tv.test",
  connections: 1,
  proxyProtection: false,
  cycle: "annually",
  currency: "EUR",
  deviceAddress: null,
  notes: "",
  ...withoutTerm,
}
const NOW = Date.UTC(2026, 10, 20)
const extra = { optionId: "2", choiceId: "5", name: "Extra connection" }

test("prices a connection by the product's first option in the service's cycle and currency", () => {
  expect(extraFor(service, product, NOW)).toEqual({ ...extra, price: money(1_990, "EUR") })
  expect(extraFor({ ...service, cycle: "monthly" }, product, NOW)?.price).toEqual(money(250, "EUR"))
  expect(extraFor({ ...service, cycle: "monthly", currency: "GBP" }, product, NOW)?.price).toEqual(
    money(210, "GBP"),
  )
})

test("prices a connection for a one-time plan by the monthly price", () => {
  const once: Product = { ...product, payType: "onetime", pricing: { EUR: { monthly: 7_900 } } }
  expect(extraFor({ ...service, cycle: "monthly" }, once, NOW)?.price).toEqual(money(250, "EUR"))
})

test("prices a service without a stored cycle by its product's shortest cycle", () => {
  expect(extraFor({ ...service, cycle: null }, product, NOW)?.price).toEqual(money(250, "EUR"))
  const yearly: Product = { ...product, pricing: { EUR: { annually: 7_900 } } }
  expect(extraFor({ ...service, cycle: null }, yearly, NOW)?.price).toEqual(money(1_990, "EUR"))
})

test.each<[string, Service, Product]>([
  ["the product has no options", service, { ...product, options: [] }],
  ["it has no price for the cycle", { ...service, cycle: "quarterly" }, product],
  ["it has no price in the currency for the cycle", { ...service, currency: "GBP" }, product],
  [
    "the service has no stored cycle and its product no price in the currency",
    { ...service, cycle: null, currency: "USD" },
    product,
  ],
])("offers no connection when %s", (_, bought, sold) => {
  expect(extraFor(bought, sold, NOW)).toBeNull()
})

test("offers no connection for a service whose paid time is over, unless an external billing decides", () => {
  const paid = { ...service, term: newTerm(NOW, "UTC", 1), paidUntil: NOW }
  expect(extraFor(paid, product, NOW - 1)).not.toBeNull()
  expect(extraFor(paid, product, NOW)).toBeNull()
  expect(extraFor({ ...paid, term: null }, product, NOW)).not.toBeNull()
})

test("offers no connection for a free trial", () => {
  const trial = { ...service, term: trialTerm(NOW, "UTC", 24), paidUntil: NOW + 1 }
  expect(extraFor(trial, product, NOW)).toBeNull()
})

test.each([
  [1, 1_990],
  [3, 5_970],
  [10, 19_900],
])("quotes %i connections at 19.90 as one line of %i cents", (quantity, minor) => {
  const amount = money(minor, "EUR")
  expect(quoteUpsell({ ...extra, price: money(1_990, "EUR") }, quantity)).toEqual({
    lines: [{ kind: "moreConnections", ...extra, quantity, amount }],
    total: amount,
  })
})

test("the unit price field of a form is named after the service", () => {
  expect(unitField("7K3")).toBe("unit 7K3")
  expect(unitField("7K4")).not.toBe(unitField("7K3"))
})
