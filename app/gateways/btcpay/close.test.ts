import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
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
const onItsWay = btcpayPayment("0.0001", "Processing")

test.each([
  ["new and unpaid", { status: "New", paidAmount: "0" }, [], "closed", 1],
  ["new and partially paid", { status: "New", paidAmount: "5.00" }, [onItsWay], "stays-open", 0],
  [
    "new and partially paid without paidAmount",
    { status: "New", paidAmount: null },
    [onItsWay],
    "stays-open",
    0,
  ],
  ["awaiting confirmation", { status: "Processing" }, [onItsWay], "stays-open", 0],
  ["paid", { status: "Settled" }, [btcpayPayment("0.00025", "Settled")], "stays-open", 0],
  ["expired", { status: "Expired", paidAmount: "0" }, [], "stays-open", 0],
  ["closed", { status: "Invalid", additionalStatus: "Marked", paidAmount: "0" }, [], "closed", 0],
  ["invalid without being marked", { status: "Invalid", paidAmount: "0" }, [], "stays-open", 0],
] as const)(
  "BTCPay closePayment marks only unpaid new invoices invalid: invoice %s",
  async (_, now, payments, is, requestCount) => {
    provider(now, payments)
    const marks = watchMarks({ ...now, status: "Invalid", additionalStatus: "Marked" })
    expect(await gateway.closePayment({ paymentId: "i1" })).toBe(is)
    expect(marks).toEqual(Array(requestCount).fill({ status: "Invalid" }))
  },
)

test("BTCPay closePayment returns stays-open when the invoice is paid concurrently", async () => {
  provider({ status: "New", paidAmount: "0" }, [onItsWay])
  watchMarks({ status: "Invalid", additionalStatus: "Marked", paidAmount: "12.50" })
  expect(await gateway.closePayment({ paymentId: "i1" })).toBe("stays-open")
})

test("BTCPay closePayment returns the current state when the server rejects the marking with 422", async () => {
  const results = [
    btcpayInvoice({ id: "i1", status: "New", paidAmount: "0" }),
    btcpayInvoice({ id: "i1", status: "Settled" }),
  ]
  server.use(
    http.get(`${INVOICES}/i1`, () => HttpResponse.json(results.shift())),
    http.post(`${INVOICES}/i1/status`, () => HttpResponse.json([], { status: 422 })),
  )
  expect(await gateway.closePayment({ paymentId: "i1" })).toBe("stays-open")
})

test("BTCPay closePayment throws a refused error for a revoked API key", async () => {
  server.use(http.get(`${INVOICES}/i1`, () => HttpResponse.json({}, { status: 401 })))
  await expect(gateway.closePayment({ paymentId: "i1" })).rejects.toMatchObject({ kind: "refused" })
})

/** Serves an invoice and its payments. */
function provider(changes: Record<string, unknown>, payments: readonly unknown[]) {
  server.use(
    http.get(`${INVOICES}/i1`, () => HttpResponse.json(btcpayInvoice({ id: "i1", ...changes }))),
    http.get(`${INVOICES}/i1/payment-methods`, () => HttpResponse.json([btcpayMethod({ payments })])),
  )
}

/** Records the requests that mark the invoice; each responds with the invoice changed by `after`. */
function watchMarks(after: Record<string, unknown>): unknown[] {
  const marks: unknown[] = []
  server.use(
    http.post(`${INVOICES}/i1/status`, async ({ request }) => {
      marks.push(await request.json())
      return HttpResponse.json(btcpayInvoice({ id: "i1", ...after }))
    }),
  )
  return marks
}
