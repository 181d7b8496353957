import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { money } from "~/domain/money/money"
import {
  BTCPAY_HOOK,
  BTCPAY_KEY,
  BTCPAY_STORE,
  BTCPAY_URL,
  btcpayInvoice,
  btcpayMethod,
  btcpayPayment,
  INVOICES,
} from "../../../tests/fakes/btcpay"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openBtcpay } from "./btcpay.server"

const server = interceptUpstreams()

const gateway = openBtcpay({
  url: BTCPAY_URL,
  store: BTCPAY_STORE,
  key: BTCPAY_KEY,
  webhookSecrets: [BTCPAY_HOOK],
  timeoutMs: 5_000,
  retryDelaysMs: [1, 1],
  now: Date.now,
})
const settled = (value: string) => btcpayPayment(value, "Settled")
const onItsWay = (value: string) => btcpayPayment(value, "Processing")
const voided = (value: string) => btcpayPayment(value, "Invalid")

/** Worth 12.50, 5.00 and 20.00 at a rate of 50 000. */
const [ALL, PART, MORE] = ["0.00025000", "0.00010000", "0.00040000"]

test.each([
  ["New", "None", "0", [], "pending", 0],
  ["New", "PaidPartial", "5.00", [onItsWay(PART)], "pending", 0],
  ["New", "PaidPartial", "5.00", [settled(PART)], "partially-paid", 500],
  ["Processing", "None", "12.50", [onItsWay(ALL)], "processing", 0],
  ["Processing", "None", "12.50", [settled(PART), onItsWay("0.00015")], "processing", 500],
  ["Processing", "PaidOver", "20.00", [settled(PART), onItsWay("0.0003")], "processing", 500],
  ["Settled", "None", "12.50", null, "paid", 1250],
  ["Settled", "PaidOver", "20.00", [settled(MORE)], "paid", 2000],
  ["Settled", "PaidOver", "20.00", [settled(ALL), onItsWay("0.00015")], "paid", 1250],
  ["Settled", "Marked", "0", null, "paid", 1250],
  ["Settled", "Marked", "5.00", null, "paid", 1250],
  ["Expired", "None", "0", null, "expired", 0],
  ["Expired", "PaidPartial", "5.00", [settled(PART)], "partially-paid", 500],
  ["Expired", "PaidPartial", "5.00", [onItsWay(PART)], "processing", 0],
  ["Expired", "PaidPartial", "12.49", [settled("0.0002499")], "partially-paid", 1249],
  ["Expired", "PaidLate", "12.50", [settled(ALL)], "paid", 1250],
  ["Expired", "PaidLate", "20.00", [settled(MORE)], "paid", 2000],
  ["Expired", "PaidLate", "12.50", [onItsWay(ALL)], "processing", 0],
  ["Invalid", "None", "12.50", [onItsWay(ALL)], "failed", 0],
  ["Invalid", "Invalid", "0", null, "failed", 0],
  ["Invalid", "Marked", "0", null, "expired", 0],
  ["Invalid", "Marked", "5.00", [settled(PART)], "failed", 500],
] as const)(
  "BTCPay invoice %s (%s), paidAmount %s, payments %j: status %s, %i cents received",
  async (status, why, paidAmount, payments, expected, minor) => {
    provider({ status, additionalStatus: why, paidAmount }, payments)
    const update = await gateway.fetchPayment({ paymentId: "i1" })
    expect(update).toMatchObject({ status: expected, received: money(minor, "EUR"), attemptId: "attempt-7" })
    expect(update?.transactionId).toBe(minor > 0 ? "i1" : null)
  },
)

test("a partially paid BTCPay invoice accepts top-ups until it expires and has ended afterwards", async () => {
  expect(gateway.takesTopUps).toBe(true)
  for (const [status, ended] of [
    ["New", undefined],
    ["Expired", true],
  ] as const) {
    provider({ status, additionalStatus: "PaidPartial", paidAmount: "5.00" }, [settled(PART)])
    expect(await gateway.fetchPayment({ paymentId: "i1" })).toMatchObject({ status: "partially-paid" })
    expect((await gateway.fetchPayment({ paymentId: "i1" }))?.ended).toBe(ended)
  }
})

test.each([
  ["New", [settled(PART)], "partially-paid", 500],
  ["New", [btcpayPayment(PART, "Settled", { fee: "0.0002" })], "pending", 0],
  ["Settled", [settled(MORE)], "paid", 2000],
  ["Expired", [onItsWay(PART)], "processing", 0],
  ["Expired", [voided(PART)], "expired", 0],
  ["Expired", [], "expired", 0],
] as const)(
  "BTCPay invoice %s without paidAmount: the received amount is the sum of the payments %j",
  async (status, payments, expected, minor) => {
    provider({ status, paidAmount: undefined }, payments)
    expect(await gateway.fetchPayment({ paymentId: "i1" })).toMatchObject({
      status: expected,
      received: money(minor, "EUR"),
    })
  },
)

