import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { creditNote, invoiceDocument, taxedLine } from "../../../tests/fixtures/tax-document"
import { amountsOf, disagreementIn, type OrderAccounts } from "./document-check"
import type { DocumentPayment } from "./tax-document"

const paid = (amount: number, by: DocumentPayment["by"] = "offshore"): DocumentPayment => ({
  by,
  amount,
  at: 0,
})
const invoice = (...payments: readonly DocumentPayment[]) => invoiceDocument({ number: "1", payments })
const note = (amount: number, by?: DocumentPayment["by"]) =>
  creditNote(
    { number: "1", issuedOn: "2026-11-20" },
    { number: "C1", lines: [taxedLine(amount)], payments: [paid(amount, by)] },
  )
const elsewhere = invoice(paid(7_900, "other"))
const accounts = (received: number, credited: number, ...documents: OrderAccounts["documents"]) =>
  ({
    orderId: "7BQ697JNZK",
    currency: "EUR",
    total: 7_900,
    received,
    credited,
    owedBack: 0,
    outside: null,
    refundedElsewhere: 0,
    givenElsewhere: 0,
    documents,
  }) as const

describe("documents of 79.00 agree with the ledgers", () => {
  test.each([
    ["that was paid", accounts(7_900, 0, invoice(paid(7_900)))],
    ["whose surplus became account credit", accounts(9_000, 1_100, invoice(paid(7_900)))],
    [
      "that account credit paid in part",
      accounts(4_900, -3_000, invoice(paid(3_000, "credit"), paid(4_900))),
    ],
    ["that account credit paid whole", accounts(0, -7_900, invoice(paid(7_900, "credit")))],
    ["within the tolerance of its gateway", accounts(7_899, 0, invoice(paid(7_899)))],
    ["whose forgiven rest has arrived since in part", accounts(7_894, 0, invoice(paid(7_890)))],
    [
      "whose forgiven rest has arrived since, and that was refunded",
      accounts(0, 0, invoice(paid(7_890)), note(7_900)),
    ],
    ["that the operator has received", accounts(0, 0, invoice(paid(7_900, "other")))],
    [
      "that the operator has received, of which 10.00 became account credit",
      accounts(0, 1_000, { ...invoice(paid(6_900, "other")), lines: [taxedLine(6_900)] }),
    ],
    [
      "of which 10.00 did not apply",
      accounts(7_900, 1_000, { ...invoice(paid(6_900)), lines: [taxedLine(6_900)] }),
    ],
    ["that was refunded in part", accounts(6_900, 0, invoice(paid(7_900)), note(1_000))],
    [
      "whose account credit was given back",
      accounts(0, -6_900, invoice(paid(7_900, "credit")), note(1_000, "credit")),
    ],
    [
      "that the operator has received, and paid back in part",
      { ...accounts(0, 0, elsewhere, note(1_000, "other")), refundedElsewhere: 1_000 },
    ],
    [
      "that the operator has received, and refunded as account credit",
      { ...accounts(0, 0, elsewhere, note(1_000, "credit")), refundedElsewhere: 1_000 },
    ],
    ["with the entry of what the operator has received", { ...accounts(0, 0, elsewhere), outside: 7_900 }],
    [
      "of which the operator has received a part, and 10.00 of it became account credit",
      {
        ...accounts(2_000, 1_000, {
          ...invoice(paid(2_000), paid(4_900, "other")),
          lines: [taxedLine(6_900)],
        }),
        outside: 5_900,
      },
    ],
    [
      "that the operator has received, paid back in part and refunded in part as account credit",
      {
        ...accounts(0, 0, elsewhere, note(1_000, "other"), note(500, "credit")),
        outside: 6_900,
        refundedElsewhere: 1_500,
        givenElsewhere: 500,
      },
    ],
    ["that was refunded whole", accounts(0, 0, invoice(paid(7_900)), note(7_900))],
    ["whose surplus was refunded first", accounts(7_900, 0, invoice(paid(7_900)))],
    ["without documents", accounts(7_900, 0)],
  ])("of an order %s", (_, order) => {
    expect(disagreementIn(order)).toBeNull()
  })
})

