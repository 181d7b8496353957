import { expect, test } from "vitest"
import { money } from "~/domain/money/money"
import {
  CRYPTOMUS_KEY,
  CRYPTOMUS_MERCHANT,
  CRYPTOMUS_URL,
  cryptomusBill,
  cryptomusCallback,
  cryptomusInvoice,
  cryptomusResponses,
  INVOICE,
  invoicePaid,
} from "../../../tests/fakes/cryptomus"
import { parsedUpdate } from "../../../tests/fakes/parse-callback"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openCryptomus } from "./cryptomus.server"

const server = interceptUpstreams()

const gateway = openCryptomus({
  url: CRYPTOMUS_URL,
  merchant: CRYPTOMUS_MERCHANT,
  paymentKey: CRYPTOMUS_KEY,
  timeoutMs: 5_000,
  retryDelaysMs: [],
  now: () => 0,
})
const FINAL = [
  "paid",
  "paid_over",
  "wrong_amount",
  "cancel",
  "fail",
  "system_fail",
  "refund_fail",
  "refund_paid",
]
/** 5 of 13.41 USDT received; the price is 12.50 EUR. */
const short = { payer_amount: "13.41000000", payment_amount: "5.00000000" }

const args: [string, string, number][] = [
  ["check", "pending", 0],
  ["process", "processing", 0],
  ["confirm_check", "processing", 0],
  ["wrong_amount_waiting", "partially-paid", 466],
  ["locked", "processing", 0],
  ["paid", "paid", 1250],
  ["paid_over", "paid", 1250],
  ["wrong_amount", "expired", 466],
  ["cancel", "expired", 0],
  ["fail", "failed", 0],
  ["system_fail", "failed", 0],
  ["refund_process", "processing", 0],
  ["refund_fail", "processing", 0],
  ["refund_paid", "refunded", 0],
]

test.each(args)("Cryptomus invoice %s: status %s, %i cents received", async (status, expected, minor) => {
  const body = { status, is_final: FINAL.includes(status), ...short }
  const result = { attemptId: "attempt-7", status: expected, received: money(minor, "EUR") }
  server.use(cryptomusResponses("payment/info", cryptomusInvoice(body)))
  const update = await gateway.fetchPayment({ paymentId: INVOICE })
  expect(update).toMatchObject(result)
  // A callback and a poll of the same state have the same eventKey.
  const called = parsedUpdate(gateway, cryptomusCallback({ body: invoicePaid(body) }))
  expect(called).toMatchObject({ ...result, eventKey: update?.eventKey })
})

test.each([
  ["only a coin was chosen", { txid: null, payment_amount: null }, "pending"],
  ["the amount is zero so far", { txid: "", payment_amount: "0.00000000" }, "pending"],
  ["a transfer was made", { txid: "0xabc", payment_amount: null }, "processing"],
  ["an amount has been seen", { txid: null, payment_amount: "5.00000000" }, "processing"],
])("a Cryptomus invoice in process waits for money while %s", async (_, changes, expected) => {
  const body = { status: "process", is_final: false, payer_amount: "13.41000000", ...changes }
  server.use(cryptomusResponses("payment/info", cryptomusInvoice(body)))
  const update = await gateway.fetchPayment({ paymentId: INVOICE })
  expect(update).toMatchObject({ status: expected, received: money(0, "EUR") })
  const called = parsedUpdate(gateway, cryptomusCallback({ body: invoicePaid(body) }))
  expect(called).toMatchObject({ status: expected, eventKey: update?.eventKey })
})

test("the choice of a coin has not the eventKey of the transfer that follows", () => {
  const keys = [null, "0xabc"].map((txid) => {
    const body = invoicePaid({ status: "process", is_final: false, payment_amount: null, txid })
    return parsedUpdate(gateway, cryptomusCallback({ body }))?.eventKey
  })
  expect(new Set(keys).size).toBe(2)
})

