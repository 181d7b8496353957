import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, beforeEach, expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { openBtcpay } from "~/gateways/btcpay/btcpay.server"
import type { PaymentRequest } from "~/gateways/gateway"
import { newLocalStore } from "~/wiring/sandbox-accounts.server"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import { btcpayCallback, invoiceSettled } from "../../../tests/fakes/btcpay"
import { openCallbackShop } from "../../../tests/fakes/callback-receiver"
import { startSandbox } from "../sandbox.server"

const HOUR = 3_600_000
const folder = mkdtempSync(join(tmpdir(), "sandbox-"))
const settings = newLocalStore()
const shop = await openCallbackShop()
let ahead = 0
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: join(folder, "sandbox.db"),
  now: () => Date.now() + ahead,
  callbackSecret: "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4=",
  btcpay: { ...settings, callbackUrl: `${shop.origin}/callback` },
  log: pino({ level: "silent" }),
})
beforeEach(() => {
  ahead = 0
  shop.calls.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
  rmSync(folder, { recursive: true })
})

const gateway = at(settings)
let attempts = 0

const body = invoiceSettled({ storeId: settings.store })
gatewayContract("btcpay, simulated by the sandbox", {
  gateway,
  payment: paymentRequest({ attemptId: "attempt-7" }),
  onlyHints: true,
  paid: btcpayCallback({ body, at: Date.now(), secret: settings.webhookSecret }),
  forged: btcpayCallback({ body, at: Date.now(), secret: "another-secret" }),
  pay: (url) => choose(url, "paid"),
})

test("paying at the BTCPay sandbox redirects the buyer to the return URL and sends a hint by callback", async () => {
  const payment = paymentRequest()
  const { url, paymentId } = await gateway.startPayment(payment)
  const left = await choose(url, "paid")
  expect([left.status, left.headers.get("location")]).toEqual([303, payment.returnUrl])
  await shop.reached(1)
  expect(shop.calls.map((call) => gateway.parseCallback(call))).toEqual([
    { paymentId, attemptId: payment.attemptId },
  ])
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({
    attemptId: payment.attemptId,
    status: "paid",
    received: payment.amount,
  })
})

test("a failed BTCPay sandbox payment sends a callback, and a poll reports nothing received", async () => {
  const { url, paymentId } = await gateway.startPayment(paymentRequest())
  await choose(url, "failed")
  await shop.reached(1)
  expect(shop.calls.map((call) => gateway.parseCallback(call))).toMatchObject([{ paymentId }])
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({
    status: "failed",
    received: money(0, "EUR"),
  })
})

test("a duplicate BTCPay sandbox callback gives the same hint", async () => {
  const { url, paymentId } = await gateway.startPayment(paymentRequest())
  await choose(url, "paid-twice")
  await shop.reached(2)
  const hints = shop.calls.map((call) => gateway.parseCallback(call))
  expect(hints).toMatchObject([{ paymentId }, { paymentId }])
})

test("a poll of the BTCPay sandbox reports the status after a lost callback and an abandoned payment", async () => {
  const lost = await gateway.startPayment(paymentRequest())
  await choose(lost.url, "paid-unreported")
  expect(await gateway.fetchPayment(lost)).toMatchObject({ status: "paid", received: money(1250, "EUR") })
  const left = await gateway.startPayment(paymentRequest())
  await choose(left.url, "abandoned")
  expect(await gateway.fetchPayment(left)).toMatchObject({ status: "pending" })
})

test("an unpaid BTCPay sandbox invoice expires", async () => {
  const opened = await gateway.startPayment(paymentRequest())
  ahead = 2 * HOUR
  expect(await gateway.fetchPayment(opened)).toMatchObject({ status: "expired" })
})

test("a closed BTCPay sandbox invoice cannot be paid and shows a message", async () => {
  const opened = await gateway.startPayment(paymentRequest())
  expect(await gateway.closePayment(opened)).toBe("closed")
  expect((await choose(opened.url, "paid")).headers.get("location")).not.toContain("shop.test")
  expect(await (await fetch(opened.url)).text()).toContain("The shop has closed this payment")
})

