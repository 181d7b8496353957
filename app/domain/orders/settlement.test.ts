import { expect, test } from "vitest"
import { unpaidInvoice as invoice } from "../../../tests/fixtures/unpaid-invoice"
import { DAY } from "../calendar"
import { money } from "../money/money"
import type { PaymentStatus, PaymentUpdate } from "../payments/payment"
import {
  acceptsPayment,
  type KnownAttempt,
  outstanding,
  type Settlement,
  settle as settleUnder,
  type Terms,
  updateOfAttempt,
} from "./settlement"

const euro = (minor: number) => money(minor, "EUR")
const came = (gross: number, refunded = 0) => ({ gross, refunded, left: null })
const usual: Terms = { payable: true, tolerance: 0 }
const settle = (it: typeof invoice, known: KnownAttempt, update: PaymentUpdate, terms = usual) =>
  settleUnder(it, known, update, terms)
const attempt: KnownAttempt = { status: "pending", balance: came(0), amount: euro(7_900) }

function paymentUpdate(status: PaymentStatus, received: number): PaymentUpdate {
  return { eventKey: "e1", attemptId: "a1", status, received: euro(received), transactionId: null }
}

test("money for an invoice that the operator has marked as paid becomes account credit", () => {
  const marked = { ...invoice, paid: true, paidByOperator: true }
  expect(settle(marked, attempt, paymentUpdate("paid", 7_900))).toMatchObject({
    movement: euro(7_900),
    surplus: euro(7_900),
    orderEvent: null,
    event: "overpaid",
  })
})

test("the full amount pays the invoice", () => {
  expect(settle(invoice, attempt, paymentUpdate("paid", 7_900))).toEqual({
    attempt: { status: "paid", balance: came(7_900) },
    movement: euro(7_900),
    surplus: euro(0),
    invoiceReceived: euro(7_900),
    orderEvent: "paid",
    event: "paid",
  })
})

test("a remainder that looked like a full refund pays the invoice once more money is known than it", () => {
  // The first report named 3,950 as remainder and as all that had come, which reads as a full refund.
  const known: KnownAttempt = {
    ...attempt,
    status: "refunded",
    balance: { gross: 3_950, refunded: 0, left: 3_950 },
  }
  const half = { ...invoice, received: euro(3_950) }
  expect(settle(half, known, paymentUpdate("pending", 3_951))).toMatchObject({
    movement: euro(3_950),
    invoiceReceived: euro(7_900),
    orderEvent: "paid",
    event: "paid",
  })
})

test("records a partial payment and leaves the rest outstanding", () => {
  const settled = booked(settle(invoice, attempt, paymentUpdate("partially-paid", 2_000)))
  expect(settled).toMatchObject({ movement: euro(2_000), orderEvent: "partlyPaid", event: "partly-paid" })
  expect(outstanding({ ...invoice, received: settled.invoiceReceived })).toEqual(euro(5_900))
})

test("records only the increase of a growing received amount", () => {
  const started = { ...attempt, status: "partially-paid" as const, balance: came(2_000) }
  const settled = booked(settle({ ...invoice, received: euro(2_000) }, started, paymentUpdate("paid", 7_900)))
  expect(settled).toMatchObject({ movement: euro(5_900), invoiceReceived: euro(7_900), orderEvent: "paid" })
})

test("records an overpayment as surplus once", () => {
  expect(settle(invoice, attempt, paymentUpdate("paid", 8_000))).toMatchObject({
    surplus: euro(100),
    orderEvent: "paid",
  })
  const paid = { ...invoice, received: euro(8_000), credited: euro(100), paid: true }
  expect(settle(paid, attempt, paymentUpdate("paid", 7_900))).toMatchObject({
    surplus: euro(7_900),
    orderEvent: null,
    event: "overpaid",
  })
})

test("what comes for a paid invoice pays what the tolerance has forgiven before it is surplus", () => {
  const forgiven = { ...invoice, received: euro(7_890), paid: true }
  const moved = (minor: number) => settle(forgiven, attempt, paymentUpdate("paid", minor))
  expect(moved(10)).toMatchObject({ movement: euro(10), surplus: euro(0), orderEvent: null, event: "paid" })
  expect(moved(15)).toMatchObject({ movement: euro(15), surplus: euro(5), orderEvent: null, event: "paid" })
})

