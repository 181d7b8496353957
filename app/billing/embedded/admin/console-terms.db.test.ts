import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money"
import {
  active,
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"

const END = NOON + 30 * DAY

describe.each(engines)("on %s", (engine) => {
  let shop: BillingWithTerms
  beforeEach(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterEach(() => shop.close())

  test("a term that ended counts until it is renewed late, also after the overview was looked at", async () => {
    const { serviceId } = await active(shop)
    const paidUntil = (paid_until: number) =>
      shop.ctx.db.updateTable("services").set({ paid_until }).where("id", "=", serviceId).execute()
    const ended = () => shop.overview.endedTerms({ from: END - 3 * DAY, until: END + DAY })
    await paidUntil(END)
    await shop.overview.hours({ from: END - DAY, until: END + DAY, now: END + 2 * DAY })
    expect(await ended()).toBe(1)
    await paidUntil(END + 30 * DAY)
    expect(await ended()).toBe(0)
  })

  test("account credit that a refund has made negative needs a person, and names the refunded order", async () => {
    const bought = await placed(shop)
    const attempt = await opened(shop, bought)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_300), NOON)
    await placed(shop, { customerId: bought.customerId, accountCreditScope: "account" })
    const query = { now: NOON + HOUR, yesterday: "2026-06-14", down: [] }
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
