import fc from "fast-check"
import { expect, test } from "vitest"
import { fromDecimal, money, plus, toDecimal } from "../money/money"
import type { Plan } from "./catalogue"
import { type AppliedDiscount, connectionsOf, freeQuote, type Quote, quote } from "./pricing"
import { discountOn } from "./promotion"

const plan: Plan = {
  id: "3",
  name: "12 months",
  payType: "recurring",
  cycle: "annually",
  price: money(7_900, "EUR"),
  extraConnection: { optionId: "2", choiceId: "5", name: "Extra connection", price: money(1_990, "EUR") },
  proxyProtection: { optionId: "4", choiceId: "6", name: "Proxy protection", price: money(990, "EUR") },
}
const bare = { extraConnection: false, proxyProtection: false }
const tenPercent: AppliedDiscount = {
  code: "WELCOME10",
  discount: { kind: "percentage", basisPoints: 1_000 },
}

test("the quote of a plan without extras is its price", () => {
  expect(quote(plan, bare, null)).toEqual({
    lines: [{ kind: "plan", productId: "3", name: "12 months", amount: money(7_900, "EUR") }],
    total: money(7_900, "EUR"),
  })
})

test("an extra connection makes two connections, whatever else is chosen", () => {
  const both = { extraConnection: true, proxyProtection: true }
  const proxyOnly = { extraConnection: false, proxyProtection: true }
  expect([bare, proxyOnly, both].map((extras) => connectionsOf(quote(plan, extras, tenPercent)))).toEqual([
    1, 1, 2,
  ])
})

test("the quote of a reseller's line is the plan at no charge, in the currency of its price", () => {
  expect(freeQuote({ ...plan, price: money(7_900, "GBP") })).toEqual({
    lines: [{ kind: "plan", productId: "3", name: "12 months", amount: money(0, "GBP") }],
    total: money(0, "GBP"),
  })
})

test("adds extras and takes the discount off their sum", () => {
  const { lines, total } = quote(plan, { extraConnection: true, proxyProtection: false }, tenPercent)
  expect(lines.map(({ kind, amount }) => [kind, amount.minor])).toEqual([
    ["plan", 7_900],
    ["extraConnection", 1_990],
    ["discount", -989],
  ])
  expect(total).toEqual(money(8_901, "EUR"))
})

test("each chosen extra has its own quote line with option id and choice id", () => {
  const { lines, total } = quote(plan, { extraConnection: true, proxyProtection: true }, null)
  expect(lines.slice(1)).toEqual([
    {
      kind: "extraConnection",
      optionId: "2",
      choiceId: "5",
      name: "Extra connection",
      amount: money(1_990, "EUR"),
    },
    {
      kind: "proxyProtection",
      optionId: "4",
      choiceId: "6",
      name: "Proxy protection",
      amount: money(990, "EUR"),
    },
  ])
  expect(total).toEqual(money(10_880, "EUR"))
})

test("does not charge an extra that the plan does not offer", () => {
  const simple = { ...plan, extraConnection: null, proxyProtection: null }
  expect(quote(simple, { extraConnection: true, proxyProtection: true }, null).total).toEqual(plan.price)
})

test("a discount above the price makes the total zero", () => {
  const generous: AppliedDiscount = {
    code: "GIFT",
    discount: { kind: "fixed", amount: money(99_999, "EUR") },
  }
  expect(quote(plan, bare, generous).total).toEqual(money(0, "EUR"))
})

test("a discount on a free plan is zero, not negative zero", () => {
  const { lines, total } = quote({ ...plan, price: money(0, "EUR") }, bare, tenPercent)
  expect(lines.at(-1)?.amount).toEqual(money(0, "EUR"))
  expect(total).toEqual(money(0, "EUR"))
})

const amount = fc.integer({ min: 0, max: 10_000_000 }).map((minor) => money(minor, "EUR"))
const extra = fc.option(amount.map((price) => ({ optionId: "o", choiceId: "c", name: "Extra", price })))
const plans = fc
  .record({ price: amount, extraConnection: extra, proxyProtection: extra })
  .map((drawn): Plan => ({ ...plan, ...drawn }))
const extras = fc.record({ extraConnection: fc.boolean(), proxyProtection: fc.boolean() })
const discount = fc.oneof(
  fc.record({ kind: fc.constant("percentage" as const), basisPoints: fc.integer({ min: 0, max: 10_000 }) }),
  fc.record({ kind: fc.constant("fixed" as const), amount }),
)
const applied = fc.option(discount.map((it): AppliedDiscount => ({ code: "CODE", discount: it })))

test("a total is the exact sum of its lines in whole cents, never negative, never above the undiscounted price", () => {
  fc.assert(
    fc.property(plans, extras, applied, (drawn, wanted, code) => {
      const { lines, total } = quote(drawn, wanted, code)
      expect(total.minor).toBe(lines.reduce((sum, line) => sum + line.amount.minor, 0))
      expect(Number.isSafeInteger(total.minor)).toBe(true)
      expect(total.minor).toBeGreaterThanOrEqual(0)
      expect(total.minor).toBeLessThanOrEqual(quote(drawn, wanted, null).total.minor)
    }),
  )
})

test("the total equals the sum of the lines and the sum of their decimal texts", () => {
  fc.assert(
    fc.property(plans, extras, applied, (drawn, wanted, code) => {
      const atOnce = quote(drawn, wanted, code)
      expect(lineByLine(drawn, wanted, code)).toEqual(atOnce.total)
      expect(overDecimalText(atOnce)).toEqual(atOnce.total)
      expect(quote(drawn, wanted, code)).toEqual(atOnce)
    }),
  )
})

function lineByLine(...[drawn, wanted, code]: Parameters<typeof quote>) {
  let minor = drawn.price.minor
  if (wanted.extraConnection) minor += drawn.extraConnection?.price.minor ?? 0
  if (wanted.proxyProtection) minor += drawn.proxyProtection?.price.minor ?? 0
  return money(minor - (code ? discountOn(money(minor, "EUR"), code.discount).minor : 0), "EUR")
}

function overDecimalText({ lines, total }: Quote) {
  const amounts = lines.map((line) => fromDecimal(toDecimal(line.amount), total.currency))
  return fromDecimal(toDecimal(amounts.reduce(plus)), total.currency)
}
