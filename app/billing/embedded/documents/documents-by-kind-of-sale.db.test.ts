import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ublOf } from "~/documents/ubl.server"
import { addedSums, type TaxSum, taxSums } from "~/domain/accounting/accounting"
import { documentSums, type IssuedDocument } from "~/domain/accounting/tax-document"
import { HOUR } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { OrderTax } from "~/domain/orders/order-tax"
import type { TaxRules } from "~/domain/tax/tax"
import { TaxFile } from "~/domain/tax/tax-file"
import { accountingDaysIn } from "~/flows/admin/accounting/accounting-days.server"
import { accountingFile } from "~/flows/admin/accounting/accounting-files.server"
import { showAccounting } from "~/flows/admin/accounting/show-accounting.server"
import { CSV_START } from "~/http/csv"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { buyerIn, importOddPrices, kindsOfSale } from "../../../../tests/fixtures/kinds-of-sale"
import { madridShop } from "../../../../tests/fixtures/printed-documents"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { germanNetPrices, germanTax } from "../../../../tests/fixtures/tax-rules"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { NOON, type TestShop } from "../../../../tests/fixtures/test-shop"
import { FRENCH } from "../../../../tests/fixtures/vat-numbers"
import { brokenRules } from "../../../../tests/support/xml/en16931"

const consumer = (country: string): BuyerPlace => ({ named: country, located: country })
const french: BuyerPlace = {
  ...consumer("FR"),
  business: {
    company: "Lumière SARL",
    address: ["1 rue de la Paix", "75002 Paris"],
    taxNumber: FRENCH,
    check: { result: "valid", at: NOON, requestId: "WAPIAAAAY1" },
  },
}

/** Kinds of sale that buyers without tax are tried with: enough to see that none has any. */
const ofUntaxed = ["a plan less a percentage", "a longer cycle less the rest of the time"]

/** Whom a seller sells to, with the rate that the sale is taxed at. */
type Buyers = Readonly<Record<string, { readonly buyer: BuyerPlace; readonly basisPoints: number }>>
const union: Buyers = {
  "a German consumer": { buyer: consumer("DE"), basisPoints: 1_900 },
  "an Austrian under the one-stop shop": { buyer: consumer("AT"), basisPoints: 2_000 },
  "a French business that owes the tax": { buyer: french, basisPoints: 0 },
}
/** What the shop file of a seller says who accounts in zlotys. */
const accountingInZlotys = TaxFile.parse({
  country: "DE",
  confirmedOn: "2026-11-01",
  accounting: {
    currency: "PLN",
    exchangeRates: [{ base: "EUR", quote: "PLN", rate: "4.2534", from: "2026-11-01" }],
  },
})

const sellers: readonly (readonly [string, TaxRules, Buyers])[] = [
  [
    "with the tax in the prices",
    germanTax,
    {
      ...union,
      "a Swiss": { buyer: consumer("CH"), basisPoints: 0 },
      "a Briton": { buyer: consumer("GB"), basisPoints: 0 },
    },
  ],
  ["who adds the tax to the prices", germanNetPrices, union],
  [
    "who is registered nowhere",
    { ...germanTax, registrations: [], oneStopShop: false },
    { "a German consumer": { buyer: consumer("DE"), basisPoints: 0 } },
  ],
]

