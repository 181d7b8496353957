import fc from "fast-check"
import { expect, test } from "vitest"
import type { IssuedDocument } from "~/domain/accounting/tax-document"
import { taxLines } from "~/domain/tax/tax"
import {
  creditNoteInPounds,
  germanCreditNote,
  germanInvoice,
  invoiceInPounds,
  madridShop,
  notRegistered,
  reverseCharge,
} from "../../tests/fixtures/printed-documents"
import { brokenRules, parsedUbl } from "../../tests/support/xml/en16931"
import { ublOf } from "./ubl.server"

const exempt: IssuedDocument = {
  ...notRegistered,
  place: { kind: "exempt", country: "CH", registration: null },
}
const exemptWithNumber: IssuedDocument = { ...exempt, seller: germanInvoice.seller }
const unprefixed: IssuedDocument = {
  ...germanInvoice,
  seller: { ...germanInvoice.seller, taxNumber: "12/345/67890", email: null },
}
const unpaid: IssuedDocument = { ...germanInvoice, payments: [] }
const withZeroRate: IssuedDocument = {
  ...germanInvoice,
  lines: [
    ...germanInvoice.lines,
    {
      kind: "plan",
      months: null,
      text: "Buch",
      quantity: 3,
      basisPoints: 0,
      net: 1_000,
      tax: 0,
      gross: 1_000,
    },
  ],
}

const fixtures: readonly (readonly [string, IssuedDocument])[] = [
  ["an invoice of two rates", germanInvoice],
  ["a credit note", germanCreditNote],
  ["an invoice of a business that owes the tax", reverseCharge],
  ["a sale that the seller is not registered for", notRegistered],
  ["a sale to an exempt country", exempt],
  ["a sale to an exempt country with the seller's number", exemptWithNumber],
  ["a seller with a number that names no country", unprefixed],
  ["an invoice without payments", unpaid],
  ["an invoice with a zero rate", withZeroRate],
  ["an invoice with its tax in the accounting currency too", invoiceInPounds],
  ["a credit note of it", creditNoteInPounds],
]

test.each(fixtures)("%s keeps the rules of EN 16931", (_, document) => {
  expect(brokenRules(ublOf(document, madridShop))).toEqual([])
})

test("an invoice of any lines keeps the rules of EN 16931", () => {
  const line = fc.record({
    amount: fc.integer({ min: 1, max: 1_000_000 }),
    basisPoints: fc.constantFrom(0, 550, 700, 1_900, 2_100, 2_700),
  })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.constantFrom("inclusive", "exclusive"),
      fc.integer({ min: 0, max: 3_000_000 }),
      (lines, prices, paid) => {
        const taxed = taxLines(lines, { discount: 0, prices })
        const payments = [{ by: "credit", amount: paid, at: 0 }] as const
        const document = {
          ...germanInvoice,
          payments,
          lines: taxed.map((it) => ({ ...it, kind: "plan" as const, months: null, text: "x", quantity: 3 })),
        }
        expect(brokenRules(ublOf(document, madridShop))).toEqual([])
      },
    ),
    { numRuns: 60 },
  )
})

test("the tax of a rate can differ by a minor unit from the rate of its net, and no more", () => {
  // Within 0.16 they are 0.0255, so 0.03, and of the net of 0.13 they would be 0.0247, so 0.02.
  const [line] = taxLines([{ amount: 16, basisPoints: 1_900 }], { discount: 0, prices: "inclusive" })
  expect(line).toMatchObject({ net: 13, tax: 3 })
  expect(Math.round(13 * 0.19)).toBe(2)
})

test("the tax in the accounting currency is a total of its own, and a note says at which exchange rate", () => {
  const xml = ublOf({ ...invoiceInPounds, locale: "en-en" }, madridShop)
  const it = parsedUbl(xml)
  expect(it.text("cbc:DocumentCurrencyCode")).toBe("GBP")
  expect(it.accounting).toEqual({
    currency: "EUR",
    totals: [{ currency: "EUR", tax: 1_535, hasRates: false }],
  })
  expect(it.tax).toBe(1_341)
  expect(it.text("cbc:Note").replaceAll("\u00a0", " ")).toBe(
    "VAT in the seller’s national currency: EUR 15.35 (exchange rate of 27 November 2026: 1 EUR = 0.87350 GBP).",
  )
  // In the order of the schema.
  expect(xml).toMatch(/<cbc:DocumentCurrencyCode>GBP<[^>]+>\s*<cbc:TaxCurrencyCode>EUR</)
})

test("a document without an accounting currency has neither its code nor its total", () => {
  expect(parsedUbl(ublOf(germanInvoice, madridShop)).accounting).toEqual({ currency: "", totals: [] })
})

test("what was paid beyond the total is not of the document", () => {
  const payments = [{ by: "btcpay", amount: 10_000, at: 0 }] as const
  const it = parsedUbl(ublOf({ ...germanInvoice, payments }, madridShop))
  expect([it.total("PrepaidAmount"), it.total("PayableAmount")]).toEqual([8_990, 0])
})

test("a credit note names the invoice that it corrects", () => {
  const it = parsedUbl(ublOf(germanCreditNote, madridShop))
  const of = ["cac:BillingReference", "cac:InvoiceDocumentReference"]
  expect(it.text(...of, "cbc:ID")).toBe("R2026-000017")
  expect(it.text(...of, "cbc:IssueDate")).toBe("2026-11-28")
  expect(it.text("cbc:CreditNoteTypeCode")).toBe("381")
})

test("a note says what was taken off the prices, after why there is no tax", () => {
  const reductions = [{ kind: "discount", code: "YEAR15", amount: 333 }] as const
  const xml = ublOf({ ...reverseCharge, locale: "en-en", reductions }, madridShop)
  expect(parsedUbl(xml).text("cbc:Note")).toBe(
    "Reverse charge Taken off the prices: €3.33 with the code YEAR15.",
  )
  expect(brokenRules(xml)).toEqual([])
})

test.each([
  ["marks of XML", `<b>&amp; "A" 'B' ]]>`, `&lt;b&gt;&amp;amp; "A" 'B' ]]&gt;`],
  ["what looks like a reference", "&foo; &#0; & Co.", "&amp;foo; &amp;#0; &amp; Co."],
  ["characters that XML has no way to write", "a\u0000b\u001bc\ufffe\ud800d", "abcd"],
  ["letters beyond the basic plane", "𝒜 😀", "𝒜 😀"],
])("names with %s are written as they are, as far as XML has them", (_, name, written) => {
  const buyer = { ...reverseCharge.buyer, company: name }
  const xml = ublOf({ ...reverseCharge, buyer }, madridShop)
  expect(xml).toContain(`<cbc:RegistrationName>${written}</cbc:RegistrationName>`)
})
