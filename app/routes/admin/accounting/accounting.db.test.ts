import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { seedIfEmpty } from "~/billing/embedded/catalogue/catalogue.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { IssuedDocument } from "~/domain/accounting/tax-document"
import { money } from "~/domain/money/money"
import { triedEntry } from "~/flows/admin/backups.server"
import { unique } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  actOnPage,
  auditedOf,
  type ConsoleVisitor,
  enrolled,
  hiddenFieldsIn,
} from "../../../../tests/fixtures/console"
import { documentPolicy } from "../../../../tests/fixtures/document-policy"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import {
  creditNote,
  invoiceDocument,
  issuedDocuments,
  taxedLine,
} from "../../../../tests/fixtures/tax-document"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../../tests/fixtures/term-policy"
import { catalogue, openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"
import { openMigratedMemoryDatabase } from "../../../../tests/support/db/migrated-sqlite"

const PATH = "/admin/accounting"
const SHOP_PATH = `${PATH}/one-stop-shop`

const france = { kind: "taxed", country: "FR", registration: "DE123456789" } as const

/** The shop with these documents; today is 20 November 2026. */
function withDocuments(shop: TestShop, issued: readonly IssuedDocument[]): TestShop {
  return { ...shop, services: { ...shop.services, documents: issuedDocuments(issued) } }
}

describe.each(engines)("accounting on %s", (engine) => {
  let database: TemporaryDatabase
  let shop: TestShop
  let owner: ConsoleVisitor
  let issued: IssuedDocument[]
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    issued = []
    const opened = await openTestShop({ databaseUrl: database.url, tax: germanTax })
    shop = withDocuments(opened, issued)
    owner = await enrolled(shop, "owner")
  })
  afterEach(async () => {
    await shop.billing.close()
    await database.close()
  })

  const text = async (path: string, who = owner) => (await who.request({ path })).text()
  const cells = (page: string) => [...page.matchAll(/data-label="[^"]+">([^<]*)</g)].map((it) => it[1])
  const download = async (path: string, form: Record<string, string>, who = owner) =>
    actOnPage(who, path, { form: { action: "export-accounting", reason: "tax adviser", ...form } })
  const rowsOf = async (answer: Response) => (await answer.text()).trim().split("\r\n")

  test("shows tax by country and rate of this month, less credit notes, and of the days in the address", async () => {
    issued.push(
      invoiceDocument({ number: "1", issuedOn: "2026-10-31" }),
      invoiceDocument({ number: "2", issuedOn: "2026-11-01" }),
      creditNote({ number: "1", issuedOn: "2026-10-31" }, { number: "3" }),
      invoiceDocument({ number: "4", place: france, lines: [taxedLine(2_400, 2_000)] }),
    )
    const page = await text(PATH)
    expect(page).toContain("Invoices: 2. Credit notes, which are taken off: 1.")
    expect(cells(page)).toEqual([
      "taxed",
      "19 %",
      "€57.99",
      "€11.01",
      "€69.00",
      "taxed",
      "20 %",
      "€20.00",
      "€4.00",
      "€24.00",
      "€77.99",
      "€15.01",
      "€93.00",
    ])
    expect(page).toContain("Total EUR")
    expect(cells(await text(`${PATH}?from=2026-10-01&to=2026-10-31`))).toEqual([
      "taxed",
      "19 %",
      "€66.39",
      "€12.61",
      "€79.00",
    ])
  })

  test("has links to the months and quarters that are asked for most", async () => {
    const page = (await text(PATH)).replaceAll("&amp;", "&")
    for (const days of [
      "from=2026-11-01&to=2026-11-30",
      "from=2026-10-01&to=2026-10-31",
      "from=2026-10-01&to=2026-12-31",
      "from=2026-07-01&to=2026-09-30",
    ])
      expect(page).toContain(`href="/checkout${PATH}?${days}"`)
  })

  test("shows what came in by gateway", async () => {
    await buyPlan(shop)
    const page = await text(PATH)
    expect(cells(page)).toEqual(["Offshore", "1", "€98.90"])
    expect(page).toContain("No invoices and no credit notes in these days.")
    expect(await text(`${PATH}?to=2026-11-19`)).toContain("No payments and no refunds in these days.")
  })

  test.each(["from=yesterday", "from=2026-11-31&to=2026-11-30", "from=2026-12-02&to=2026-12-01", "to=x"])(
    "with %s this month is shown, and the page says so",
    async (query) => {
      const page = await text(`${PATH}?${query}`)
      expect(page).toContain("These days are not valid.")
      expect(page).toContain('value="2026-11-01"')
    },
  )

  test("the file of documents has a row for each document and rate, and no cell is a formula", async () => {
    const buyer = { ...invoiceDocument().buyer, taxNumber: "=1+1" }
    issued.push(
      invoiceDocument({ number: "1", lines: [taxedLine(7_900), taxedLine(1_000, 700)], buyer }),
      creditNote({ number: "1", issuedOn: "2026-11-20" }, { number: "C1", orderId: "AAAA" }),
    )
    const answer = await download(PATH, { file: "invoices" })
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="invoices.csv"')
    expect(await rowsOf(answer)).toEqual([
      "number,kind,date,supplied,order,country,buyer tax number,place,seller tax number,rate,net,tax,gross,currency,corrects,exchange rate,accounting net,accounting tax,accounting currency",
      "1,invoice,2026-11-20,2026-11-20,7BQ697JNZK,DE,'=1+1,taxed,DE123456789,19,66.39,12.61,79.00,EUR,,,,,",
      "1,invoice,2026-11-20,2026-11-20,7BQ697JNZK,DE,'=1+1,taxed,DE123456789,7,9.35,0.65,10.00,EUR,,,,,",
      "C1,credit-note,2026-11-20,2026-11-20,AAAA,DE,,taxed,DE123456789,19,-8.40,-1.60,-10.00,EUR,1,,,,",
    ])
  })

  describe("of documents that state their tax in the accounting currency", () => {
    const exchange = { base: "EUR", quote: "GBP", rate: "0.8735", from: "2026-11-01" } as const
    const inEuros = (net: number, tax: number) =>
      ({ currency: "EUR", exchange, sums: [{ basisPoints: 1_900, net, tax }] }) as const
    beforeEach(() => {
      issued.push(
        invoiceDocument({ number: "1" }),
        invoiceDocument({ number: "2", currency: "GBP" }),
        invoiceDocument({ number: "3", currency: "GBP", accounting: inEuros(7_600, 1_444) }),
        creditNote(
          { number: "3", issuedOn: "2026-11-20" },
          { number: "C1", currency: "GBP", accounting: inEuros(962, 183) },
        ),
      )
    })

    test("the files have net and tax in it, negative of credit notes, and the exchange rate", async () => {
      const [, ...rows] = await rowsOf(await download(PATH, { file: "invoices" }))
      expect(rows.map((row) => row.split(",").slice(10))).toEqual([
        ["66.39", "12.61", "79.00", "EUR", "", "", "", "", ""],
        ["66.39", "12.61", "79.00", "GBP", "", "", "", "", ""],
        ["66.39", "12.61", "79.00", "GBP", "", "1 EUR = 0.8735 GBP", "76.00", "14.44", "EUR"],
        ["-8.40", "-1.60", "-10.00", "GBP", "3", "1 EUR = 0.8735 GBP", "-9.62", "-1.83", "EUR"],
      ])
      const [, ...sums] = await rowsOf(await download(PATH, { file: "tax" }))
      expect(sums).toEqual([
        "DE,taxed,19,66.39,12.61,79.00,EUR,,,",
        "DE,taxed,19,66.39,12.61,79.00,GBP,,,",
        "DE,taxed,19,57.99,11.01,69.00,GBP,66.38,12.61,EUR",
      ])
    })

    test("the page has net and tax in it, and rows apart for those that state none", async () => {
      const page = await text(PATH)
      expect(page).toContain("Tax, converted")
      const rows = [0, 7, 14].map((start) => cells(page).slice(start, start + 7))
      expect(rows).toEqual([
        ["taxed", "19 %", "€66.39", "€12.61", "€79.00", "–", "–"],
        ["taxed", "19 %", "£66.39", "£12.61", "£79.00", "–", "–"],
        ["taxed", "19 %", "£57.99", "£11.01", "£69.00", "€66.38", "€12.61"],
      ])
    })
  })

  test("the file of payments names the order and its documents", async () => {
    const order = await buyPlan(shop)
    issued.push(invoiceDocument({ number: "1", orderId: order.id }))
    const [head, row] = await rowsOf(await download(PATH, { file: "payments" }))
    expect(head).toBe("time,kind,cause,gateway,transaction,order,documents,amount,currency")
    expect(row).toMatch(new RegExp(`^2026-11-20T[^,]+,payment,,offshore,[^,]*,${order.id},1,98.90,EUR$`))
  })

  test("the file of tax has the sums of the page, and the audit log who has written it", async () => {
    issued.push(invoiceDocument())
    const answer = await download(`${PATH}?from=2026-11-20&to=2026-11-20`, { file: "tax" })
    expect(await rowsOf(answer)).toEqual([
      "country,place,rate,net,tax,gross,currency,accounting net,accounting tax,accounting currency",
      "DE,taxed,19,66.39,12.61,79.00,EUR,,,",
    ])
    const [entry] = await shop.billing.auditLog.newest({ limit: 1 })
    expect(entry).toMatchObject({ action: "export-accounting", reason: "tax adviser", outcome: "done" })
    expect(JSON.stringify(entry)).toContain("2026-11-20")
  })

  test("the page that stays open behind a file hands out the next one too, each with its entry in the audit log", async () => {
    const page = hiddenFieldsIn(await text(PATH), "export-accounting")
    for (const file of ["invoices", "tax", "tax"]) {
      const answer = await owner.request({ path: PATH, form: { ...page, file, reason: "tax adviser" } })
      expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${file}.csv"`)
      await answer.text()
    }
    const entries = await auditedOf(shop, "export-accounting")
    expect(entries.filter(({ outcome }) => outcome === "started")).toHaveLength(3)
  })

  test("the files need a reason, and roles other than the owner cannot have them", async () => {
    const answer = await download(PATH, { file: "tax", reason: " " })
    const shown = await answer.text()
    expect([answer.status, shown.includes("Write down why.")]).toEqual([422, true])
    expect(shown).toContain('checked="" value="tax"')
    for (const role of ["support", "viewer"] as const) {
      const other = await enrolled(shop, role)
      for (const path of [PATH, SHOP_PATH]) {
        expect(await text(path, other)).not.toContain("export-accounting")
        const refused = await download(path, { file: "tax" }, other)
        expect([refused.status, refused.headers.has("content-disposition")]).toEqual([422, false])
      }
    }
  })

  test("a file that there is not is no file", async () => {
    const answer = await download(PATH, { file: "everything" })
    expect([answer.status, answer.headers.get("location")]).toEqual([303, expect.stringContaining(PATH)])
  })

  describe("the one-stop shop", () => {
    test("shows the last quarter by country and rate, with corrections of earlier ones apart", async () => {
      const sale = { place: france, lines: [taxedLine(2_400, 2_000)], issuedOn: "2026-09-30" }
      issued.push(
        invoiceDocument({ ...sale, number: "1" }),
        invoiceDocument({ ...sale, number: "2", currency: "USD" }),
        creditNote({ number: "0", issuedOn: "2026-06-30" }, { ...sale, number: "3" }),
        invoiceDocument({ ...sale, number: "4", issuedOn: "2026-10-01" }),
        invoiceDocument({ number: "5", issuedOn: "2026-09-30" }),
      )
      const page = await text(SHOP_PATH)
      expect(page).toContain("One-stop shop 2026-Q3")
      expect(cells(page)).toEqual([
        "20 %",
        "€20.00",
        "€4.00",
        "20 %",
        "$20.00",
        "$4.00",
        "20 %",
        "-€20.00",
        "-€4.00",
        "2026-Q2",
      ])
      expect(page).toContain("European Central Bank")
      const answer = await download(`${SHOP_PATH}?quarter=2026-Q3`, {})
      expect(answer.headers.get("content-disposition")).toContain("one-stop-shop-2026-Q3.csv")
      expect(await rowsOf(answer)).toEqual([
        "kind,quarter,of,country,rate,net,tax,currency",
        "supply,2026-Q3,2026-Q3,FR,20,20.00,4.00,EUR",
        "supply,2026-Q3,2026-Q3,FR,20,20.00,4.00,USD",
        "correction,2026-Q3,2026-Q2,FR,20,-20.00,-4.00,EUR",
      ])
    })

    test("leads to the quarters before and after, over the year's end", async () => {
      const page = await text(`${SHOP_PATH}?quarter=2026-Q1`)
      expect(page).toContain(`href="/checkout${SHOP_PATH}?quarter=2025-Q4"`)
      expect(page).toContain(`href="/checkout${SHOP_PATH}?quarter=2026-Q2"`)
      expect(page).toContain("Nothing to declare.")
    })

    test.each(["2026-Q5", "now", ""])(
      "with the quarter %j shows the last one, and says so",
      async (quarter) => {
        const page = await text(`${SHOP_PATH}?quarter=${quarter}`)
        expect(page).toContain("This is no quarter.")
        expect(page).toContain("2026-Q3")
      },
    )
  })
})

