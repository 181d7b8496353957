import { expect, test } from "vitest"
import { money } from "../money/money"
import { shownCost, shownPricesIn, shownPricesText } from "./shown-prices"

const extra = (minor: number) => ({ optionId: "2", choiceId: "5", name: "Extra", price: money(minor, "EUR") })
const month = {
  id: "1",
  name: "A month",
  payType: "recurring",
  cycle: "monthly",
  price: money(12_00, "EUR"),
  extraConnection: extra(3_00),
  proxyProtection: null,
} as const
const year = { ...month, id: "year-2", price: money(79_00, "EUR"), proxyProtection: extra(24_90) }

test("prices of plans survive the field of a form", () => {
  const text = shownPricesText("EUR", [month, year])
  expect(text).toBe("EUR 1:1200:300: year-2:7900:300:2490")
  const shown = shownPricesIn(text)
  expect(shown?.currency).toBe("EUR")
  expect([...(shown?.plans ?? [])]).toEqual([
    ["1", [1200, 300, null]],
    ["year-2", [7900, 300, 2490]],
  ])
})

test.each([
  ["1", false, false, 1200],
  ["1", true, true, 1500],
  ["year-2", true, true, 10_690],
  ["year-2", false, true, 10_390],
  ["3", true, true, undefined],
])("plan %s with connection %s and proxy %s cost %s", (plan, extraConnection, proxyProtection, cost) => {
  const shown = {
    plans: new Map([["1", [1200, 300, null]] as const, ["year-2", [7900, 300, 2490]] as const]),
  }
  expect(shownCost(shown, { plan, extraConnection, proxyProtection })).toBe(cost)
})

test("a total has no prices of plans", () => {
  expect(shownPricesIn("7900EUR")).toEqual({ total: 7900, currency: "EUR" })
  expect(shownPricesIn("7900")).toEqual({ total: 7900 })
  expect(
    shownCost({ total: 7900 }, { plan: "1", extraConnection: false, proxyProtection: false }),
  ).toBeUndefined()
})

test.each(["", "EUR", "EUR 1", "EUR 1:12:3", "EUR 1:x::", "EUR  1:12::", "-1EUR", "1:12::"])(
  "a field with %j says nothing",
  (text) => {
    expect(shownPricesIn(text)).toBeUndefined()
  },
)