describe.each(engines)("documents by kind of sale on %s", (engine) => {
  describe.each(sellers)("of a seller %s", (_, tax, buyers) => {
    let opened: ShopOnEngine
    let customers = 0
    beforeAll(async () => {
      opened = await openShopOn(engine, { tax, taxFile: accountingInZlotys, documents })
      await importOddPrices(opened.database)
    })
    afterAll(() => opened.close())

    const sales = Object.entries(buyers).flatMap(([whom, { buyer, basisPoints }]) =>
      Object.entries(kindsOfSale)
        .filter(([kind]) => basisPoints > 0 || buyer.business || ofUntaxed.includes(kind))
        .map(([kind, order]) => ({ kind, whom, buyer, basisPoints, order })),
    )

    test.each(sales)("$kind to $whom", async ({ buyer, basisPoints, order }) => {
      const { shop } = opened
      customers += 1
      const by = buyerIn(shop, { email: `buyer${customers}@example.test`, buyer })
      const placed = await order(by, shop)
      expect(await documentsOf(shop, placed)).toEqual([])
      const asked = shop.gateway.opened.at(-1)?.amount.minor ?? 0
      // Account credit pays a part of the gross amount.
      const credit = 0 - placed.credited.minor
      const paid = await by.pay(placed)
      const issued = await documentsOf(shop, paid)
      expectInvoice(issued, paid, { asked, credit })
      await expectAsLedgers(shop, paid, asked + credit)

      const part = Math.floor(asked / 3)
      await refund(shop, paid, part)
      await expectAsLedgers(shop, paid, asked + credit - part)
      await refund(shop, paid, asked - part)
      await expectAsLedgers(shop, paid, credit)
      const all = await documentsOf(shop, paid)
      expectNotes(all, [part, asked - part])
      // Account credit that has paid is not paid back by a gateway.
      expectAccountedFor(all, credit)
      expectTakenBack(all, credit)
      expectTaxed(all, basisPoints)
    })

    test("reseller credits that pay for a line, have no documents", async () => {
      const by = buyerIn(opened.shop, { email: "reseller@example.test", buyer: consumer("DE") })
      const { serviceId } = await by.pay(await by.resellerPlan())
      const line = await by.resellerLine(await by.found(serviceId))
      expect(line).toMatchObject({ kind: "line", total: { minor: 0 } })
      expect(await documentsOf(opened.shop, line)).toEqual([])
    })

    test("the accounting of all of them is what the ledgers have, by country and rate", async () => {
      const { services, billing } = opened.shop
      const sources = { ledgers: billing.operator, documents: billing.documents }
      const days = accountingDaysIn({ from: "2026-11-01" }, { timeZone: "UTC", now: services.now() })
      if (!days) throw new Error("These are no days")
      const { tax: sums, money: moved } = await showAccounting(sources, days)
      expect(sums.map(grossOf)).toEqual(await grossInLedgers(Object.values(buyers)))
      const signed = { payment: 1, refund: 1, credit: -1 }
      const all = moved.reduce((sum, it) => sum + signed[it.kind] * it.amount.minor, 0)
      expect(sums.reduce((sum, { gross }) => sum + gross, 0)).toBe(all)
      for (const file of ["tax", "invoices"] as const)
        expect(addedSums((await rowsOf(accountingFile(file, sources, days))).map(sumOfRow))).toEqual(sums)
      const diagnosis = await billing.operator.diagnose(services.now())
      const bad = diagnosis.filter(({ ok }) => !ok).map(({ check }) => check)
      expect(bad.filter((it) => !ofTheClock.includes(it))).toEqual([])
      expect(diagnosis.map(({ check }) => check)).toContain("invoices and ledgers")
    })

    /** What was received for the sales to each country less what of it became account credit, in the order of the accounting. */
    async function grossInLedgers(all: readonly Buyers[string][]) {
      const rows = await opened.database.db
        .selectFrom("invoices")
        .innerJoin("orders", "orders.id", "invoices.order_id")
        .select(["received", "credited", "orders.tax"])
        .where("orders.tax", "is not", null)
        .execute()
      const countries = Map.groupBy(rows, ({ tax }) => (JSON.parse(tax ?? "") as OrderTax).place.country)
      return [...countries]
        .map(([country, own]) => ({
          country,
          basisPoints: all.find(({ buyer }) => buyer.named === country)?.basisPoints,
          gross: own.reduce((sum, it) => sum + Number(it.received) - Number(it.credited), 0),
        }))
        .toSorted((one, other) => (one.country < other.country ? -1 : 1))
    }
  })
})

/** What the doctor finds in a shop whose time flies. */
const ofTheClock = ["clock", "sign-up passwords", "services past their end"]

const grossOf = ({ country, basisPoints, gross }: TaxSum) => ({ country, basisPoints, gross })

/** The rows of a CSV file by their head. */
async function rowsOf(lines: AsyncIterable<string>): Promise<readonly Readonly<Record<string, string>>[]> {
  let text = ""
  for await (const line of lines) text += line
  const [head = [], ...rows] = text
    .slice(CSV_START.length)
    .trimEnd()
    .split("\r\n")
    .map((it) => it.split(","))
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at], cell])))
}

function sumOfRow(row: Readonly<Record<string, string>>): TaxSum {
  const minor = (name: string) => Math.round(Number(row[name]) * 100)
  return {
    country: row.country ?? "",
    kind: row.place as TaxSum["kind"],
    basisPoints: minor("rate"),
    currency: row.currency as TaxSum["currency"],
    net: minor("net"),
    tax: minor("tax"),
    gross: minor("gross"),
    accounting: row["accounting currency"]
      ? { currency: "PLN", net: minor("accounting net"), tax: minor("accounting tax") }
      : null,
  }
}

function documentsOf({ billing }: TestShop, { id }: Order): Promise<readonly IssuedDocument[]> {
  return billing.documents.taxDocumentsOf(id)
}

async function refund({ billing, services, wait }: TestShop, { id, total }: Order, minor: number) {
  wait(HOUR)
  const at = services.now()
  const amount = money(minor, total.currency)
  const result = await billing.operator.recordRefund(id, { key: `${id} ${at}`, amount, reason: "asked", at })
  expect(result.kind).toBe("recorded")
}