test("what the shop has sold and refunded is on the page and in the files, and agrees with the ledgers", async () => {
  const shop = await openTestShop({
    tax: germanTax,
    openBilling: async () => {
      const ctx = {
        db: await openMigratedMemoryDatabase(),
        newId: unique,
        terms: termPolicy,
        tax: { rules: germanTax, timeZone: "UTC" },
        documents: documentPolicy,
      }
      await seedIfEmpty(ctx, catalogue)
      return createEmbeddedBilling(ctx)
    },
  })
  const owner = await enrolled(shop, "owner")
  const order = await buyPlan(shop)
  const refund = { key: unique(), amount: money(1_000, "EUR"), reason: "asked", at: shop.services.now() }
  await shop.billing.operator.recordRefund(order.id, refund)
  const page = await (await owner.request({ path: PATH })).text()
  for (const text of ["Invoices: 1. Credit notes, which are taken off: 1.", "€88.90", "-€10.00"])
    expect(page).toContain(text)
  const form = { action: "export-accounting", reason: "tax adviser", file: "payments" }
  const answer = await actOnPage(owner, PATH, { form })
  const [invoice, note] = await shop.billing.documents.taxDocumentsOf(order.id)
  expect(await answer.text()).toContain(`,${order.id},${invoice?.number} ${note?.number},98.90,EUR`)
  const checks = await shop.billing.operator.diagnose(shop.services.now())
  expect(checks.find(({ check }) => check === "invoices and ledgers")?.ok).toBe(true)
  await shop.billing.close()
})

