import { expect, test } from "vitest"
import { unpaidInvoice as invoice } from "../../../tests/fixtures/unpaid-invoice"
import { money } from "../money/money"
import type { PaymentStatus, PaymentUpdate } from "../payments/payment"
import { type KnownAttempt, type Settlement, settle as settleUnder, type Terms } from "./settlement"

const euro = (minor: number) => money(minor, "EUR")
const usual: Terms = { payable: true, tolerance: 0 }
const settle = (it: typeof invoice, known: KnownAttempt, update: PaymentUpdate, terms = usual) =>
  settleUnder(it, known, update, terms)
const came = (gross: number, refunded = 0) => ({ gross, refunded, left: null })
const attempt: KnownAttempt = { status: "pending", balance: came(0), amount: euro(7_900) }

test("a refund reduces the customer's credit first and does not change the order", () => {
  const done: KnownAttempt = { status: "paid", balance: came(8_000), amount: euro(7_900) }
  const over = { ...invoice, received: euro(8_000), credited: euro(100), surplus: euro(100), paid: true }
  expect(settle(over, done, paymentUpdate("refunded", 7_950))).toMatchObject({
    movement: euro(-50),
    surplus: euro(-50),
    invoiceReceived: euro(7_950),
    orderEvent: null,
    event: "refunded",
    attempt: { status: "refunded", balance: { ...came(8_000), left: 7_950 } },
  })
  expect(settle(over, done, paymentUpdate("refunded", 0))).toMatchObject({
    movement: euro(-8_000),
    surplus: euro(-100),
  })
})

test("a payment whose first report contains a partial refund pays the order, as if the refund had come later", () => {
  const refund = { ...paymentUpdate("refunded", 7_900), refunded: euro(2_000) }
  expect(settle(invoice, attempt, refund)).toMatchObject({
    movement: euro(5_900),
    invoiceReceived: euro(5_900),
    orderEvent: "paid",
    event: "paid",
  })
})

test("a part that is refunded in its first report leaves the order partly paid", () => {
  const refund = { ...paymentUpdate("refunded", 5_000), refunded: euro(2_000) }
  expect(settle(invoice, attempt, refund)).toMatchObject({ movement: euro(3_000), orderEvent: "partlyPaid" })
})

test("after a refund, older updates change nothing and a further refund reduces the rest", () => {
  const left: KnownAttempt = {
    status: "refunded",
    balance: { ...came(7_900), left: 2_000 },
    amount: euro(7_900),
  }
  const paid = { ...invoice, received: euro(2_000), paid: true }
  for (const older of [
    paymentUpdate("paid", 7_900),
    paymentUpdate("partially-paid", 5_000),
    paymentUpdate("refunded", 4_000),
  ]) {
    expect(settle(paid, left, older)).toMatchObject({ movement: null, orderEvent: null, event: null })
  }
  expect(settle(paid, left, paymentUpdate("refunded", 500))).toMatchObject({
    movement: euro(-1_500),
    event: "refunded",
  })
})

test.each([
  [
    "reports the refunded amount of a paid payment",
    { ...paymentUpdate("paid", 7_900), refunded: euro(2_000) },
    -2_000,
  ],
  [
    "reports a partial amount with the status refunded",
    { ...paymentUpdate("refunded", 7_900), refunded: euro(100) },
    -100,
  ],
  [
    "reports no refunded amount and an unchanged received amount (a full refund)",
    paymentUpdate("refunded", 7_900),
    -7_900,
  ],
  ["reports no refunded amount and the remainder as received", paymentUpdate("refunded", 5_900), -2_000],
])("a refund that %s reduces the received amount by the refunded amount", (_, refund, moved) => {
  const done: KnownAttempt = { status: "paid", balance: came(7_900), amount: euro(7_900) }
  const paid = { ...invoice, received: euro(7_900), paid: true }
  const settled = booked(settle(paid, done, refund))
  expect(settled).toMatchObject({
    movement: euro(moved),
    invoiceReceived: euro(7_900 + moved),
    orderEvent: null,
    event: "refunded",
  })
  const again: KnownAttempt = { ...done, ...settled.attempt }
  const delayed = paymentUpdate("paid", 7_900)
  expect(settle({ ...paid, received: settled.invoiceReceived }, again, delayed)).toMatchObject({
    movement: null,
    event: null,
  })
})

test("a refund takes back the surplus of an invoice partly paid from credit", () => {
  const done: KnownAttempt = { status: "paid", balance: came(8_000), amount: euro(7_000) }
  const helped = {
    ...invoice,
    received: euro(8_000),
    credited: euro(-900 + 1_000),
    surplus: euro(1_000),
    paid: true,
  }
  expect(settle(helped, done, paymentUpdate("refunded", 7_400))).toMatchObject({ surplus: euro(-600) })
  expect(settle(helped, done, paymentUpdate("refunded", 0))).toMatchObject({ surplus: euro(-1_000) })
})

test("a refund of a partial payment on an ended order takes back no credit that was never granted", () => {
  const part: KnownAttempt = { status: "partially-paid", balance: came(2_000), amount: euro(7_900) }
  const terms = { payable: false, tolerance: 0 }
  expect(
    settle({ ...invoice, received: euro(2_000) }, part, paymentUpdate("refunded", 0), terms),
  ).toMatchObject({
    movement: euro(-2_000),
    surplus: euro(0),
  })
})

test("a payment after a full refund is not surplus", () => {
  const refunded = { ...invoice, received: euro(0), paid: true }
  expect(settle(refunded, attempt, paymentUpdate("paid", 7_900))).toMatchObject({
    surplus: euro(0),
    event: "paid",
  })
})

test("rejects a refund in another currency than the payment's", () => {
  const done: KnownAttempt = { status: "paid", balance: came(7_900), amount: euro(7_900) }
  const refund = { ...paymentUpdate("paid", 7_900), refunded: money(100, "USD") }
  expect(settle({ ...invoice, received: euro(7_900), paid: true }, done, refund)).toBe("refused")
})

function paymentUpdate(status: PaymentStatus, received: number): PaymentUpdate {
  return { eventKey: "e1", attemptId: "a1", status, received: euro(received), transactionId: null }
}

function booked(settled: Settlement | "refused"): Settlement {
  if (settled === "refused") throw new Error("Refused, though all is in one currency")
  return settled
}

test("what was refunded as account credit is taken back last, once the gateway has paid it back as well", () => {
  const refunded = {
    ...invoice,
    received: euro(8_000),
    credited: euro(1_100),
    surplus: euro(1_100),
    refundedToCredit: euro(1_000),
    paid: true,
  }
  const done: KnownAttempt = { ...attempt, status: "paid", balance: came(8_000) }
  const back = (minor: number) =>
    settle(refunded, done, { ...paymentUpdate("refunded", 8_000), refunded: euro(minor) })
  expect(back(100)).toMatchObject({ surplus: euro(-100) })
  expect(back(7_000)).toMatchObject({ surplus: euro(-100) })
  expect(back(7_001)).toMatchObject({ surplus: euro(-101) })
  expect(back(8_000)).toMatchObject({ surplus: euro(-1_100) })
})
