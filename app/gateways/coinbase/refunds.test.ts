import { expect, test } from "vitest"
import {
  COINBASE_HOOK,
  COINBASE_KEY,
  COINBASE_URL,
  checkoutPaid,
  coinbaseCallback,
} from "../../../tests/fakes/coinbase"
import { parsedUpdate } from "../../../tests/fakes/parse-callback"
import { openCoinbase } from "./coinbase.server"

const NOON = Date.UTC(2026, 10, 20, 12)
const gateway = openCoinbase({
  url: COINBASE_URL,
  key: COINBASE_KEY,
  webhookSecrets: [COINBASE_HOOK],
  timeoutMs: 5_000,
  now: () => NOON,
})
const result = (changes: Record<string, unknown>) => {
  const body = checkoutPaid(changes).replace("checkout.payment.success", "checkout.refund.success")
  return parsedUpdate(gateway, coinbaseCallback({ body, at: NOON }))
}
const inEuros = (fiatAmount: string) => ({
  id: "r1",
  status: "COMPLETED",
  amount: "5.36",
  currency: "USDC",
  fiatAmount,
  fiatCurrency: "EUR",
})
const inCoins = (amount: string) => ({ id: "r2", status: "COMPLETED", amount, currency: "USDC" })
const partly = (...refunds: unknown[]) => ({ status: "PARTIALLY_REFUNDED", refundedAmount: "5.36", refunds })
const dollars = { amount: "12.50", currency: "USD", fiatAmount: null, fiatCurrency: null }

test("a REFUNDED Coinbase checkout has received and refunded its full price, even as the first report", () => {
  const refunds = [{ ...inCoins("13.41") }]
  expect(result({ status: "REFUNDED", refundedAmount: "13.41", refunds })).toMatchObject({
    status: "refunded",
    received: { minor: 1250, currency: "EUR" },
    refunded: { minor: 1250, currency: "EUR" },
  })
})

test.each([
  ["in the price's currency", partly(inEuros("5.00")), 500],
  ["requested in the price's currency", partly({ ...inCoins("5.00"), currency: "EUR" }), 500],
  ["in two refunds", partly(inEuros("5.00"), inEuros("2.49")), 749],
  ["by a fraction of a cent, rounded up", partly(inEuros("0.001")), 1],
  ["in USDC, one third", { amount: "13.41", ...partly(inCoins("4.47")) }, 417],
  ["in USDC, all but the smallest unit", { amount: "13.412345", ...partly(inCoins("13.412344")) }, 1250],
  ["with one refund pending", partly(inEuros("5.00"), { ...inEuros("7.50"), status: "PENDING" }), 500],
  ["with one refund that failed", partly({ ...inEuros("7.50"), status: "FAILED" }, inEuros("5.00")), 500],
  ["by more than the price", partly(inEuros("99.00")), 1250],
  ["where the price is in dollars", { ...dollars, ...partly({ ...inCoins("2.50"), currency: "USD" }) }, 250],
])("a partially refunded Coinbase checkout reports the refunded amount: %s", (_, changes, minor) => {
  expect(result(changes)).toMatchObject({
    status: "paid",
    attemptId: "attempt-7",
    received: { minor: 1250 },
    refunded: { minor },
  })
})

test("each Coinbase refund state has its own eventKey, and a repeat shares it", () => {
  const [one, again, two] = [
    partly(inEuros("5.00")),
    partly(inEuros("5.00")),
    partly(inEuros("5.00"), inEuros("1.00")),
  ].map((it) => result(it)?.eventKey)
  expect(again).toBe(one)
  expect(two).not.toBe(one)
})

test("a failed Coinbase refund leaves the payment paid", () => {
  const refunds = [{ ...inEuros("12.50"), status: "FAILED" }]
  expect(result({ status: "COMPLETED", refunds })).toMatchObject({
    status: "paid",
    received: { minor: 1250 },
  })
})

test.each([
  ["without a list of refunds", { status: "PARTIALLY_REFUNDED", refundedAmount: "5.00" }],
  ["with an empty list", partly()],
  ["with only pending refunds", partly({ ...inEuros("5.00"), status: "PENDING" })],
  ["with a refund in a third currency", partly({ ...inCoins("5.00"), currency: "SGD" })],
  ["with a refund of unknown status", partly({ ...inEuros("5.00"), status: "HALF" })],
  ["with a malformed refund amount", partly(inEuros("5,00"))],
  ["with a negative refund", partly(inEuros("-5.00"))],
  ["with a USDC amount of zero", { amount: "0", ...partly(inCoins("1.00")) }],
  ["with a malformed USDC amount", { amount: "some", ...partly(inCoins("1.00")) }],
])("Coinbase parseCallback returns a hint for a partially refunded checkout %s", (_, changes) => {
  const body = checkoutPaid(changes).replace("checkout.payment.success", "checkout.refund.success")
  const hint = { paymentId: "68f7a946db0529ea9b6d3a12", attemptId: "attempt-7" }
  expect(gateway.parseCallback(coinbaseCallback({ body, at: NOON }))).toEqual(hint)
})
