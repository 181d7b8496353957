import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { taxedLine } from "../../../tests/fixtures/tax-document"
import type { ExchangeRate, TaxAccounting } from "../tax/exchange-rate"
import { accountingTax, accountingTaxTotal, correctedAccountingTax } from "./accounting-tax"
import {
  type Correction,
  correctedLines,
  creditedByLine,
  documentSums,
  type TaxDocument,
} from "./tax-document"

const rate: ExchangeRate = { base: "EUR", quote: "GBP", rate: "0.8735", from: "2026-11-01" }
const euros: TaxAccounting = { currency: "EUR", exchangeRates: [rate] }
const sale = { lines: [taxedLine(7_900)], currency: "GBP", suppliedOn: "2026-11-20" } as const

describe("an invoice in another currency", () => {
  test("states net and tax of each rate in the accounting currency, at the exchange rate of the day of supply", () => {
    const lines = [taxedLine(7_900), taxedLine(1_000, 700)]
    const stated = accountingTax({ ...sale, lines }, euros)
    expect(stated).toEqual({
      currency: "EUR",
      exchange: rate,
      sums: [
        { basisPoints: 1_900, net: 7_600, tax: 1_444 },
        { basisPoints: 700, net: 1_070, tax: 74 },
      ],
    })
    expect(stated && accountingTaxTotal(stated)).toBe(1_518)
  })

  test.each([
    ["nobody has named an accounting currency", sale, null],
    ["it is in the accounting currency", { ...sale, currency: "EUR" as const }, euros],
    ["no rate is known for its day", { ...sale, suppliedOn: "2026-10-31" }, euros],
    ["it has no tax", { ...sale, lines: [taxedLine(7_900, 0)] }, euros],
  ])("states nothing where %s", (_, invoiced, accounting) => {
    expect(accountingTax(invoiced, accounting)).toBeUndefined()
  })
})

type Document = Pick<TaxDocument, "kind" | "lines" | "accounting">

function corrected(documents: readonly Document[], { kind, amount }: Correction): Document {
  const credited = creditedByLine(documents)
  const lines = correctedLines(documents[0]?.lines ?? [], credited, { kind, amount })
  return {
    kind: kind === "credit" ? "credit-note" : "invoice",
    lines,
    accounting: correctedAccountingTax(documents, { kind, lines }),
  }
}

const invoices = fc
  .record({
    lines: fc.array(
      fc.record({
        gross: fc.integer({ min: 1, max: 20_000 }),
        basisPoints: fc.constantFrom(0, 700, 1_900, 2_550),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    exchange: fc.record({ count: fc.integer({ min: 1, max: 99_999_99 }), isBase: fc.boolean() }),
  })
  .map(({ lines: typed, exchange: { count, isBase } }): Document => {
    const digits = String(count).padStart(5, "0")
    const exact = `${digits.slice(0, -4)}.${digits.slice(-4)}`
    const [base, quote] = isBase ? (["EUR", "GBP"] as const) : (["GBP", "EUR"] as const)
    const exchange = { base, quote, rate: exact, from: "2026-11-01" }
    const lines = typed.map(({ gross, basisPoints }) => taxedLine(gross, basisPoints))
    const accounting = accountingTax({ ...sale, lines }, { currency: "EUR", exchangeRates: [exchange] })
    return { kind: "invoice", lines, accounting }
  })

/** An invoice with refunds, and money that came again, in percent of what is possible. */
const histories = fc
  .tuple(invoices, fc.array(fc.record({ kind: fc.constantFrom("credit", "again"), percent: fc.nat(100) })))
  .map(([invoice, steps]) => {
    const documents = [invoice]
    for (const { kind, percent } of steps) {
      const credited = creditedByLine(documents).reduce((sum, it) => sum + it, 0)
      const possible = kind === "credit" ? documentSums(invoice.lines).gross - credited : credited
      const amount = Math.floor((possible * percent) / 100)
      if (amount > 0) documents.push(corrected(documents, { kind, amount }))
    }
    return documents
  })

/** What documents state, credit notes taken off, by rate of tax. */
function stated(documents: readonly Document[]) {
  const sums = documents.flatMap(({ kind, accounting }) =>
    (accounting?.sums ?? []).map((it) => ({ ...it, sign: kind === "credit-note" ? -1 : 1 })),
  )
  return [...Map.groupBy(sums, ({ basisPoints }) => basisPoints)].map(([basisPoints, own]) => ({
    basisPoints,
    net: own.reduce((sum, { sign, net }) => sum + sign * net, 0),
    tax: own.reduce((sum, { sign, tax }) => sum + sign * tax, 0),
  }))
}

describe("credit notes", () => {
  test("mirror the invoice where one takes back all of it", () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const { gross } = documentSums(invoice.lines)
        const note = corrected([invoice], { kind: "credit", amount: gross })
        expect(note.accounting).toEqual(invoice.accounting)
      }),
    )
  })

  test("come to what the invoice states, whatever parts were refunded and paid again before", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { gross } = documentSums(history[0]?.lines ?? [])
        const left = gross - creditedByLine(history).reduce((sum, it) => sum + it, 0)
        const all = left > 0 ? [...history, corrected(history, { kind: "credit", amount: left })] : history
        expect(
          stated(all)
            .flatMap(({ net, tax }) => [net, tax])
            .filter((it) => it !== 0),
        ).toEqual([])
      }),
    )
  })

  test("and invoices state no amount below zero, and never take back more than was stated", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const each = history.flatMap(({ accounting }) => accounting?.sums ?? [])
        const amounts = [...each, ...stated(history)].flatMap(({ net, tax }) => [net, tax])
        expect(amounts.filter((it) => it < 0)).toEqual([])
      }),
    )
  })

  test("state nothing where the invoice does not, such as one of an earlier version", () => {
    const invoice: Document = { kind: "invoice", lines: [taxedLine(7_900)] }
    expect(corrected([invoice], { kind: "credit", amount: 7_900 }).accounting).toBeUndefined()
  })

  test("have the exchange rate of their invoice", () => {
    const lines = [taxedLine(7_900)]
    const invoice: Document = { kind: "invoice", lines, accounting: accountingTax(sale, euros) }
    const note = corrected([invoice], { kind: "credit", amount: 1_000 })
    expect(note.accounting).toEqual({
      currency: "EUR",
      exchange: rate,
      sums: [{ basisPoints: 1_900, net: 962, tax: 183 }],
    })
  })
})
