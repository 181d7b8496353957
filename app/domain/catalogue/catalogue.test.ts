import fc from "fast-check"
import { expect, test } from "vitest"
import { money } from "../money/money"
import type { Cycle } from "./billing-cycle"
import {
  bestOffer,
  bestPerLine,
  type Plan,
  type Product,
  perMonth,
  planOf,
  plansNeverShown,
  plansOffered,
  resellerPlansOffered,
  savingPercent,
} from "./catalogue"

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

test("offers the first three plans in catalogue order", () => {
  const products = [half, year, month, { ...month, id: "9" }]
  expect(plansOffered(products, "EUR").map(({ id }) => id)).toEqual(["2", "3", "1"])
})

test("skips a product without a price in the currency before counting to three", () => {
  expect(plansOffered([dollars, half, year, month], "EUR").map(({ id }) => id)).toEqual(["2", "3", "1"])
})

test("offers no plans without products or without prices in the currency", () => {
  expect(plansOffered([], "EUR")).toEqual([])
  expect(plansOffered([month], "USD")).toEqual([])
  expect(planOf(month, "USD")).toBeNull()
})

test("offers reseller plans at their monthly price with their credits", () => {
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

test("skips a reseller plan without a monthly price in the currency", () => {
  expect(resellerPlansOffered([year, dollars], "EUR")).toEqual([])
  expect(resellerPlansOffered([], "EUR")).toEqual([])
})

test("offers a plan in its shortest billing cycle, and accepts a price of zero", () => {
  const both = { ...year, pricing: { EUR: { annually: 7_900, monthly: 0 } } }
  expect(planOf(both, "EUR")).toMatchObject({ cycle: "monthly", price: money(0, "EUR") })
})

test("maps the first option to the extra connection and the second to proxy protection, in the plan's cycle", () => {
  const plan = planOf(year, "EUR")
  expect(plan?.extraConnection).toEqual({
    optionId: "2",
    choiceId: "5",
    name: "Extra connection",
    price: money(1_990, "EUR"),
  })
  expect(plan?.proxyProtection).toBeNull()
})

test("does not offer an option without a price in the currency", () => {
  expect(planOf(year, "GBP")).toMatchObject({ price: money(6_900, "GBP"), extraConnection: null })
})

test("the best offer is the plan with the lowest price per month", () => {
  const plans = plansOffered([month, half, year], "EUR")
  expect(bestOffer(plans)?.id).toBe("3")
  expect(plans.map((plan) => perMonth(plan).minor)).toEqual([1_200, 900, 658])
  expect(plans.map((plan) => savingPercent(plan, plans))).toEqual([0, 25, 45])
})

test("the best offer is the first of equal plans, and null without plans", () => {
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

test("the best reseller plan has the lowest price per line, where there are several with credits", () => {
  const best = (...sold: [id: string, price: number, credits: number][]) => {
    const products = sold.map(
      ([id, price, credits]): Product => ({
        ...month,
        id,
        kind: "reseller",
        credits,
        pricing: { EUR: { monthly: price } },
      }),
    )
    return bestPerLine(resellerPlansOffered(products, "EUR"))?.id
  }
  expect(best(["11", 4_900, 10], ["12", 10_900, 25], ["13", 37_900, 100])).toBe("13")
  // 3.7901 and 3.79 a line are both shown as 3.79.
  expect(best(["11", 379_01, 100], ["12", 379_00, 100])).toBe("12")
  expect(best(["11", 4_900, 10], ["12", 4_900, 10])).toBe("11")
  expect(best(["11", 4_900, 0], ["12", 10_900, 25])).toBeUndefined()
  expect(best()).toBeUndefined()
})

test("the price per month of a one-time plan is its full price", () => {
  const plan = planOf({ ...half, payType: "onetime" }, "EUR")
  expect(plan && perMonth(plan)).toEqual(money(5_400, "EUR"))
})

test("free plans have no saving", () => {
  const plans = plansOffered([{ ...month, pricing: { EUR: { monthly: 0 } } }], "EUR")
  expect(plans.map((plan) => savingPercent(plan, plans))).toEqual([0])
})

test("savings are whole percentages from 0 to 100, and no plan is cheaper per month than the best offer", () => {
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

test("a hidden plan is not offered, gives its place to the next one, and is not missed among those shown", () => {
  const plans = ["1", "2", "3", "4"].map((id) => ({ ...year, id, isHidden: id === "2" }))
  expect(plansOffered(plans, "EUR").map(({ id }) => id)).toEqual(["1", "3", "4"])
  expect(plansNeverShown(plans)).toEqual([])
  const reseller: Product = { ...month, kind: "reseller", credits: 10, isHidden: true }
  expect(resellerPlansOffered([reseller], "EUR")).toEqual([])
})