test("a BTCPay sandbox invoice that is marked settled is reported and counts as paid in full", async () => {
  const payment = paymentRequest()
  const opened = await gateway.startPayment(payment)
  await fetch(
    `${sandbox.origin}/btcpay/api/v1/stores/${settings.store}/invoices/${opened.paymentId}/status`,
    {
      method: "POST",
      headers: { authorization: `token ${settings.key}` },
      body: JSON.stringify({ status: "Settled" }),
    },
  )
  await shop.reached(1)
  expect(shop.calls.map((call) => gateway.parseCallback(call))).toMatchObject([
    { paymentId: opened.paymentId },
  ])
  expect(await gateway.fetchPayment(opened)).toMatchObject({ status: "paid", received: payment.amount })
})

test("closePayment of a paid BTCPay sandbox invoice returns stays-open", async () => {
  const opened = await gateway.startPayment(paymentRequest())
  await choose(opened.url, "paid-unreported")
  expect(await gateway.closePayment(opened)).toBe("stays-open")
})

test("the BTCPay sandbox returns transfer details for each coin until the invoice is paid", async () => {
  const coins = (await gateway.onSite?.coins()) ?? []
  expect(coins).toHaveLength(3)
  for (const coin of coins) {
    const opened = await gateway.startPayment(paymentRequest({ coin }))
    const transfer = await gateway.onSite?.transfer(opened)
    expect(transfer).toMatchObject({ coin, amount: coin.currency === "BTC" ? "0.00025" : "0.125", seen: "0" })
    expect(transfer?.uri).toContain(transfer?.address)
    await choose(opened.url, "paid-unreported")
    expect(await gateway.onSite?.transfer(opened)).toBeNull()
    expect(await gateway.fetchPayment(opened)).toMatchObject({ status: "paid" })
  }
})

test("transfer() of a BTCPay sandbox invoice without a coin returns null", async () => {
  expect(await gateway.onSite?.transfer(await gateway.startPayment(paymentRequest()))).toBeNull()
})

test("the BTCPay sandbox refuses an unsupported coin", async () => {
  const opened = gateway.startPayment(paymentRequest({ coin: { currency: "DOGE", network: "CHAIN" } }))
  await expect(opened).rejects.toMatchObject({ name: "GatewayError", kind: "refused" })
})

test("the BTCPay sandbox's payment page is in the buyer's language and names the provider", async () => {
  const { url } = await gateway.startPayment(paymentRequest({ locale: localeOfIso("nl-NL") }))
  const page = await (await fetch(url)).text()
  expect(page).toContain('<html lang="nl-NL">')
  expect(page).toContain("BTCPay (sandbox)")
})

test.each([
  ["a wrong API key", { key: newLocalStore().key }],
  ["a wrong store id", { store: newLocalStore().store }],
])("the BTCPay sandbox refuses a request with %s", async (_, other) => {
  const otherAccount = at({ ...settings, ...other })
  await expect(otherAccount.startPayment(paymentRequest())).rejects.toMatchObject({ kind: "refused" })
})

function at({ store, key, webhookSecret }: typeof settings) {
  return openBtcpay({
    url: `${sandbox.origin}/btcpay`,
    store,
    key,
    webhookSecrets: [webhookSecret],
    timeoutMs: 5_000,
    now: () => Date.now() + ahead,
  })
}

function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    attemptId: `attempt-new-${++attempts}`,
    orderId: "ORDER7",
    amount: money(1250, "EUR"),
    returnUrl: "http://shop.test/back",
    cancelUrl: "http://shop.test/cancelled",
    callbackUrl: `${shop.origin}/callback`,
    startedAt: Date.now(),
    expiresAt: Date.now() + HOUR,
    locale: localeOfIso("en"),
    ...changes,
  }
}

function choose(url: string, outcome: string): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" })
}
