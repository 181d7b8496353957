import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import type { NewOrder } from "~/billing/orders/new-order"
import { documentSums, type IssuedDocument } from "~/domain/accounting/tax-document"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  type BillingUnderTest,
  catalogueFixture,
  catalogueForImport,
  NOON,
  opened,
  paymentUpdate,
  placed,
  promotions,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { termPolicy } from "../../../../tests/fixtures/term-policy"
import { freshMigratedDatabase } from "../../../../tests/support/db/migrated-postgres"
import { openMigratedMemoryDatabase } from "../../../../tests/support/db/migrated-sqlite"
import { statementsOf } from "../../../../tests/support/db/statement-counter"
import { diagnoseDocuments } from "../admin/document-check.server"
import { seedIfEmpty } from "../catalogue/catalogue.server"
import { openDatabase } from "../db/database.server"
import type { DbContext } from "../db/transaction.server"
import { createEmbeddedBilling, type EmbeddedBilling } from "../open-embedded-billing.server"
import { settlePayment } from "../payments/settlement.server"

const tax = { rules: germanTax, timeZone: "Europe/Berlin" }
const buyer = { named: "DE", located: "DE" }
const eur = (minor: number) => money(minor, "EUR")

describe.each(["SQLite", "PostgreSQL"])("documents of tax on %s", (engine) => {
  /** Null: SQLite has one instance. */
  let url: string | null
  let shop: EmbeddedBilling
  let ctx: DbContext
  /** As the contract's fixtures take it. */
  const backend = () => shop as unknown as BillingUnderTest

  beforeAll(async () => {
    url = engine === "SQLite" ? null : await freshMigratedDatabase(inject("postgres"))
    ctx = await openedContext(url)
    await seedIfEmpty(ctx, async () => catalogueForImport(catalogueFixture))
    shop = createEmbeddedBilling(ctx)
  })
  afterAll(() => shop.close())

  const record = (it: ReturnType<typeof paymentUpdate>, at = NOON) =>
    shop.payments.recordPaymentUpdate("offshore", it, at)
  const taxed = (changes: Partial<NewOrder> = {}) => placed(backend(), { buyer, ...changes })
  const of = ({ id }: Order) => shop.documents.taxDocumentsOf(id)
  async function bought(changes: Partial<NewOrder> = {}) {
    const order = await taxed(changes)
    const attempt = await opened(backend(), order)
    await record(paymentUpdate(attempt, "paid", 2_000))
    return { order, attempt }
  }
  const shown = ({ kind, lines }: IssuedDocument) => ({ kind, ...documentSums(lines) })

  test("a paid order has one invoice, which says who sold what to whom, at which tax, and how it was paid", async () => {
    const { order, attempt } = await bought()
    await record(paymentUpdate(attempt, "paid", 2_000), NOON + HOUR)
    const [invoice, ...others] = await of(order)
    expect(others).toEqual([])
    expect(invoice).toMatchObject({
      kind: "invoice",
      number: expect.stringMatching(/^2026-\d{6}$/),
      issuedOn: "2026-06-15",
      locale: "de-de",
      currency: "EUR",
      corrects: null,
      invoiceId: order.invoiceId,
      seller: { name: "TV GmbH", taxNumber: "DE123456789" },
      buyer: { email: order.email, country: "DE" },
      lines: [
        { kind: "plan", text: 'Sport & "more"', basisPoints: 1_900, net: 1_681, tax: 319, gross: 2_000 },
      ],
      payments: [{ by: "offshore", amount: 2_000, at: NOON }],
    })
    expect(await shop.documents.taxDocument(invoice?.number ?? "")).toEqual(invoice)
    expect(await shop.documents.taxDocument("2026-999999")).toBeNull()
  })

  test("an unpaid, a free and an untaxed order have none", async () => {
    const unpaid = await taxed()
    const free = await placed(backend(), { buyer }, promotions.free)
    expect([await of(unpaid), await of(free)]).toEqual([[], []])
  })

  test("an unpaid order has a proforma of its day with its tax and what has arrived, and draws no number", async () => {
    const order = await taxed()
    const attempt = await opened(backend(), order)
    const proforma = await shop.documents.proforma(order.id)
    expect(proforma).toMatchObject({
      kind: "proforma",
      number: null,
      orderId: order.id,
      issuedAt: order.placedAt,
      issuedOn: "2026-06-15",
      seller: { name: "TV GmbH", country: "DE", taxNumber: "DE123456789" },
      buyer: { email: order.email, country: "DE" },
      lines: [{ kind: "plan", basisPoints: 1_900, net: 1_681, tax: 319, gross: 2_000 }],
      payments: [],
    })
    expect(await of(order)).toEqual([])
    await record(paymentUpdate(attempt, "partially-paid", 500))
    const partly = await shop.documents.proforma(order.id)
    expect(partly).toEqual({ ...proforma, payments: [{ by: "offshore", amount: 500, at: NOON }] })
    await record(paymentUpdate(attempt, "paid", 2_000))
    expect(await shop.documents.proforma(order.id)).toBeNull()
    const [invoice] = await of(order)
    expect(invoice?.lines).toEqual(proforma?.lines)
  })

  test("an ended, an untaxed and an unknown order have no proforma, nor has one of a shop that issues no documents", async () => {
    const order = await taxed()
    const none = createEmbeddedBilling({ ...ctx, documents: undefined })
    expect(await none.documents.proforma(order.id)).toBeNull()
    await shop.billing.applyOrderEvent(order.id, "aborted", NOON)
    const free = await placed(backend(), { buyer }, promotions.free)
    for (const id of [order.id, free.id, "none"]) expect(await shop.documents.proforma(id)).toBeNull()
  })

  test("an order paid from account credit, marked as paid, or paid late has its invoice", async () => {
    const first = await taxed()
    await record(paymentUpdate(await opened(backend(), first), "paid", 4_000))
    const byCredit = await taxed({ customerId: first.customerId, accountCreditScope: "account" })
    expect(await of(byCredit)).toMatchObject([{ payments: [{ by: "credit", amount: 2_000 }] }])

    const second = await taxed()
    await record(paymentUpdate(await opened(backend(), second), "paid", 2_500))
    const partly = await taxed({ customerId: second.customerId, accountCreditScope: "account" })
    await record(paymentUpdate(await opened(backend(), partly, 1_500), "paid", 1_700))
    // An overpayment is other credit than that which was used.
    expect(await of(partly)).toMatchObject([
      {
        payments: [
          { by: "credit", amount: 500 },
          { by: "offshore", amount: 1_500 },
        ],
      },
    ])

    const marked = await taxed()
    await shop.billing.applyOrderEvent(marked.id, "paid", NOON, "bank")
    expect(await of(marked)).toMatchObject([{ payments: [{ by: "other", amount: 2_000 }] }])

    const late = await taxed()
    const open = await opened(backend(), late)
    await shop.billing.applyOrderEvent(late.id, "deadlinePassed", NOON + DAY)
    await record(paymentUpdate(open, "paid", 2_500), NOON + 2 * DAY)
    // More than the total is account credit.
    expect(await of(late)).toMatchObject([
      { issuedOn: "2026-06-17", payments: [{ by: "offshore", amount: 2_000 }] },
    ])
  })

  test("the invoice of an order that is marked as paid names no payment that has become account credit", async () => {
    const marked = await taxed()
    await record(paymentUpdate(await opened(backend(), marked), "partially-paid", 400))
    await shop.billing.applyOrderEvent(marked.id, "aborted", NOON)
    await shop.billing.applyOrderEvent(marked.id, "paid", NOON + DAY, "bank")
    expect(await of(marked)).toMatchObject([{ payments: [{ by: "other", amount: 2_000 }] }])

    const kept = await taxed()
    await record(paymentUpdate(await opened(backend(), kept), "partially-paid", 400))
    await shop.billing.applyOrderEvent(kept.id, "paid", NOON + DAY, "bank")
    expect(await of(kept)).toMatchObject([
      {
        payments: [
          { by: "offshore", amount: 400 },
          { by: "other", amount: 1_600 },
        ],
      },
    ])
  })

  test.each([
    ["stays account credit", 0],
    ["is refunded", 400],
  ])("an order that is paid late through another gateway names no part that %s", async (_, refunded) => {
    const order = await taxed()
    const attempt = await opened(backend(), order)
    const other = await opened(backend(), { ...order, gateway: "coinbase" })
    await record(paymentUpdate(attempt, "partially-paid", 400))
    await shop.billing.applyOrderEvent(order.id, "aborted", NOON + HOUR)
    const back = { ...paymentUpdate(attempt, "refunded", 400), refunded: eur(refunded) }
    if (refunded > 0) await record(back, NOON + 2 * HOUR)
    const late = paymentUpdate(other, "paid", 2_300)
    await shop.payments.recordPaymentUpdate("coinbase", late, NOON + 3 * HOUR)
    expect(await of(order)).toMatchObject([
      { payments: [{ by: "coinbase", amount: 2_000, at: NOON + 3 * HOUR }] },
    ])
  })

  test("refunds have credit notes that add up to the invoice, money that comes again another invoice", async () => {
    const order = await taxed()
    const attempt = await opened(backend(), order)
    const again = await opened(backend(), order, 1_999)
    await record(paymentUpdate(attempt, "paid", 2_000))
    const [invoice] = await of(order)
    const refunded = (minor: number) => ({
      ...paymentUpdate(attempt, "refunded", 2_000),
      refunded: eur(minor),
    })
    await record(refunded(333), NOON + DAY)
    await record(refunded(333), NOON + DAY)
    await record(refunded(2_000), NOON + 2 * DAY)
    const [, part, rest] = await of(order)
    expect(part).toMatchObject({
      number: expect.stringMatching(/^CN-2026-\d{6}$/),
      issuedOn: "2026-06-16",
      // What is taken back was supplied on the day of the sale.
      suppliedOn: "2026-06-15",
      corrects: { number: invoice?.number, issuedOn: "2026-06-15" },
      payments: [{ by: "offshore", amount: 333 }],
    })
    if (!part || !rest) throw new Error("A credit note is missing")
    expect(shown(part)).toEqual({ kind: "credit-note", net: 280, tax: 53, gross: 333 })
    expect(shown(rest)).toEqual({ kind: "credit-note", net: 1_401, tax: 266, gross: 1_667 })

    await record(paymentUpdate(again, "paid", 2_500), NOON + 3 * DAY)
    const issued = await of(order)
    expect(issued.map(shown).at(-1)).toEqual({ kind: "invoice", net: 1_681, tax: 319, gross: 2_000 })
    expect(issued).toHaveLength(4)
  })

  test("a refund of what became account credit has no credit note", async () => {
    const order = await taxed()
    const attempt = await opened(backend(), order)
    await record(paymentUpdate(attempt, "paid", 2_500))
    await record({ ...paymentUpdate(attempt, "refunded", 2_500), refunded: eur(500) })
    expect((await of(order)).map(({ kind }) => kind)).toEqual(["invoice"])
    await record({ ...paymentUpdate(attempt, "refunded", 2_500), refunded: eur(800) })
    expect((await of(order)).map(shown).at(-1)).toMatchObject({ kind: "credit-note", gross: 300 })
  })

  test("a report of a payment together with a refund has an invoice and a credit note", async () => {
    const order = await taxed()
    const attempt = await opened(backend(), order)
    await record({ ...paymentUpdate(attempt, "paid", 2_000), refunded: eur(300) })
    expect((await of(order)).map(shown)).toMatchObject([
      { kind: "invoice", gross: 2_000 },
      { kind: "credit-note", gross: 300 },
    ])
  })

  test("the year is that of the shop's time zone, and each year begins with 1", async () => {
    const order = await taxed({ at: Date.UTC(2029, 11, 31, 20), deadline: Date.UTC(2030, 0, 2) })
    const attempt = await opened(backend(), order)
    await record(paymentUpdate(attempt, "paid", 2_000), Date.UTC(2029, 11, 31, 23, 30))
    expect(await of(order)).toMatchObject([{ number: "2030-000001", issuedOn: "2030-01-01" }])
  })

  test("what a document says stays, whatever the shop and the buyer change; an erased buyer's e-mail is gone", async () => {
    const { order } = await bought()
    const [before] = await of(order)
    const other = `other-${order.email}`
    await shop.operator.changeEmail({ customerId: order.customerId, to: other, at: NOON + HOUR })
    expect(await of(order)).toEqual([before])
    await shop.operator.eraseCustomer([order.customerId], { force: true })
    const rows = await ctx.db
      .selectFrom("tax_documents")
      .selectAll()
      .where("order_id", "=", order.id)
      .execute()
    expect(JSON.stringify(rows)).not.toContain(order.email)
    const changed = { ...documents, seller: { ...documents.seller, name: "Other" } }
    const [after] = await createEmbeddedBilling({ ...ctx, documents: changed }).documents.taxDocumentsOf(
      order.id,
    )
    expect(after).toEqual({ ...before, buyer: { ...before?.buyer, email: null } })
  })

  describe("a refund without a payment", () => {
    const [MARKED, LATER] = [NOON + HOUR, NOON + 2 * HOUR]
    const refund = ({ id }: Order, minor: number, toCredit: boolean) =>
      shop.operator.recordRefund(id, {
        key: unique(),
        amount: eur(minor),
        reason: "asked",
        at: LATER,
        toCredit,
      })
    /** Net, tax and gross that are left of an order's documents. */
    async function left(order: Order) {
      const signed = (await of(order)).map((it) => [it.kind === "invoice" ? 1 : -1, shown(it)] as const)
      return (["net", "tax", "gross"] as const).map((part) =>
        signed.reduce((sum, [sign, it]) => sum + sign * it[part], 0),
      )
    }
    const agree = async () => expect(await diagnoseDocuments(ctx)).toMatchObject({ ok: true })

    test("of account credit has credit notes for its parts, which come to the invoice to the cent", async () => {
      const first = await taxed()
      await record(paymentUpdate(await opened(backend(), first), "paid", 4_000))
      const order = await taxed({ customerId: first.customerId, accountCreditScope: "account" })
      await refund(order, 333, true)
      expect((await of(order)).map(shown)).toEqual([
        { kind: "invoice", net: 1_681, tax: 319, gross: 2_000 },
        { kind: "credit-note", net: 280, tax: 53, gross: 333 },
      ])
      expect((await of(order))[1]).toMatchObject({
        corrects: { issuedOn: "2026-06-15" },
        payments: [{ by: "credit", amount: 333, at: LATER }],
      })
      await agree()
      await refund(order, 1_667, true)
      expect(await left(order)).toEqual([0, 0, 0])
      await agree()
    })

    test("of account credit, and one of the payment, take back what each has paid and together the invoice", async () => {
      const first = await taxed()
      await record(paymentUpdate(await opened(backend(), first), "paid", 2_500))
      const order = await taxed({ customerId: first.customerId, accountCreditScope: "account" })
      await record(paymentUpdate(await opened(backend(), order, 1_500), "paid", 1_500))
      await refund(order, 1_500, false)
      await refund(order, 501, true)
      await refund(order, 500, true)
      expect((await of(order)).flatMap(({ payments }) => payments)).toMatchObject([
        { by: "credit", amount: 500 },
        { by: "offshore", amount: 1_500 },
        { by: "offshore", amount: 1_500 },
        { by: "credit", amount: 500 },
      ])
      expect(await left(order)).toEqual([0, 0, 0])
      await agree()
    })

    test("of a payment as account credit has credit notes, and none when the gateway pays the money back as well", async () => {
      const order = await taxed()
      const attempt = await opened(backend(), order)
      await record(paymentUpdate(attempt, "paid", 2_000))
      await refund(order, 700, true)
      await agree()
      await refund(order, 300, false)
      expect((await of(order)).flatMap(({ payments }) => payments)).toMatchObject([
        { by: "offshore", amount: 2_000 },
        { by: "credit", amount: 700 },
        { by: "offshore", amount: 300 },
      ])
      await agree()
      await record({ ...paymentUpdate(attempt, "refunded", 2_000), refunded: eur(2_000) })
      expect((await of(order)).map(({ payments }) => payments[0]?.amount)).toEqual([2_000, 700, 300, 1_000])
      expect(await left(order)).toEqual([0, 0, 0])
      await agree()
    })

    test("of an order that was marked as paid has a credit note that says how it went back", async () => {
      const order = await taxed()
      await shop.billing.applyOrderEvent(order.id, "paid", MARKED, "operator: by bank")
      await refund(order, 700, false)
      await agree()
      await refund(order, 1_300, true)
      expect((await of(order)).flatMap(({ payments }) => payments)).toMatchObject([
        { by: "other", amount: 2_000 },
        { by: "other", amount: 700 },
        { by: "credit", amount: 1_300 },
      ])
      expect(await left(order)).toEqual([0, 0, 0])
      await agree()
    })
  })

  test("an invoice names no refund of a part payment that became account credit before the order was marked as paid", async () => {
    const order = await taxed()
    const attempt = await opened(backend(), order)
    await record(paymentUpdate(attempt, "partially-paid", 500))
    await record({ ...paymentUpdate(attempt, "partially-paid", 500), refunded: eur(100) })
    await shop.billing.applyOrderEvent(order.id, "aborted", NOON)
    await shop.billing.applyOrderEvent(order.id, "paid", NOON + HOUR, "operator: by bank")
    expect((await of(order)).flatMap(({ payments }) => payments)).toMatchObject([
      { by: "other", amount: 2_000 },
    ])
    expect(await diagnoseDocuments(ctx)).toMatchObject({ ok: true })
  })

  test("the documents of a span are read page by page, each once", async () => {
    const span = { from: "2026-06-15", until: "2026-06-17" }
    const all = await shop.documents.taxDocumentsIn(span, { after: null, limit: 1_000 })
    expect(all.next).toBeNull()
    const numbers: string[] = []
    let after: string | null = null
    do {
      const page = await shop.documents.taxDocumentsIn(span, { after, limit: 2 })
      numbers.push(...page.documents.map(({ number }) => number))
      after = page.next
    } while (after !== null)
    expect(numbers).toEqual(all.documents.map(({ number }) => number))
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test("the next page of a day with many documents begins where the last one ended", async () => {
    const statements = statementsOf(ctx.db)
    await shop.documents.taxDocumentsIn(
      { from: "2026-06-15", until: "2026-06-17" },
      { after: "2026-06-15 2026-000001", limit: 2 },
    )
    const read = statements.find((statement) => statement.includes("tax_documents"))
    // PostgreSQL seeks by both columns whatever else is asked.
    if (url !== null) return
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(read ?? "")}`.execute(ctx.db)
    expect(rows.map(({ detail }) => detail).join("\n")).toContain("(issued_on,number)>(?,?)")
  })

  test("200 buyers at once on two instances, some of whose transactions fail, leave no gap and no double", async () => {
    const other = url === null ? shop : createEmbeddedBilling(await openedContext(url))
    const at = Date.UTC(2027, 5, 15, 12)
    const places = { at, deadline: at + DAY }
    const orders = await Promise.all(Array.from({ length: 200 }, () => taxed(places)))
    const paid = await Promise.all(
      orders.map(async (order) => paymentUpdate(await opened(backend(), order), "paid", 2_000)),
    )
    const failing = paid.map(async (update, nth) => {
      if (nth % 4 === 0) await expect(crashing(update, at)).rejects.toThrow("crash")
      await (nth % 2 === 0 ? shop : other).payments.recordPaymentUpdate("offshore", update, at)
    })
    await Promise.all(failing)
    if (other !== shop) await other.close()
    const page = await shop.documents.taxDocumentsIn(
      { from: "2027-06-15", until: "2027-06-15" },
      { after: null, limit: 1_000 },
    )
    expect(page.documents.map(({ number }) => number)).toEqual(
      Array.from({ length: 200 }, (_, nth) => `2027-${String(nth + 1).padStart(6, "0")}`),
    )
    expect(new Set(page.documents.map(({ orderId }) => orderId)).size).toBe(200)
  }, 120_000)

  /** A process that ends between the payment and its commit. */
  const crashing = (update: ReturnType<typeof paymentUpdate>, at: number) =>
    ctx.db.transaction().execute(async (db) => {
      await settlePayment({ ...ctx, db }, { gateway: "offshore", update, at, tolerance: 0 })
      throw new Error("crash")
    })
})

async function openedContext(url: string | null): Promise<DbContext> {
  const db = url === null ? await openMigratedMemoryDatabase() : openDatabase({ url, timeoutMs: 60_000 })
  return { db, newId: unique, terms: termPolicy, tax, documents }
}
