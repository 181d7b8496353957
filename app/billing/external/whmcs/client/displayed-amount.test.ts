import { expect, test } from "vitest"
import { displayedAmount } from "./displayed-amount"

test.each([
  ["€7.50 EUR", 750],
  ["$-8.67 USD", -867],
  ["-$8.67 USD", -867],
  ["0.00", 0],
  ["$-0.00 USD", 0],
  ["1234.56 USD", 123_456],
  ["£1,234.56 GBP", 123_456],
  ["1.234,56 €", 123_456],
  ["€1,234 EUR", 123_400],
  ["€12 EUR", 1_200],
  ["Rs. 99.00", 9_900],
])("the displayed amount %s is %i hundredths", (text, minor) => {
  expect(displayedAmount(text)).toBe(minor)
})

test.each(["", "free", "€"])("%o is no amount", (text) => {
  expect(displayedAmount(text)).toBeNull()
})
