import fc from "fast-check"
import { expect, test } from "vitest"
import type { Cycle } from "./billing-cycle"
import {
  bestOffer,
  type Plan,
  type Product,
  perMonth,
  planOf,
  plansOffered,
  resellerPlansOffered,
  savingPercent,
} from "./catalogue"
import { money } from "./money"

const year: Product = {
  id: "3",
  kind: "plan",
  name: "12 months",
  payType: "recurring",
  pricing: { EUR: { annually: 7_900 }, GBP: { annually: 6_900 } },
  options: [
    {
      id: "2",
      name: "Extra connection",
      choices: [{ id: "5", name: "Yes", pricing: { EUR: { annually: 1_990 } } }],
    },
    {
      id: "4",
      name: "Proxy protection",
      choices: [{ id: "6", name: "Yes", pricing: { EUR: { monthly: 150 } } }],
    },
  ],
  customFields: [],
}
const month: Product = {
  ...year,
  id: "1",
  name: "1 month",
  pricing: { EUR: { monthly: 1_200 } },
  options: [],
}
const half: Product = { ...month, id: "2", name: "6 months", pricing: { EUR: { semiannually: 5_400 } } }
const dollars: Product = { ...month, id: "7", pricing: { USD: { monthly: 1_300 } } }

test("three plans are offered, in the order of the price list, however many there are", () => {
  const products = [half, year, month, { ...month, id: "9" }]
  expect(plansOffered(products, "EUR").map(({ id }) => id)).toEqual(["2", "3", "1"])
})

test("a product without a price in the currency does not take another's place", () => {
  expect(plansOffered([dollars, half, year, month], "EUR").map(({ id }) => id)).toEqual(["2", "3", "1"])
})

test("nothing is offered when nothing is sold, or not in this currency", () => {
  expect(plansOffered([], "EUR")).toEqual([])
  expect(plansOffered([month], "USD")).toEqual([])
  expect(planOf(month, "USD")).toBeNull()
})

test("reseller plans are offered by the month, each with the lines it lets a reseller make", () => {
  const starter: Product = { ...month, id: "12", kind: "reseller", name: "Starter", credits: 25 }
  expect(resellerPlansOffered([starter, { ...starter, id: "13", credits: undefined }], "EUR")).toEqual([
    {
      id: "12",
      name: "Starter",
      payType: "recurring",
      cycle: "monthly",
      price: money(1_200, "EUR"),
      extraConnection: null,
      proxyProtection: null,
      credits: 25,
    },
    expect.objectContaining({ id: "13", credits: 0 }),
  ])
})

test("a reseller plan without a monthly price in the currency is not offered", () => {
  expect(resellerPlansOffered([year, dollars], "EUR")).toEqual([])
  expect(resellerPlansOffered([], "EUR")).toEqual([])
})

test("a plan is offered in the shortest cycle it is sold in, and free is a price", () => {
  const both = { ...year, pricing: { EUR: { annually: 7_900, monthly: 0 } } }
  expect(planOf(both, "EUR")).toMatchObject({ cycle: "monthly", price: money(0, "EUR") })
})

test("the first option is the extra connection, the second the proxy protection, each in the plan's cycle", () => {
  const plan = planOf(year, "EUR")
  expect(plan?.extraConnection).toEqual({
    optionId: "2",
    choiceId: "5",
    name: "Extra connection",
    price: money(1_990, "EUR"),
  })
  expect(plan?.proxyProtection).toBeNull()
})

test("an option that costs nothing in this currency is not offered in it", () => {
  expect(planOf(year, "GBP")).toMatchObject({ price: money(6_900, "GBP"), extraConnection: null })
})

test("the best offer is the plan that is cheapest per month", () => {
  const plans = plansOffered([month, half, year], "EUR")
  expect(bestOffer(plans)?.id).toBe("3")
  expect(plans.map((plan) => perMonth(plan).minor)).toEqual([1_200, 900, 658])
  expect(plans.map((plan) => savingPercent(plan, plans))).toEqual([0, 25, 45])
})

test("of equal offers the first is the best; of none there is no best", () => {
  const plans = plansOffered(
    [
      { ...month, id: "a" },
      { ...month, id: "b" },
    ],
    "EUR",
  )
  expect(bestOffer(plans)?.id).toBe("a")
  expect(bestOffer([])).toBeNull()
})

test("a plan paid once is not spread over months", () => {
  const plan = planOf({ ...half, payType: "onetime" }, "EUR")
  expect(plan && perMonth(plan)).toEqual(money(5_400, "EUR"))
})

test("free plans save nothing", () => {
  const plans = plansOffered([{ ...month, pricing: { EUR: { monthly: 0 } } }], "EUR")
  expect(plans.map((plan) => savingPercent(plan, plans))).toEqual([0])
})

test("a saving is a whole percent from 0 to 100, and no plan costs less per month than the best offer", () => {
  const plan = fc.record({
    price: fc.integer({ min: 0, max: 100_000 }),
    cycle: fc.constantFrom<Cycle>("monthly", "quarterly", "semiannually", "annually", "triennially"),
  })
  fc.assert(
    fc.property(fc.array(plan, { minLength: 1, maxLength: 3 }), (drawn) => {
      const plans = drawn.map(priced)
      const best = bestOffer(plans)
      for (const it of plans) {
        const percent = savingPercent(it, plans)
        expect(Number.isInteger(percent) && percent >= 0 && percent <= 100).toBe(true)
        expect(best && perMonth(best).minor <= perMonth(it).minor).toBe(true)
      }
    }),
  )
})

function priced({ price, cycle }: { price: number; cycle: Cycle }, at: number): Plan {
  const extras = { extraConnection: null, proxyProtection: null }
  return { id: String(at), name: "", payType: "recurring", cycle, price: money(price, "EUR"), ...extras }
}