describe("documents of 79.00 do not agree with the ledgers", () => {
  test.each([
    ["without a credit note for a refund", accounts(6_900, 0, invoice(paid(7_900))), 7_900, 6_900],
    ["with a credit note too many", accounts(7_900, 0, invoice(paid(7_900)), note(1_000)), 6_900, 7_900],
    ["with a second invoice", accounts(7_900, 0, invoice(paid(7_900)), invoice(paid(7_900))), 15_800, 7_900],
    ["whose money became account credit", accounts(7_900, 7_900, invoice(paid(7_900))), 7_900, 0],
    [
      "that was refunded as account credit without a record",
      accounts(0, 0, elsewhere, note(1_000, "credit")),
      -1_000,
      0,
    ],
    ["that nobody has paid", accounts(0, 0, invoice(paid(7_900))), 7_900, 0],
    [
      "that the operator has received, and is account credit too",
      accounts(0, 500, invoice(paid(7_900, "other"))),
      0,
      -500,
    ],
    [
      "whose entry of what the operator has received is less",
      { ...accounts(0, 0, elsewhere), outside: 7_800 },
      7_900,
      7_800,
    ],
    [
      "that the operator has paid back without a credit note",
      { ...accounts(0, 0, elsewhere), outside: 6_900, refundedElsewhere: 1_000 },
      7_900,
      6_900,
    ],
    ["that say more was paid than they cost", accounts(8_000, 0, invoice(paid(8_000))), 8_000, 8_000],
  ])("of an order %s", (_, order, documents, ledgers) => {
    expect(disagreementIn(order)).toEqual({
      orderId: "7BQ697JNZK",
      currency: "EUR",
      number: "1",
      documents,
      ledgers,
    })
  })
})

const cents = fc.integer({ min: 0, max: 100_000 })

test("what is booked, received elsewhere and forgiven is what the documents come to", () => {
  const document = fc
    .record({ isNote: fc.boolean(), gross: cents, booked: cents, elsewhere: cents })
    .map(({ isNote, gross, booked, elsewhere }) => ({
      ...(isNote ? note(gross) : invoice()),
      lines: [taxedLine(gross)],
      payments: [paid(booked), paid(elsewhere, "other")],
    }))
  fc.assert(
    fc.property(fc.array(document, { maxLength: 5 }), (documents) => {
      const { booked, elsewhere, forgiven } = amountsOf(documents)
      const signed = documents.map(
        ({ kind, lines }) => (kind === "invoice" ? 1 : -1) * (lines[0]?.gross ?? 0),
      )
      expect(booked + elsewhere + forgiven).toBe(signed.reduce((a, b) => a + b, 0))
    }),
  )
})

test("tax that is owed back is of the ledgers alone, until it is paid back", () => {
  const replaced = [
    invoice(paid(7_900)),
    { ...note(7_900), payments: [paid(6_639, "set-off" as never)] },
    { ...invoice(paid(6_639, "set-off" as never)), lines: [taxedLine(6_639, 0)] },
  ]
  expect(disagreementIn({ ...accounts(7_900, 0, ...replaced), owedBack: 1_261 })).toBeNull()
  expect(disagreementIn(accounts(7_900 - 1_261, 0, ...replaced))).toBeNull()
  expect(disagreementIn(accounts(7_900, 0, ...replaced))).toMatchObject({ documents: 6_639, ledgers: 7_900 })
})

test("any cent that only one of them has is found, unless it was forgiven and has arrived since", () => {
  const off = fc.integer({ min: -500, max: 500 })
  fc.assert(
    fc.property(cents, cents, off, fc.integer({ min: 0, max: 100 }), (received, credited, off, forgiven) => {
      const lines = [taxedLine(received - credited + forgiven)]
      const documents = [{ ...invoice(paid(received - credited)), lines }]
      const order = { ...accounts(received + off, credited), documents }
      expect(disagreementIn(order) === null).toBe(off >= 0 && off <= forgiven)
    }),
  )
})
