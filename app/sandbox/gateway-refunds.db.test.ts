import { pino } from "pino"
import { afterAll, beforeAll } from "vitest"
import { HOUR } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import { fromDecimal, type Money, money, plus } from "~/domain/money/money"
import { openBtcpay } from "~/gateways/btcpay/btcpay.server"
import { openCoinbase } from "~/gateways/coinbase/coinbase.server"
import { openCryptomus } from "~/gateways/cryptomus/cryptomus.server"
import type { Gateway } from "~/gateways/gateway"
import { createSandboxApiKey, newLocalMerchant, publicHalf } from "~/wiring/sandbox-accounts.server"
import { refundContract } from "../../tests/contracts/gateway/refund-contract"
import { OFFSHORE_SECRET } from "../../tests/fakes/offshore"
import { redirectAgents } from "../../tests/fakes/redirect-agents"
import { startSandbox } from "./sandbox.server"

const callbackUrl = "http://127.0.0.1:9/callback"
const [coinbaseKey, merchant] = [createSandboxApiKey(), newLocalMerchant()]
const store = { store: "store-1", key: "dev-api-key", webhookSecret: "dev-secret" }
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  now: Date.now,
  callbackSecret: OFFSHORE_SECRET,
  coinbase: {
    keyId: coinbaseKey.keyId,
    publicKey: publicHalf(coinbaseKey),
    hookSecret: coinbaseKey.hookSecret,
    callbackUrl,
  },
  btcpay: { ...store, callbackUrl },
  cryptomus: merchant,
  log: pino({ level: "silent" }),
})

afterAll(() => sandbox.close())

/** What happens to requests for refunds. */
let fault: "none" | "lose" | "fail" = "none"
async function faulty(request: Request): Promise<Response> {
  const isRefund = request.method === "POST" && request.url.endsWith("/refund")
  if (isRefund && fault === "fail") return new Response(null, { status: 503 })
  const response = await fetch(request)
  if (isRefund && fault === "lose") throw new TypeError("fetch failed")
  return response
}
let stop = () => {}
beforeAll(() => {
  stop = redirectAgents(faulty)
})
afterAll(() => stop())

const timing = { timeoutMs: 5_000, retryDelaysMs: [], now: Date.now }
const coinbase = openCoinbase({
  url: `${sandbox.origin}/coinbase/api/v1/checkouts`,
  key: { id: coinbaseKey.keyId, secret: coinbaseKey.keySecret },
  webhookSecrets: [coinbaseKey.hookSecret],
  ...timing,
})
const btcpay = openBtcpay({
  url: `${sandbox.origin}/btcpay/`,
  store: store.store,
  key: store.key,
  webhookSecrets: [store.webhookSecret],
  ...timing,
})
const cryptomus = openCryptomus({ url: `${sandbox.origin}/cryptomus/v1`, ...merchant, ...timing })

const faults = {
  loseResponse: () => {
    fault = "lose"
  },
  fail: () => {
    fault = "fail"
  },
  reset: () => {
    fault = "none"
  },
}

let attempts = 0
function paidAt(gateway: Gateway) {
  return async () => {
    const opened = await gateway.startPayment({
      attemptId: `attempt-${++attempts}`,
      startedAt: Date.now(),
      orderId: "ORDER7",
      amount: money(12_50, "EUR"),
      returnUrl: "http://shop.test/back",
      cancelUrl: "http://shop.test/cancelled",
      callbackUrl,
      expiresAt: Date.now() + HOUR,
      locale: defaultLocale,
    })
    const body = new URLSearchParams({ outcome: "paid-unreported" })
    await fetch(opened.url, { method: "POST", body, redirect: "manual" })
    return opened
  }
}

refundContract("coinbase", {
  gateway: coinbase,
  paid: paidAt(coinbase),
  async refundedOf(paymentId) {
    return (await coinbase.fetchPayment({ paymentId }))?.refunded ?? money(0, "EUR")
  },
  ...faults,
})

let pullPayments = 0
refundContract("btcpay", {
  gateway: btcpay,
  async paid() {
    pullPayments = (await listed()).length
    return paidAt(btcpay)()
  },
  // The pull payments that were made since.
  async refundedOf() {
    const made = (await listed()).slice(0, (await listed()).length - pullPayments)
    return made.reduce<Money>((sum, { amount }) => plus(sum, fromDecimal(amount, "EUR")), money(0, "EUR"))
  },
  ...faults,
})

async function listed(): Promise<readonly { readonly amount: string }[]> {
  const headers = { authorization: `token ${store.key}` }
  const response = await fetch(`${sandbox.origin}/btcpay/api/v1/stores/${store.store}/pull-payments`, {
    headers,
  })
  return (await response.json()) as { amount: string }[]
}

refundContract("cryptomus", {
  gateway: cryptomus,
  paid: paidAt(cryptomus),
  async refundedOf(paymentId) {
    const update = await cryptomus.fetchPayment({ paymentId })
    return money(update?.status === "refunded" ? 12_50 : 0, "EUR")
  },
  ...faults,
})