test("on an overfull invoice only the new amount is surplus", () => {
  const full = { ...invoice, received: euro(8_000) }
  expect(settle(full, attempt, paymentUpdate("paid", 300))).toMatchObject({
    surplus: euro(300),
    orderEvent: "paid",
  })
})

test("a less final status after paid changes nothing", () => {
  const done: KnownAttempt = { status: "paid", balance: came(7_900), amount: euro(7_900) }
  const paid = { ...invoice, received: euro(7_900), paid: true }
  for (const worse of ["pending", "failed", "expired", "processing"] as const) {
    expect(settle(paid, done, paymentUpdate(worse, 0))).toMatchObject({
      attempt: { status: "paid", balance: came(7_900) },
      movement: null,
      orderEvent: null,
      event: null,
    })
  }
})

test.each<[PaymentStatus, string | null]>([
  ["processing", "seen"],
  ["failed", "payment-failed"],
  ["expired", "payment-expired"],
  ["refunded", null],
])("a %s update without money appends the timeline event %s", (status, event) => {
  expect(settle(invoice, attempt, paymentUpdate(status, 0))).toMatchObject({
    event,
    orderEvent: null,
    movement: null,
  })
})

test("rejects an update or an attempt in another currency than the invoice's", () => {
  const pounds = money(7_900, "GBP")
  expect(settle(invoice, attempt, { ...paymentUpdate("paid", 0), received: pounds })).toBe("refused")
  expect(settle(invoice, { ...attempt, amount: pounds }, paymentUpdate("paid", 7_900))).toBe("refused")
})

test("nothing is outstanding on a fully paid or overpaid invoice", () => {
  expect(outstanding({ ...invoice, received: euro(7_900) })).toEqual(euro(0))
  expect(outstanding({ ...invoice, received: euro(9_000) })).toEqual(euro(0))
})

test("accepts an underpayment within the tolerance, and not a cent more", () => {
  const terms = { payable: true, tolerance: 50 }
  expect(settle(invoice, attempt, paymentUpdate("paid", 7_861), terms)).toMatchObject({
    orderEvent: "paid",
    event: "paid",
  })
  expect(settle(invoice, attempt, paymentUpdate("paid", 7_860), terms)).toMatchObject({
    orderEvent: "partlyPaid",
  })
})

test("credits a payment in full when the order is not payable any more", () => {
  const terms = { payable: false, tolerance: 0 }
  expect(settle(invoice, attempt, paymentUpdate("paid", 7_900), terms)).toMatchObject({
    movement: euro(7_900),
    surplus: euro(7_900),
    orderEvent: null,
    event: "credited",
  })
})

test.each([
  ["awaiting-payment", 30 * DAY, true],
  ["expired", 7 * DAY, true],
  ["expired", 7 * DAY + 1, false],
  ["cancelled", 7 * DAY, true],
  ["cancelled", 8 * DAY, false],
  ["active", 90 * DAY, true],
  ["fraud", 0, false],
] as const)(
  "an order in status %s accepts a payment %d ms after its deadline: %s",
  (status, after, takes) => {
    expect(acceptsPayment(status, 1_000, 1_000 + after)).toBe(takes)
  },
)

test("subtracts applied credit from the outstanding amount", () => {
  expect(outstanding({ ...invoice, credited: euro(-900) })).toEqual(euro(7_000))
  const covered = settle({ ...invoice, credited: euro(-900) }, attempt, paymentUpdate("paid", 7_000))
  expect(covered).toMatchObject({ orderEvent: "paid", surplus: euro(0) })
})

function booked(settled: Settlement | "refused"): Settlement {
  if (settled === "refused") throw new Error("Refused, though all is in one currency")
  return settled
}

const topUp = { ...invoice, isTopUp: true }