test("an underpaid Cryptomus invoice accepts top-ups while waiting and has ended once final", async () => {
  expect(gateway.takesTopUps).toBe(true)
  for (const [status, ended] of [
    ["wrong_amount_waiting", undefined],
    ["wrong_amount", true],
    ["cancel", undefined],
  ] as const) {
    const body = { status, is_final: FINAL.includes(status), ...short }
    server.use(cryptomusResponses("payment/info", cryptomusInvoice(body)))
    const update = await gateway.fetchPayment({ paymentId: INVOICE })
    expect([status, update?.ended]).toEqual([status, ended])
    expect(parsedUpdate(gateway, cryptomusCallback({ body: invoicePaid(body) }))?.ended).toBe(ended)
  }
})

test("an unknown Cryptomus status is ignored in a callback and unreadable in a poll", async () => {
  expect(parsedUpdate(gateway, cryptomusCallback({ body: invoicePaid({ status: "aml_review" }) }))).toBeNull()
  expect(parsedUpdate(gateway, cryptomusCallback({ body: invoicePaid({ status: "toString" }) }))).toBeNull()
  server.use(cryptomusResponses("payment/info", cryptomusInvoice({ status: "aml_review" })))
  await expect(gateway.fetchPayment({ paymentId: INVOICE })).rejects.toMatchObject({ kind: "unreadable" })
})

test.each(["paid", "paid_over"])(
  "a Cryptomus invoice that is %s but not final is processing with nothing received",
  (status) => {
    const body = invoicePaid({ status, is_final: false })
    const update = parsedUpdate(gateway, cryptomusCallback({ body }))
    expect(update).toMatchObject({ status: "processing", received: money(0, "EUR") })
    const final = parsedUpdate(gateway, cryptomusCallback({ body: invoicePaid({ status }) }))
    expect(final?.eventKey).not.toBe(update?.eventKey)
  },
)

test.each([
  ["in dollars, as payment_amount_usd", { currency: "USD", payment_amount_usd: "14.20" }, "USD", 1420],
  ["in dollars, rounded down to cents", { currency: "USD", payment_amount_usd: "14.2099" }, "USD", 1420],
  ["in dollars, never less than the price", { currency: "USD", payment_amount_usd: "0.00" }, "USD", 1250],
  [
    "in dollars without payment_amount_usd, as the price",
    { currency: "USD", payment_amount_usd: null },
    "USD",
    1250,
  ],
  ["in euros paid in coins, as the price", { payment_amount: "20.00000000" }, "EUR", 1250],
  ["in euros paid in euros, as payment_amount", { payer_currency: "EUR", payment_amount: "15" }, "EUR", 1500],
] as const)("a Cryptomus overpayment counts %s", (_, changes, currency, minor) => {
  const body = invoicePaid({ status: "paid_over", ...changes })
  const update = parsedUpdate(gateway, cryptomusCallback({ body }))
  expect(update).toMatchObject({ status: "paid", received: money(minor, currency) })
})

test.each([
  ["half", "6.70500000", 625],
  ["all but 10^-18 coin", "13.409999999999999999", 1249],
  ["10^-8 coin", "0.00000001", 0],
])("a partial Cryptomus payment of %s counts only whole cents", (_, payment_amount, minor) => {
  const body = invoicePaid({ status: "wrong_amount_waiting", is_final: false, payment_amount })
  expect(parsedUpdate(gateway, cryptomusCallback({ body }))?.received).toEqual(money(minor, "EUR"))
})

test.each([
  ["wrong_amount", { payer_amount: undefined, payment_amount: "10.72" }],
  ["wrong_amount", { payer_amount: null, payment_amount: "10.72" }],
  ["wrong_amount", { payer_amount: "0.00000000", payment_amount: "10.72" }],
  ["wrong_amount", { payment_amount: null }],
  ["wrong_amount_waiting", { payer_amount: null, is_final: false }],
])(
  "a Cryptomus callback %s without amounts (%j) returns a hint, and the poll returns the amount",
  async (status, changes) => {
    const body = invoicePaid({ status, ...changes })
    const hint = gateway.parseCallback(cryptomusCallback({ body }))
    expect(hint).toEqual({ paymentId: INVOICE, attemptId: "attempt-7" })
    const sums = { payer_amount: "13.41000000", payment_amount: "10.72800000" }
    const isFinal = status === "wrong_amount"
    server.use(cryptomusResponses("payment/info", cryptomusInvoice({ status, is_final: isFinal, ...sums })))
    expect(await gateway.fetchPayment({ paymentId: INVOICE })).toMatchObject({ received: money(1000, "EUR") })
  },
)

