import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE, type Order } from "~/domain/orders/order"
import { STANDARD, type TaxRules } from "~/domain/tax/tax"
import {
  catalogueFixture,
  catalogueForImport,
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { documentPolicy } from "../../../../tests/fixtures/document-policy"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { importCatalogue } from "../catalogue/catalogue.server"
import { createEmbeddedBilling, type EmbeddedBilling } from "../open-embedded-billing.server"
import { diagnoseDocuments } from "./document-check.server"

/** The buyers of these tests are in Morocco. */
const rules: TaxRules = {
  ...germanTax,
  registrations: [{ country: "MA", number: "MA1", from: "2020-01-01", until: null }],
  rates: [{ country: "MA", category: STANDARD, basisPoints: 2_000, from: "2020-01-01", until: null }],
}

describe.each(engines)("the check of invoices on %s", (engine) => {
  let database: TemporaryDatabase
  let ctx: Parameters<typeof createEmbeddedBilling>[0]
  let shop: EmbeddedBilling & { ledger: () => Promise<{ received: []; credit: [] }> }
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    ctx = {
      db: database.db,
      newId: database.newId,
      tax: { rules, timeZone: "UTC" },
      documents: documentPolicy,
    }
    await importCatalogue(ctx, catalogueForImport(catalogueFixture))
    shop = { ...createEmbeddedBilling(ctx), ledger: async () => ({ received: [], credit: [] }) }
  })
  afterEach(() => database.close())

  /** An order of 20.00 that an amount was paid for. */
  async function paid(minor = 2_000, changes: Parameters<typeof placed>[1] = {}): Promise<Order> {
    const order = await placed(shop, changes)
    const attempt = await opened(shop, order)
    const at = order.placedAt
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", minor), at)
    return order
  }

  const refund = (order: Order, minor: number, toCredit = false) =>
    shop.operator.recordRefund(order.id, {
      key: unique(),
      toCredit,
      amount: money(minor, "EUR"),
      reason: "asked",
      at: order.placedAt + 1,
    })
  const check = async () => {
    const { ok, message } = await diagnoseDocuments(ctx)
    return [ok, message]
  }
  const agrees = [true, "invoices less credit notes are what the ledgers have"]

  test("agrees without documents", async () => {
    expect(await check()).toEqual(agrees)
  })

  test("agrees with payments, refunds, surplus, account credit and what the operator has received", async () => {
    const order = await paid(2_300)
    const owner = { customerId: order.customerId, accountCreditScope: "account" } as const
    await paid(1_700, owner)
    await refund(order, 1_000)
    await refund(await paid(), 2_000)
    const open = await placed(shop)
    await shop.billing.applyOrderEvent(open.id, "paid", NOON, "by operator: cash")
    expect((await shop.documents.taxDocumentsOf(order.id)).map(({ kind }) => kind)).toEqual([
      "invoice",
      "credit-note",
    ])
    expect(await check()).toEqual(agrees)
  })

  test.each<[string, (order: Order) => Promise<unknown>]>([
    ["is cancelled", ({ id }) => shop.billing.applyOrderEvent(id, "aborted", NOON)],
    [
      "expires",
      async ({ id, deadline }) => {
        await shop.billing.applyOrderEvent(id, "deadlinePassed", deadline)
        await shop.payments.creditUnappliedPayments(deadline + LATE_PAYMENT_GRACE + 1, 9)
      },
    ],
  ])("agrees with an order in part paid that %s, and then is marked as paid", async (_, ends) => {
    const order = await placed(shop)
    const update = paymentUpdate(await opened(shop, order), "partially-paid", 400)
    await shop.payments.recordPaymentUpdate("offshore", update, NOON)
    await ends(order)
    await shop.billing.applyOrderEvent(order.id, "paid", NOON, "by operator: bank")
    expect(await check()).toEqual(agrees)
  })

  test("agrees with what was received outside the gateways, and paid back there or as account credit", async () => {
    const order = await placed(shop)
    const update = paymentUpdate(await opened(shop, order), "partially-paid", 400)
    await shop.payments.recordPaymentUpdate("offshore", update, NOON)
    await shop.billing.applyOrderEvent(order.id, "paid", NOON, "operator: cash")
    await refund(order, 700)
    await refund(order, 300, true)
    expect(await check()).toEqual(agrees)
    await ctx.db.deleteFrom("outside_payments").where("amount", "<", 0).execute()
    expect(await check()).toEqual([
      false,
      expect.stringContaining(`${order.id}: 10.00 EUR, ledgers 17.00 EUR`),
    ])
  })

  test("agrees with orders that an earlier version has marked as paid, without an entry", async () => {
    const order = await placed(shop)
    await shop.billing.applyOrderEvent(order.id, "paid", NOON, "operator: cash")
    await ctx.db.deleteFrom("outside_payments").execute()
    await refund(order, 700)
    await refund(order, 300, true)
    expect(await check()).toEqual(agrees)
  })

  test("names the order whose credit note is missing, and what each says", async () => {
    const order = await paid()
    await refund(order, 500)
    await paid()
    const [invoice] = await shop.documents.taxDocumentsOf(order.id)
    await ctx.db.deleteFrom("tax_documents").where("kind", "=", "credit-note").execute()
    expect(await check()).toEqual([
      false,
      `not as the ledgers have it: ${invoice?.number} of order ${order.id}: 20.00 EUR, ledgers 15.00 EUR`,
    ])
  })

  test("names the order whose payment was booked otherwise", async () => {
    const order = await paid()
    await ctx.db.updateTable("invoices").set({ received: 1_900 }).where("order_id", "=", order.id).execute()
    expect(await check()).toEqual([false, expect.stringContaining(order.id)])
  })

  test("names the first five of many", async () => {
    for (let nth = 0; nth < 7; nth++) await paid()
    await ctx.db.updateTable("invoices").set({ received: 0 }).execute()
    const [, message] = await check()
    expect(String(message).match(/of order/g)).toHaveLength(5)
    expect(message).toContain("and more")
  })

  test("is part of what doctor asks embedded billing", async () => {
    await paid()
    const checks = (await shop.operator.diagnose(NOON)).map((it) => it.check)
    expect(checks).toContain("invoices and ledgers")
  })
})
