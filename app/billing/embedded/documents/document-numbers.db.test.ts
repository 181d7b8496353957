import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  type BillingUnderTest,
  catalogueFixture,
  catalogueForImport,
  NOON,
  opened,
  paymentUpdate,
  placed,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import {
  asFile,
  engines,
  linesOf,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../../tests/fixtures/term-policy"
import { restore } from "../backup/restore.server"
import { seedIfEmpty } from "../catalogue/catalogue.server"
import type { DbContext } from "../db/transaction.server"
import { createEmbeddedBilling, type EmbeddedBilling } from "../open-embedded-billing.server"

const tax = { rules: germanTax, timeZone: "Europe/Berlin" }
const buyer = { named: "DE", located: "DE" }
const invoice = { kind: "invoice", year: 2026 } as const

describe.each(engines)("numbers of documents on %s", (engine) => {
  let database: TemporaryDatabase
  let ctx: DbContext
  let shop: EmbeddedBilling
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    ctx = { ...database, tax, documents, terms: termPolicy }
    await seedIfEmpty(ctx, async () => catalogueForImport(catalogueFixture))
    shop = createEmbeddedBilling(ctx)
  })
  afterEach(() => database.close())

  /** The number of the invoice of a new sale. */
  async function sold(): Promise<string | undefined> {
    const backend = shop as unknown as BillingUnderTest
    const order = await placed(backend, { buyer })
    const attempt = await opened(backend, order)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
    const [issued] = await shop.documents.taxDocumentsOf(order.id)
    return issued?.number
  }
  const finding = async () =>
    (await shop.operator.diagnose(NOON)).find(({ check }) => check === "invoices and credit notes")

  test("the shop says which number comes next, of each kind", async () => {
    await sold()
    expect(await shop.operator.numberSeries(NOON)).toEqual([
      { ...invoice, prefix: "", sequence: 1 },
      { kind: "credit-note", year: 2026, prefix: "CN-", sequence: 0 },
    ])
  })

  test("a series goes on after a number that was handed out, without a gap that doctor finds", async () => {
    await sold()
    expect(await shop.operator.continueNumbers({ ...invoice, sequence: 40 })).toBe(true)
    expect(await shop.operator.continueNumbers({ ...invoice, sequence: 40 })).toBe(true)
    expect(await sold()).toBe("2026-000041")
    expect(await finding()).toMatchObject({ ok: true })
  })

  test("a series never goes back", async () => {
    await sold()
    await sold()
    expect(await shop.operator.continueNumbers({ ...invoice, sequence: 1 })).toBe(false)
    expect(await sold()).toBe("2026-000003")
  })

  test("numbers that were given since the backup are not given again after it replaced the database", async () => {
    await sold()
    const backup = await linesOf(ctx)
    await sold()
    await sold()
    const restored = await restore(ctx, asFile(backup), { replace: true })
    expect(restored).toMatchObject({ keepsNumbers: true, continued: [{ ...invoice, last: 3 }] })
    expect(await sold()).toBe("2026-000004")
    expect(await finding()).toMatchObject({ ok: true })
  })

  test("a backup that goes on an empty database says that nobody knows which numbers were given since", async () => {
    await sold()
    const backup = await linesOf(ctx)
    const other = await openTemporaryDatabase(engine)
    expect(await restore(other, asFile(backup), { replace: false })).toMatchObject({
      keepsNumbers: false,
      continued: [],
    })
    await other.close()
  })
})
