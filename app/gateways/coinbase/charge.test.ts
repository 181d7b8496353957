import { expect, test } from "vitest"
import { chargeCallback, chargePayment, standing } from "../../../tests/fakes/coinbase-commerce"
import { commerceCharge } from "./charge"

const pending = chargePayment("12.50", { status: "PENDING" })
const charge = (changes: Record<string, unknown>) =>
  JSON.parse(chargeCallback({ charge: changes })).event.data as unknown

test.each([
  ["NEW", undefined, [], "pending", 0],
  ["SIGNED", undefined, [], "pending", 0],
  ["PENDING", undefined, [pending], "processing", 0],
  ["COMPLETED", undefined, [chargePayment("12.50")], "paid", 1250],
  ["RESOLVED", undefined, [chargePayment("12.50")], "paid", 1250],
  ["RESOLVED", undefined, [chargePayment("12.00")], "paid", 1200],
  ["UNRESOLVED", "OVERPAID", [chargePayment("20.00")], "paid", 2000],
  ["UNRESOLVED", "UNDERPAID", [chargePayment("5.00")], "partially-paid", 500],
  ["UNRESOLVED", "DELAYED", [chargePayment("12.50")], "paid", 1250],
  ["UNRESOLVED", "MULTIPLE", [chargePayment("5"), chargePayment("7.49")], "partially-paid", 1249],
  ["UNRESOLVED", "MULTIPLE", [chargePayment("5"), chargePayment("7.50")], "paid", 1250],
  ["UNRESOLVED", "OTHER", [pending], "processing", 0],
  ["EXPIRED", undefined, [], "expired", 0],
  ["CANCELED", undefined, [], "expired", 0],
  ["FAILED", undefined, [], "failed", 0],
  ["EXPIRED", undefined, [chargePayment("12.50")], "expired", 1250],
])(
  "Commerce charge %s (%s) with payments %j: status %s, %i cents received",
  (status, context, payments, expected, minor) => {
    expect(commerceCharge.parse(charge({ payments, ...standing(status, context) }))).toEqual({
      status: expected,
      received: { minor, currency: "EUR" },
      transactionId: minor > 0 ? "0xe02f" : null,
    })
  },
)

test("the last timeline entry decides the status of a Commerce charge", () => {
  const args = ["NEW", "PENDING", "A_WORD_OF_BEFORE", "COMPLETED"]
  const timeline = args.map((status) => ({ status }))
  expect(commerceCharge.parse(charge({ timeline }))).toMatchObject({ status: "paid" })
})

test.each([
  ["one decimal", ["12.5"], 1250],
  ["no decimals", ["12"], 1200],
  ["0.1 and 0.2, whose floating-point sum is inexact", ["0.1", "0.2"], 30],
  ["half cents that add up to a cent", ["6.245", "6.255"], 1250],
  ["a fraction just below a cent", ["12.499999999999999999"], 1249],
  ["twelve integer digits", ["123456789012.34"], 12_345_678_901_234],
])("Commerce payments with %s are added exactly", (_, amounts, minor) => {
  const payments = amounts.map((amount) => chargePayment(amount))
  expect(commerceCharge.parse(charge({ payments })).received).toEqual({ minor, currency: "EUR" })
})

test("Commerce payments count when confirmed, whatever the case of the status", () => {
  const payments = [chargePayment("5.00", { status: "confirmed" }), pending, chargePayment("7.50")]
  expect(commerceCharge.parse(charge({ payments })).received.minor).toBe(1250)
})

test.each([
  ["an unknown status", standing("HALF_PAID")],
  ["the status toString", standing("toString")],
  ["no timeline", { timeline: [] }],
  ["no price", { pricing: undefined }],
  ["a price in an unsupported currency", { pricing: { local: { amount: "1", currency: "JPY" } } }],
  ["a price with a fraction of a cent", { pricing: { local: { amount: "12.505", currency: "EUR" } } }],
  ["a payment in another currency", { payments: [paidIn("USD")] }],
  ["payments in two currencies", { payments: [chargePayment("12.50"), paidIn("USD")] }],
  ["a confirmed payment without value", { payments: [chargePayment("12.50", { value: undefined })] }],
  ["a malformed payment amount", { payments: [chargePayment("12,50")] }],
  ["a negative payment", { payments: [chargePayment("-12.50")] }],
  ["a payment amount with an exponent", { payments: [chargePayment("1e3")] }],
  ["a JSON number as payment amount", { payments: [paidIn("EUR", 12.5)] }],
  ["status COMPLETED without payments", { payments: [] }],
  ["status COMPLETED with only an unconfirmed payment", { payments: [pending] }],
])("the charge schema rejects a Commerce charge with %s", (_, changes) => {
  expect(commerceCharge.safeParse(charge(changes)).success).toBe(false)
})

function paidIn(currency: string, amount: unknown = "12.50") {
  return chargePayment("0", { value: { local: { amount, currency } } })
}
