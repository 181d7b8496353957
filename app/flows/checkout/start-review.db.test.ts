import { expect, test } from "vitest"
import { choice, openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { startOrder } from "./start-review.server"

const agreedTerms = { code: null, total: undefined }

test.each([
  ["nothing was kept up to date", undefined, TOTAL],
  ["the page showed what it comes to", TOTAL, TOTAL],
  ["it comes to less than the page showed", TOTAL + 1_000, TOTAL],
  ["it comes to more than the page showed", TOTAL - 1_000, TOTAL - 1_000],
])("when %s, the visitor has agreed to what he knew or to less", async (_, total, agreed) => {
  const { services } = await openTestShop()
  expect(await startOrder(services, choice, { ...agreedTerms, total })).toMatchObject({
    kind: "ready",
    total: agreed,
  })
})

test("a code that was applied for another plan is left out, as the page has said", async () => {
  const { services } = await openTestShop()
  const start = await startOrder(services, { ...choice, plan: "1" }, { ...agreedTerms, code: "YEAR15" })
  expect(start).toMatchObject({ kind: "ready", choices: { promoCode: null } })
})

test("a code that is typed must hold", async () => {
  const { services } = await openTestShop()
  const start = await startOrder(services, { ...choice, plan: "1", promoCode: "YEAR15" }, agreedTerms)
  expect(start).toEqual({ kind: "rejected", field: "promoCode", reason: "promotion.not-for-this-product" })
})
