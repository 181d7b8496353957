import fc from "fast-check"
import { expect, test } from "vitest"
import { taxLines } from "../tax/tax"
import {
  correctedLines,
  creditedByLine,
  currentDocuments,
  currentSale,
  type DocumentLine,
  dividedByOwedTax,
  documentNumber,
  documentSums,
  linesPaidAgain,
  linesWithoutTax,
  type TaxDocument,
} from "./tax-document"

const line = { kind: "plan", text: "12 months", quantity: 1, months: null } as const

/** Lines of an invoice: amounts with tax at some of the rates of the Union. */
const invoices = fc
  .array(
    fc.record({
      amount: fc.integer({ min: 0, max: 50_000 }),
      basisPoints: fc.constantFrom(0, 700, 1_900, 2_550),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((lines): DocumentLine[] =>
    taxLines(lines, { discount: 0, prices: "inclusive" }).map((it) => ({ ...line, ...it })),
  )
  .filter((lines) => documentSums(lines).gross > 0)

type Issued = Pick<TaxDocument, "kind" | "lines">

function corrected(documents: readonly Issued[], kind: "credit" | "again", amount: number): Issued {
  const lines = correctedLines(documents[0]?.lines ?? [], creditedByLine(documents), { kind, amount })
  return { kind: kind === "credit" ? "credit-note" : "invoice", lines }
}

test("a credit note takes back a part of every line, with its part of the tax", () => {
  const lines = [
    { ...line, basisPoints: 1_900, net: 8_403, tax: 1_597, gross: 10_000 },
    { ...line, basisPoints: 700, net: 1_869, tax: 131, gross: 2_000 },
  ]
  const part = correctedLines(lines, [0, 0], { kind: "credit", amount: 600 })
  expect(part.map(({ net, tax, gross }) => [net, tax, gross])).toEqual([
    [420, 80, 500],
    [93, 7, 100],
  ])
})

test("credit notes of a whole invoice, however many, have its net and tax on each line", () => {
  fc.assert(
    fc.property(invoices, fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 6 }), (lines, parts) => {
      const documents: Issued[] = [{ kind: "invoice", lines }]
      let left = documentSums(lines).gross
      for (const part of [...parts, 100]) {
        const amount = part === 100 ? left : Math.floor((left * part) / 100)
        documents.push(corrected(documents, "credit", amount))
        left -= amount
      }
      for (const [at, whole] of lines.entries()) {
        const credited = documents.slice(1).map(({ lines: of }) => of[at] ?? whole)
        expect(documentSums(credited)).toEqual({ net: whole.net, tax: whole.tax, gross: whole.gross })
      }
    }),
  )
})

/** The documents of an invoice whose money goes back and comes again by parts, in percent of what can. */
const histories = fc
  .tuple(invoices, fc.array(fc.tuple(fc.boolean(), fc.nat(100)), { maxLength: 12 }))
  .map(([lines, moves]) => {
    const documents: Issued[] = [{ kind: "invoice", lines }]
    for (const [isCredit, percent] of moves) {
      const credited = creditedByLine(documents).reduce((sum, it) => sum + it, 0)
      const most = isCredit ? documentSums(lines).gross - credited : credited
      documents.push(corrected(documents, isCredit ? "credit" : "again", Math.floor((most * percent) / 100)))
    }
    return documents
  })

test("whatever is refunded and paid again, net and tax add up on every line of every document", () => {
  fc.assert(
    fc.property(histories, (documents) => {
      const lines = documents.flatMap((it) => it.lines)
      expect(lines.filter(({ net, tax, gross }) => net + tax !== gross)).toEqual([])
      expect(lines.filter(({ net, tax, gross }) => Math.min(net, tax, gross) < 0)).toEqual([])
    }),
  )
})

test("no more is taken back of a line than it has", () => {
  fc.assert(
    fc.property(histories, (documents) => {
      const gross = (documents[0]?.lines ?? []).map((it) => it.gross)
      const credited = creditedByLine(documents)
      expect(credited.filter((it, at) => it < 0 || it > (gross[at] ?? 0))).toEqual([])
    }),
  )
})

test("a number has its year and at least six digits", () => {
  expect(documentNumber("", 2026, 1)).toBe("2026-000001")
  expect(documentNumber("CN-", 2027, 1_234_567)).toBe("CN-2027-1234567")
})

test("the invoice in place of a taxed one bills what is left of it, less its tax", () => {
  fc.assert(
    fc.property(invoices, fc.nat(100), (lines, percent) => {
      const whole = documentSums(lines).gross
      const part = correctedLines(
        lines,
        lines.map(() => 0),
        { kind: "credit", amount: Math.floor((whole * percent) / 100) },
      )
      const credited = part.map(({ gross }) => gross)
      const left = correctedLines(lines, credited, {
        kind: "credit",
        amount: whole - documentSums(part).gross,
      })
      const { net, tax, gross } = documentSums(left)
      expect(documentSums(linesWithoutTax(left))).toEqual({ net, tax: 0, gross: net })
      expect(gross - documentSums(linesWithoutTax(left)).gross).toBe(tax)
    }),
  )
})

const taxed = { kind: "taxed", country: "FR", registration: "FR1" } as const
const reverse = { kind: "reverse-charge", country: "FR", registration: "DE1" } as const

test("once a taxed invoice was replaced, refunds correct the invoice in its place", () => {
  const invoice = { kind: "invoice", place: taxed } as const
  const note = { kind: "credit-note", place: taxed } as const
  const other = { kind: "invoice", place: reverse } as const
  const later = { kind: "credit-note", place: reverse } as const
  expect(currentDocuments([invoice, note, invoice])).toEqual([invoice, note, invoice])
  expect(currentDocuments([invoice, note, note, other, later])).toEqual([other, later])
  expect(currentDocuments([])).toEqual([])
})

/** Refunds and money that comes again, in minor units. */
const movements = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 10 })