test("Cryptomus fetchPayment throws a retryable error while the received amount is missing", async () => {
  const unnamed = cryptomusInvoice({ status: "wrong_amount", payer_amount: null, payment_amount: "10.72" })
  server.use(cryptomusResponses("payment/info", unnamed))
  await expect(gateway.fetchPayment({ paymentId: INVOICE })).rejects.toMatchObject({
    name: "GatewayError",
    isTransient: true,
  })
})

test("a further partial payment of a Cryptomus invoice has its own eventKey", () => {
  const keys = ["5.00000000", "6.00000000"].map((payment_amount) => {
    const body = invoicePaid({ status: "wrong_amount_waiting", is_final: false, payment_amount })
    return parsedUpdate(gateway, cryptomusCallback({ body }))?.eventKey
  })
  expect(keys).toEqual([`${INVOICE}:wrong_amount_waiting:4.66`, `${INVOICE}:wrong_amount_waiting:5.59`])
})

test.each([
  ["its transaction id", { txid: "0xabc" }, "0xabc"],
  ["its invoice id, when there is no transaction id", { txid: undefined }, INVOICE],
  ["its invoice id, when the transaction id is empty", { txid: "" }, INVOICE],
])("transactionId of a paid Cryptomus invoice is %s", (_, changes, transactionId) => {
  const update = parsedUpdate(gateway, cryptomusCallback({ body: invoicePaid(changes) }))
  expect(update?.transactionId).toBe(transactionId)
})

test.each([
  ["is underpaid with the full amount received", { status: "wrong_amount", payment_amount: "13.41" }],
  [
    "has a received amount beyond the safe integer range",
    { status: "paid_over", currency: "USD", payment_amount_usd: "9".repeat(18) },
  ],
  ["has an address with a query", { address: "bc1q?amount=9" }],
  ["has an amount with an exponent", { payment_amount: "1e3" }],
  ["has a negative amount", { status: "wrong_amount", payment_amount: "-1.00" }],
  ["has a price with a comma", { amount: "12,50" }],
  ["has a price with a fraction of a cent", { amount: "12.50500000" }],
  ["has a JSON number as price", { amount: 12.5 }],
  ["is in an unsupported currency", { currency: "TRX" }],
  ["lacks is_final", { is_final: undefined }],
])(
  "a Cryptomus invoice that %s gives a hint in a callback and an unreadable error in a poll",
  async (_, changes) => {
    const callback = cryptomusCallback({ body: invoicePaid(changes) })
    expect(gateway.parseCallback(callback)).toEqual({ paymentId: INVOICE, attemptId: "attempt-7" })
    server.use(cryptomusResponses("payment/info", { ...cryptomusInvoice(), ...invoicePaid(changes) }))
    await expect(gateway.fetchPayment({ paymentId: INVOICE })).rejects.toMatchObject({
      kind: "unreadable",
      isTransient: false,
      attemptId: "attempt-7",
    })
  },
)

test("Cryptomus parseCallback throws an unreadable error with attemptId for an invoice without uuid", () => {
  const callback = cryptomusCallback({ body: invoicePaid({ uuid: "" }) })
  const error = {
    kind: "unreadable",
    attemptId: "attempt-7",
    message: expect.stringContaining("status paid"),
  }
  expect(() => parsedUpdate(gateway, callback)).toThrow(expect.objectContaining(error))
})

test("Cryptomus invoices name the address and the transaction by which an operator finds them", async () => {
  const named = async (invoice: Record<string, unknown>) => {
    server.use(cryptomusResponses("payment/info", invoice))
    return (await gateway.fetchPayment({ paymentId: INVOICE }))?.coinReferences
  }
  const address = { kind: "address", value: "TXyzAddressOfNobody" }
  expect(await named(cryptomusBill())).toEqual([address])
  expect(await named(cryptomusInvoice({ address: address.value, txid: "4f2c" }))).toEqual([
    address,
    { kind: "transaction", value: "4f2c" },
  ])
  expect(await named(cryptomusInvoice())).toEqual([])
})