/** The order's documents come to what its ledgers have, which is `gross`. */
async function expectAsLedgers(shop: TestShop, { id }: Order, gross: number): Promise<void> {
  const order = await shop.billing.billing.order(id)
  if (!order) throw new Error(`There is no order ${id}`)
  const sums = taxSums(await documentsOf(shop, order))
  expect(sums.reduce((sum, it) => sum + it.gross, 0)).toBe(gross)
  expect(order.received.minor - order.credited.minor).toBe(gross)
}

type Asked = {
  /** What the gateway was asked for. */
  readonly asked: number
  /** What account credit has paid. */
  readonly credit: number
}

/** One invoice bills what the order sold at what was asked for it, and says how that was paid. */
function expectInvoice(
  [invoice, ...others]: readonly IssuedDocument[],
  { id, lines, tax }: Order,
  { asked, credit }: Asked,
): void {
  if (!invoice) throw new Error("There is no invoice")
  expect(others).toEqual([])
  expect(invoice).toMatchObject({ kind: "invoice", orderId: id, corrects: null, place: tax?.place })
  expect(documentSums(invoice.lines).gross).toBe(asked + credit)
  expect(invoice.payments.map((it) => [it.by, it.amount])).toEqual([
    ...(credit > 0 ? [["credit", credit]] : []),
    ["offshore", asked],
  ])
  const sold = lines.filter(({ amount }) => amount.minor > 0).map(({ kind }) => kind)
  expect(invoice.lines.map(({ kind }) => kind)).toEqual(sold)
  const taken = lines.filter(({ amount }) => amount.minor < 0).map((it) => [it.kind, -it.amount.minor])
  expect((invoice.reductions ?? []).map((it) => [it.kind, it.amount])).toEqual(taken)
}

/** Credit notes follow the invoice, each of what was paid back. */
function expectNotes([invoice, ...notes]: readonly IssuedDocument[], amounts: readonly number[]): void {
  if (!invoice) throw new Error("There is no invoice")
  const { number, issuedOn, place, suppliedOn } = invoice
  expect(notes.map(({ lines }) => documentSums(lines).gross)).toEqual(amounts)
  for (const note of notes)
    expect(note).toMatchObject({
      kind: "credit-note",
      corrects: { number, issuedOn },
      place,
      suppliedOn,
    })
}

/** Credit notes take back each line of the invoice, and so the whole, but for an amount. */
function expectTakenBack([invoice, ...notes]: readonly IssuedDocument[], left: number): void {
  const back = notes.flatMap(({ lines }) => lines)
  expect(documentSums(invoice?.lines ?? []).gross - documentSums(back).gross).toBe(left)
  if (left > 0) return
  for (const [at, { net, tax, gross }] of (invoice?.lines ?? []).entries())
    expect(documentSums(notes.flatMap(({ lines }) => lines[at] ?? []))).toEqual({ net, tax, gross })
}

/** A sale with tax states it in the accounting currency, and credit notes of all of it come to that. */
function expectAccountedFor([invoice, ...notes]: readonly IssuedDocument[], left: number): void {
  if (!invoice) throw new Error("There is no invoice")
  const isTaxed = documentSums(invoice.lines).tax > 0
  expect([invoice, ...notes].map(({ accounting }) => accounting?.exchange.rate)).toEqual(
    [invoice, ...notes].map(() => (isTaxed ? "4.2534" : undefined)),
  )
  if (!invoice.accounting || left > 0) return
  const back = notes.flatMap(({ accounting }) => accounting?.sums ?? [])
  for (const sum of invoice.accounting.sums) {
    const own = back.filter(({ basisPoints }) => basisPoints === sum.basisPoints)
    expect(own.reduce((total, { net }) => total + net, 0)).toBe(sum.net)
    expect(own.reduce((total, { tax }) => total + tax, 0)).toBe(sum.tax)
  }
}

/** Net and tax are the gross amount on each line and in sum, every line has the rate, and the XML keeps its rules. */
function expectTaxed(issued: readonly IssuedDocument[], basisPoints: number): void {
  for (const { net, tax, gross, ...line } of issued.flatMap(({ lines }) => lines))
    expect([net + tax, line.basisPoints, Math.min(net, tax) >= 0]).toEqual([gross, basisPoints, true])
  for (const document of issued) {
    const { net, tax, gross } = documentSums(document.lines)
    expect(net + tax).toBe(gross)
    expect(Math.abs(tax - Math.round((gross * basisPoints) / (10_000 + basisPoints)))).toBeLessThanOrEqual(1)
    expect(brokenRules(ublOf(document, madridShop))).toEqual([])
  }
}
