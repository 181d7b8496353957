import { expect, test } from "vitest"
import { money } from "../money/money"
import { topUpAmounts, topUpQuote } from "./top-up"

const euro = (minor: number) => money(minor, "EUR")
const policy = { amounts: [1_000, 2_500, 5_000], max: 6_000 }

test.each([
  [0, [1_000, 2_500, 5_000]],
  [1_000, [1_000, 2_500, 5_000]],
  [1_001, [1_000, 2_500]],
  [5_001, []],
])("with %i of account credit, only what the bound leaves room for is offered", (credit, offered) => {
  expect(topUpAmounts(policy, euro(credit))).toEqual(offered.map(euro))
})

test("a shop without amounts offers none", () => {
  expect(topUpAmounts({ amounts: [], max: 6_000 }, euro(0))).toEqual([])
})

test("the quote of a top-up is its amount", () => {
  expect(topUpQuote(euro(2_500))).toEqual({
    lines: [{ kind: "accountCredit", amount: euro(2_500) }],
    total: euro(2_500),
  })
})