test("a refund pays back the tax that is owed before it corrects the invoice, and no cent of it is counted twice", () => {
  const cents = fc.nat(3_000)
  fc.assert(
    fc.property(
      movements,
      cents,
      cents,
      fc.integer({ min: 1, max: 20_000 }),
      (moves, back, before, gross) => {
        let state = { repaid: 0, credited: 0, before }
        let paidBack = before
        for (const move of moves) {
          // No more comes back than is there, or was paid back. What comes again of earlier money owes no tax here.
          const minor = Math.min(Math.max(move, paidBack - back - gross - before), paidBack)
          const { toInvoice, repaid, paidAgain } = dividedByOwedTax(minor, { back, ...state })
          state = { repaid, credited: state.credited - toInvoice, before: state.before - paidAgain }
          paidBack -= minor
          expect(state.repaid + state.credited + state.before).toBe(paidBack)
          expect(state.credited === 0 || state.repaid === back).toBe(true)
          expect(paidAgain === 0 || (state.repaid === 0 && state.credited === 0)).toBe(true)
        }
      },
    ),
  )
})

const setOff = [{ by: "set-off", amount: 0, at: 0 }] as const

/** The documents of an invoice that was replaced by one without tax, after a part in percent had been paid back. */
function replacedAfter(percent: number, lines: readonly DocumentLine[]) {
  const whole = documentSums(lines).gross
  const amount = Math.min(Math.floor((whole * percent) / 100), whole - 1)
  const before = correctedLines(lines, [], { kind: "credit", amount })
  const credited = before.map(({ gross }) => gross)
  const left = correctedLines(lines, credited, { kind: "credit", amount: whole - amount })
  return [
    { kind: "invoice", place: taxed, lines, payments: [] },
    { kind: "credit-note", place: taxed, lines: before, payments: [] },
    { kind: "credit-note", place: taxed, lines: left, payments: [] },
    { kind: "invoice", place: reverse, lines: linesWithoutTax(left), payments: setOff },
  ] as const
}

test("what was paid back of an invoice before it was replaced comes again without its tax, whatever the parts", () => {
  fc.assert(
    fc.property(invoices, fc.nat(99), fc.nat(100), (lines, percent, part) => {
      const documents = replacedAfter(percent, lines)
      const { gross: back } = documentSums(documents[1].lines)
      const first = Math.floor((back * part) / 100)
      const again = [first, back - first]
      const paid = linesPaidAgain(documents, again)
      expect(paid.map((it) => documentSums(it).gross)).toEqual(again)
      const reinvoiced = paid.map((it) => ({
        kind: "invoice" as const,
        place: reverse,
        lines: linesWithoutTax(it),
        payments: [],
      }))
      const sold = currentSale([...documents, ...reinvoiced], again)
      expect(sold.lines.map(({ net, tax, gross }) => [net, tax, gross])).toEqual(
        lines.map(({ net }) => [net, 0, net]),
      )
      expect(sold.credited.filter((it) => it !== 0)).toEqual([])
    }),
  )
})