test("with an external billing only money is shown and offered as a file", async () => {
  const shop = await openTestShop()
  const { services } = shop
  const console = services.console && { ...services.console, catalogue: null }
  const owner = await enrolled({ ...shop, services: { ...services, console } }, "owner")
  const page = await (await owner.request({ path: PATH })).text()
  expect(page).toContain("The billing system issues the invoices: their tax is there.")
  expect([page.includes('value="payments"'), page.includes('value="invoices"')]).toEqual([true, false])
  expect(page).not.toContain(SHOP_PATH)
  await shop.billing.close()
})

test("a shop that taxes nothing has no one-stop shop, and is led to the rules of tax", async () => {
  const shop = await openTestShop()
  const owner = await enrolled(shop, "owner")
  const page = async (path: string) => (await owner.request({ path })).text()
  const shown = await page(SHOP_PATH)
  expect(shown).toContain("The shop taxes nothing")
  expect(shown).toContain('href="/checkout/admin/tax">Set them under Tax')
  await shop.billing.close()
})

describe("numbers of documents", () => {
  let shop: TestShop
  let owner: ConsoleVisitor
  beforeEach(async () => {
    shop = await openTestShop({ tax: germanTax, documents: documentPolicy })
    owner = await enrolled(shop, "owner")
  })
  afterEach(() => shop.billing.close())

  const text = async (path = PATH) => (await owner.request({ path })).text()
  const goOn = (number: string, reason = "receipts of the week") =>
    actOnPage(owner, PATH, { form: { action: "continue-numbers", number, reason } })
  const restored = (keepsNumbers: boolean) =>
    shop.billing.auditLog.append(
      triedEntry({
        at: shop.services.now(),
        kind: "restored",
        place: "/backups/shop.jsonl",
        madeAt: "2026-11-20T12:00:00.000Z",
        rows: 42,
        error: null,
        keepsNumbers,
      }),
    )

  test("an owner lets the invoices go on after a number, which the audit log has", async () => {
    expect(await text()).toContain("2026-000001")
    const answer = await goOn("2026-000123")
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/&done=continue-numbers#numbers$/),
    ])
    expect(await text()).toContain("2026-000124")
    const [, done] = await auditedOf(shop, "continue-numbers")
    expect(done).toMatchObject({
      subject: "numbers of invoices",
      reason: "receipts of the week",
      outcome: "done",
    })
    expect(done?.after).toContain("2026-000123")
  })

  test.each([
    ["123", "type it as it is on the document"],
    ["2025-000123", "Only the numbers of this year"],
    ["2026-000008", "Numbers never go back"],
  ])("%s is refused in words, and what was typed stays", async (number, words) => {
    await goOn("2026-000009")
    const answer = await goOn(number)
    expect(answer.status).toBe(422)
    const page = await answer.text()
    for (const part of [words, `value="${number}"`]) expect(page).toContain(part)
    expect(await text()).toContain("2026-000010")
  })

  test("after a restore backups, accounting and the first day ask for the last numbers until they are said", async () => {
    await restored(false)
    const pages = async () =>
      [await text("/admin/backups"), await text(), await text("/admin/first-day")].map((page) =>
        /A backup was restored|a backup was restored/.test(page),
      )
    expect(await pages()).toEqual([true, true, true])
    await goOn("2026-000031")
    expect(await pages()).toEqual([true, true, true])
    await goOn("CN-2026-000000")
    expect(await pages()).toEqual([false, false, false])
  })

  test("a backup that has replaced the shop's own database asks for nothing", async () => {
    await restored(true)
    expect(await text("/admin/backups")).not.toContain("A backup was restored")
  })
})
