import { expect, test } from "vitest"
import { money } from "./money"
import type { PaymentNews, PaymentStatus } from "./payment"
import { type KnownAttempt, outstanding, type Settlement, settle } from "./settlement"

const euro = (minor: number) => money(minor, "EUR")
const invoice = { total: euro(7_900), received: euro(0) }
const attempt: KnownAttempt = { status: "pending", received: euro(0), amount: euro(7_900) }

function news(status: PaymentStatus, received: number): PaymentNews {
  return { eventKey: "e1", attemptId: "a1", status, received: euro(received), transactionId: null }
}

test("the whole amount pays the invoice", () => {
  expect(settle(invoice, attempt, news("paid", 7_900))).toEqual({
    attempt: { status: "paid", received: euro(7_900) },
    movement: euro(7_900),
    surplus: euro(0),
    invoiceReceived: euro(7_900),
    orderEvent: "paid",
    told: "paid",
  })
})

test("a part is booked and the rest stays to be paid", () => {
  const settled = booked(settle(invoice, attempt, news("partially-paid", 2_000)))
  expect(settled).toMatchObject({ movement: euro(2_000), orderEvent: "partlyPaid", told: "partly-paid" })
  expect(outstanding({ ...invoice, received: settled.invoiceReceived })).toEqual(euro(5_900))
})

test("only what is new of a growing amount moves", () => {
  const begun = { ...attempt, status: "partially-paid" as const, received: euro(2_000) }
  const settled = booked(settle({ ...invoice, received: euro(2_000) }, begun, news("paid", 7_900)))
  expect(settled).toMatchObject({ movement: euro(5_900), invoiceReceived: euro(7_900), orderEvent: "paid" })
})

test("what is above the invoice is surplus, and only once", () => {
  expect(settle(invoice, attempt, news("paid", 8_000))).toMatchObject({
    surplus: euro(100),
    orderEvent: "paid",
  })
  const paid = { ...invoice, received: euro(8_000) }
  expect(settle(paid, attempt, news("paid", 7_900))).toMatchObject({
    surplus: euro(7_900),
    orderEvent: null,
    told: "overpaid",
  })
})

test("a worse word after a payment changes nothing", () => {
  const done: KnownAttempt = { status: "paid", received: euro(7_900), amount: euro(7_900) }
  const paid = { ...invoice, received: euro(7_900) }
  for (const worse of ["pending", "failed", "expired", "processing"] as const) {
    expect(settle(paid, done, news(worse, 0))).toMatchObject({
      attempt: { status: "paid", received: euro(7_900) },
      movement: null,
      orderEvent: null,
      told: null,
    })
  }
})

test.each<[PaymentStatus, string]>([
  ["processing", "seen"],
  ["failed", "payment-failed"],
  ["expired", "payment-expired"],
  ["refunded", "refunded"],
])("a payment that is %s without money moving is told as %s", (status, told) => {
  expect(settle(invoice, attempt, news(status, 0))).toMatchObject({ told, orderEvent: null, movement: null })
})

test("news in another currency is refused, and so is an attempt in another than the invoice's", () => {
  const pounds = money(7_900, "GBP")
  expect(settle(invoice, attempt, { ...news("paid", 0), received: pounds })).toBe("refused")
  expect(settle(invoice, { ...attempt, amount: pounds }, news("paid", 7_900))).toBe("refused")
})

test("nothing is outstanding once enough or more has come", () => {
  expect(outstanding({ ...invoice, received: euro(7_900) })).toEqual(euro(0))
  expect(outstanding({ ...invoice, received: euro(9_000) })).toEqual(euro(0))
})

function booked(settled: Settlement | "refused"): Settlement {
  if (settled === "refused") throw new Error("Refused, though all is in one currency")
  return settled
}