test("BTCPay payments in several coins are added exactly, without the store's fees", async () => {
  const invoice = btcpayInvoice({ id: "i1", status: "Expired", additionalStatus: "PaidLate" })
  const bitcoin = { rate: "64392.23", payments: [btcpayPayment("0.00010411", "Settled", { fee: "0.00001" })] }
  const litecoin = { paymentMethodId: "LTC-CHAIN", rate: "81.07", payments: [settled("0.07943012")] }
  server.use(
    http.get(`${INVOICES}/i1`, () => HttpResponse.json({ ...invoice, paidAmount: null })),
    http.get(`${INVOICES}/i1/payment-methods`, () =>
      HttpResponse.json([btcpayMethod(bitcoin), btcpayMethod(litecoin)]),
    ),
  )
  // 0.00009411 × 64 392.23 + 0.07943012 × 81.07 = 12.4993…
  expect(await gateway.fetchPayment({ paymentId: "i1" })).toMatchObject({ received: money(1250, "EUR") })
})

test("each BTCPay invoice state has its own eventKey, and repeated polls of a state share it", async () => {
  const keys: string[] = []
  for (const [status, paidAmount, payments] of [
    ["New", "0", []],
    ["New", "5.00", [settled(PART)]],
    ["New", "12.00", [settled("0.00024")]],
    ["Expired", "12.00", [settled("0.00024")]],
    ["Expired", "12.50", [settled("0.00024"), onItsWay("0.00001")]],
    ["Expired", "12.50", [settled("0.00024"), settled("0.00001")]],
  ] as const) {
    provider({ status, paidAmount }, payments)
    const [first, second] = [0, 1].map(() => gateway.fetchPayment({ paymentId: "i1" }))
    expect(await second).toEqual(await first)
    keys.push((await gateway.fetchPayment({ paymentId: "i1" }))?.eventKey ?? "")
  }
  expect(keys[1]).toBe("i1:New:partially-paid:5.00")
  expect(new Set(keys).size).toBe(keys.length)
})

test.each([
  ["a payment with an unknown status", { payments: [btcpayPayment(ALL, "Perhaps")] }],
  ["a negative payment", { payments: [settled("-0.1")] }],
  ["a payment beyond the safe integer range", { payments: [settled("99999999999999999999")] }],
  ["a malformed rate", { rate: "5e4" }],
  ["a missing payments list", { payments: undefined }],
])("BTCPay fetchPayment throws an unreadable error for %s", async (_, changes) => {
  server.use(
    http.get(`${INVOICES}/i1`, () => HttpResponse.json(btcpayInvoice({ id: "i1", status: "Processing" }))),
    http.get(`${INVOICES}/i1/payment-methods`, () => HttpResponse.json([btcpayMethod(changes)])),
  )
  await expect(gateway.fetchPayment({ paymentId: "i1" })).rejects.toMatchObject({
    name: "GatewayError",
    kind: "unreadable",
  })
})

/** Serves an invoice and its payments. `payments` null: requesting them fails with 500. */
function provider(changes: Record<string, unknown>, payments: readonly unknown[] | null) {
  server.use(
    http.get(`${INVOICES}/i1`, () => HttpResponse.json(btcpayInvoice({ id: "i1", ...changes }))),
    http.get(`${INVOICES}/i1/payment-methods`, () =>
      payments ? HttpResponse.json([btcpayMethod({ payments })]) : HttpResponse.json({}, { status: 500 }),
    ),
  )
}

test("BTCPay payments name the address and the transaction by which an operator finds them", async () => {
  const address = { kind: "address", value: "bcrt1qdestination" }
  const transaction = { kind: "transaction", value: "tx-0" }
  const named = async (changes: Record<string, unknown>, payments: Parameters<typeof provider>[1]) => {
    provider(changes, payments)
    return (await gateway.fetchPayment({ paymentId: "i1" }))?.coinReferences
  }
  const paid = { status: "Settled", paidAmount: "12.50" }
  expect(await named(paid, [settled("0.00025000")])).toEqual([address, transaction])
  // Also of one that is not paid, whose buyer asks where the money went.
  expect(await named({ status: "Expired", paidAmount: "0" }, [])).toEqual([address])
  // A buyer who has not chosen a coin yet has no address, and a server that does not say it still settles the payment.
  expect(await named({ status: "New", paidAmount: "0" }, [])).toBeUndefined()
  provider(paid, null)
  expect(await gateway.fetchPayment({ paymentId: "i1" })).toMatchObject({
    status: "paid",
    coinReferences: [],
  })
})
