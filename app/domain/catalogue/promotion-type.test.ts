import { expect, test } from "vitest"
import { money } from "../money/money"
import { discountFields } from "./promotion-type"

test("a percentage is written with two decimals and without a currency", () => {
  expect(discountFields({ kind: "percentage", basisPoints: 1_250 })).toEqual({
    type: "Percentage",
    value: "12.50",
  })
})

test("a fixed amount is written with its currency", () => {
  expect(discountFields({ kind: "fixed", amount: money(500, "GBP") })).toEqual({
    type: "Fixed Amount",
    value: "5.00",
    currency: "GBP",
  })
})
