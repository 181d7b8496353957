import { pino } from "pino"
import { afterAll, beforeEach, expect, test } from "vitest"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { openBtcpay } from "~/gateways/btcpay/btcpay.server"
import type { PaymentRequest } from "~/gateways/gateway"
import { newLocalStore } from "~/wiring/sandbox-accounts.server"
import { openFaultProxy } from "../../../tests/fakes/tcp-fault-proxy"
import { startSandbox } from "../sandbox.server"

const settings = newLocalStore()
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  now: Date.now,
  callbackSecret: "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4=",
  btcpay: { ...settings, callbackUrl: "https://shop.test/callback" },
  log: pino({ level: "silent" }),
})
const proxy = await openFaultProxy({ host: "127.0.0.1", port: Number(new URL(sandbox.origin).port) })
const gateway = through(proxy.port)
/** Only a server that never responds is given up: one that responds gets all the time of a busy machine. */
const hasty = through(proxy.port, 300)
const behind = through(Number(new URL(sandbox.origin).port))
let attempts = 0

beforeEach(() => proxy.set("pass"))
afterAll(async () => {
  await proxy.close()
  await sandbox.close()
})

test.each([
  ["refuses connections", "refuse", "unavailable", gateway],
  ["accepts a request and never responds", "hang", "unavailable", hasty],
  ["returns an HTML page", "html", "unreadable", gateway],
  ["drops the connection during the response", "cut", "unavailable", gateway],
] as const)(
  "all BTCPay gateway calls throw a GatewayError of the right kind when the server %s",
  async (_, fault, kind, asked) => {
    const known = await behind.startPayment(paymentRequest())
    proxy.set(fault)
    const requests = [
      asked.startPayment(paymentRequest()),
      asked.fetchPayment(known),
      asked.closePayment(known),
      asked.onSite?.coins(),
      asked.onSite?.transfer(known),
    ]
    for (const response of await Promise.allSettled(requests)) {
      expect(response).toMatchObject({ status: "rejected", reason: { name: "GatewayError", kind } })
    }
  },
)

function through(port: number, timeoutMs = 20_000) {
  const { store, key, webhookSecret } = settings
  return openBtcpay({
    url: `http://127.0.0.1:${port}/btcpay`,
    store,
    key,
    webhookSecrets: [webhookSecret],
    timeoutMs,
    retryDelaysMs: [1],
    now: Date.now,
  })
}

function paymentRequest(): PaymentRequest {
  return {
    attemptId: `attempt-${++attempts}`,
    orderId: "ORDER7",
    amount: money(1250, "EUR"),
    returnUrl: "http://shop.test/back",
    cancelUrl: "http://shop.test/cancelled",
    callbackUrl: "http://shop.test/callback",
    startedAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
    locale: defaultLocale,
  }
}
