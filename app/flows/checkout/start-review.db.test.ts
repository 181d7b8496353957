import { expect, test } from "vitest"
import { choice, openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { startReview } from "./start-review.server"

const EXTRA = 19_90
const agreedTerms = { code: null, shown: undefined, currency: "EUR" } as const

test.each([
  ["no total was shown", undefined, TOTAL],
  ["the shown total is correct", TOTAL, TOTAL],
  ["the total is lower than shown", TOTAL + 1_000, TOTAL],
  ["the total is higher than shown", TOTAL - 1_000, TOTAL - 1_000],
])("when %s, the agreed total is at most the shown one", async (_, total, agreed) => {
  const { services } = await openTestShop()
  expect(await startReview(services, choice, { ...agreedTerms, shown: { total } })).toMatchObject({
    kind: "ready",
    total: agreed,
  })
})

test("an extra that is not sold any more leaves the total as it was shown, so that the review asks", async () => {
  const { services } = await openTestShop()
  const plans = async () => (await services.billing.plans()).map((plan) => ({ ...plan, options: [] }))
  const start = (extraConnection: boolean) =>
    startReview(
      { ...services, billing: { ...services.billing, plans } },
      { ...choice, extraConnection },
      { ...agreedTerms, shown: { total: TOTAL } },
    )
  expect(await start(true)).toMatchObject({ kind: "ready", total: TOTAL })
  expect(await start(false)).toMatchObject({ kind: "ready", total: TOTAL - EXTRA })
})

test.each([
  ["are those of today", [79_00, EXTRA, null], TOTAL],
  ["were lower", [75_00, EXTRA, null], TOTAL - 4_00],
  ["were higher", [85_00, EXTRA, null], TOTAL],
])(
  "when the prices of a page without script %s, the agreed total is at most by them",
  async (_, prices, agreed) => {
    const { services } = await openTestShop()
    const shown = { currency: "EUR", plans: new Map([["3", prices]]) } as const
    expect(await startReview(services, choice, { ...agreedTerms, shown })).toMatchObject({ total: agreed })
    const withCode = { ...choice, promoCode: "WELCOME10" }
    const discounted = await startReview(services, withCode, { ...agreedTerms, shown: undefined })
    const total = discounted.kind === "ready" ? discounted.total + agreed - TOTAL : null
    expect(await startReview(services, withCode, { ...agreedTerms, shown })).toMatchObject({ total })
  },
)

test("drops an applied promo code of which the page has said that it is not valid for the chosen plan", async () => {
  const { services } = await openTestShop()
  const start = await startReview(services, { ...choice, plan: "1" }, { ...agreedTerms, code: "YEAR15" })
  expect(start).toMatchObject({ kind: "ready", choices: { promoCode: null } })
})

test.each([
  ["is not for the chosen plan", "1", "YEAR15", "not-for-this-product"],
  ["has ended", "3", "SUMMER25", "ended"],
])(
  "rejects an applied promo code that %s while the page took it off the price",
  async (_, plan, code, reason) => {
    const { services } = await openTestShop()
    const start = await startReview(
      services,
      { ...choice, plan },
      { ...agreedTerms, code, isDiscounted: true },
    )
    expect(start).toEqual({ kind: "rejected", field: "promoCode", reason: `promotion.${reason}` })
  },
)

test("rejects an entered promo code that is not valid for the chosen plan", async () => {
  const { services } = await openTestShop()
  const start = await startReview(services, { ...choice, plan: "1", promoCode: "YEAR15" }, agreedTerms)
  expect(start).toEqual({ kind: "rejected", field: "promoCode", reason: "promotion.not-for-this-product" })
})