test.each([
  ["the total", 7_900, 0, 7_900],
  ["more than the total", 8_000, 0, 8_000],
  ["a little less, within the tolerance", 7_861, 0, 7_861],
  ["the rest", 7_000, 900, 7_900],
])("a top-up that is paid by %s makes account credit of all that came", (_, minor, before, surplus) => {
  const terms = { payable: true, tolerance: 50 }
  expect(
    settle({ ...topUp, received: euro(before) }, attempt, paymentUpdate("paid", minor), terms),
  ).toMatchObject({ surplus: euro(surplus), orderEvent: "paid" })
})

test("a part of a top-up is no account credit yet, a second payment is, and a refund takes it back", () => {
  expect(settle(topUp, attempt, paymentUpdate("partially-paid", 900))).toMatchObject({
    surplus: euro(0),
    orderEvent: "partlyPaid",
  })
  const granted = { received: euro(7_900), credited: euro(7_900), surplus: euro(7_900) }
  const paid = { ...topUp, ...granted, paid: true }
  expect(settle(paid, attempt, paymentUpdate("paid", 500))).toMatchObject({
    surplus: euro(500),
    orderEvent: null,
  })
  const known: KnownAttempt = { ...attempt, status: "paid", balance: came(7_900) }
  const refunded = { ...paymentUpdate("refunded", 7_900), refunded: euro(7_900) }
  expect(settle(paid, known, refunded)).toMatchObject({ movement: euro(-7_900), surplus: euro(-7_900) })
})

test("a report that pays a top-up and refunds it at once grants nothing", () => {
  const report = { ...paymentUpdate("refunded", 7_900), refunded: euro(7_900) }
  expect(settle(topUp, attempt, report)).toMatchObject({ movement: null, surplus: euro(0) })
})

const ofInvoice = (status: PaymentStatus, received: number) => ({
  ...paymentUpdate(status, received),
  ofInvoice: true,
})
const partOf = (it: typeof invoice, known: KnownAttempt, update: PaymentUpdate, terms = usual) => {
  const { status, received } = updateOfAttempt(it, known, update, terms)
  return [status, received.minor]
}

test("of an amount that is reported for the whole invoice, an attempt has what the others have not received", () => {
  const others = { ...invoice, received: euro(2_000) }
  expect(partOf(others, attempt, ofInvoice("pending", 5_000))).toEqual(["partially-paid", 3_000])
  expect(partOf(others, attempt, ofInvoice("pending", 2_000))).toEqual(["pending", 0])
  expect(partOf(others, attempt, ofInvoice("expired", 2_000))).toEqual(["expired", 0])
  expect(partOf(others, attempt, ofInvoice("paid", 7_900))).toEqual(["paid", 5_900])
  expect(partOf({ ...others, received: euro(7_900) }, attempt, ofInvoice("paid", 7_900))).toEqual(["paid", 0])
  const started = { ...attempt, balance: came(2_000) }
  expect(partOf(others, started, ofInvoice("pending", 3_000))).toEqual(["partially-paid", 3_000])
})

test("an attempt has at least what it has received, and no more than is due", () => {
  const started = { ...attempt, balance: came(2_000) }
  const partly = { ...invoice, received: euro(2_000) }
  expect(partOf(partly, started, ofInvoice("pending", 0))).toEqual(["partially-paid", 2_000])
  expect(partOf(partly, started, ofInvoice("pending", 9_999))).toEqual(["partially-paid", 7_900])
  expect(partOf({ ...invoice, credited: euro(-900) }, attempt, ofInvoice("paid", 7_900))).toEqual([
    "paid",
    7_000,
  ])
  const marked = { ...invoice, paid: true, paidByOperator: true }
  expect(partOf(marked, attempt, ofInvoice("paid", 7_900))).toEqual(["paid", 0])
  const late = { ...usual, payable: false }
  expect(partOf(partly, started, ofInvoice("paid", 7_900), late)).toEqual(["paid", 2_000])
})

test("an amount that is reported for one payment is not changed", () => {
  const others = { ...invoice, received: euro(2_000) }
  expect(partOf(others, attempt, paymentUpdate("pending", 5_000))).toEqual(["pending", 5_000])
})
