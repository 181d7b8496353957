import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import {
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { nothingWrong } from "../../../../tests/fixtures/need-query"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("on %s", (engine) => {
  let shop: BillingWithTerms
  beforeEach(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterEach(() => shop.close())

  test("account credit that a refund has made negative needs a person, and names the refunded order", async () => {
    const bought = await placed(shop)
    const attempt = await opened(shop, bought)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_300), NOON)
    await placed(shop, { customerId: bought.customerId, accountCreditScope: "account" })
    const query = { now: NOON + HOUR, yesterday: "2026-06-14", ...nothingWrong }
    const found = async () =>
      (await shop.overview.needs(query)).filter(({ kind }) => kind === "negative-credit")
    expect(await found()).toEqual([])
    const refund = { key: unique(), amount: money(300, "EUR"), reason: "asked", at: NOON + 1 }
    await shop.operator.recordRefund(bought.id, refund)
    expect(await found()).toMatchObject([
      { orderId: bought.id, amount: money(-300, "EUR"), since: NOON + 1, takenBy: null },
    ])
  })
})
