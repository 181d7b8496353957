import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { openCryptomus } from "~/gateways/cryptomus/cryptomus.server"
import { type PaymentRequest, UntrustedCallbackError } from "~/gateways/gateway"
import { newLocalMerchant } from "~/wiring/sandbox-accounts.server"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import { openCallbackShop } from "../../../tests/fakes/callback-receiver"
import { cryptomusCallback } from "../../../tests/fakes/cryptomus"
import { parsedUpdate } from "../../../tests/fakes/parse-callback"
import { openFaultProxy } from "../../../tests/fakes/tcp-fault-proxy"
import { startSandbox } from "../sandbox.server"

const HOUR = 3_600_000
const folder = mkdtempSync(join(tmpdir(), "sandbox-"))
const settings = newLocalMerchant()
const shop = await openCallbackShop()
let ahead = 0
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: join(folder, "sandbox.db"),
  now: () => Date.now() + ahead,
  callbackSecret: "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4=",
  cryptomus: settings,
  log: pino({ level: "silent" }),
})
const line = await openFaultProxy({ host: "127.0.0.1", port: Number(new URL(sandbox.origin).port) })
afterAll(async () => {
  await line.close()
  await sandbox.close()
  await shop.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  shop.calls.length = 0
})
afterEach(() => {
  ahead = 0
  line.set("pass")
})

const gateway = at(sandbox.origin)
let attempts = 0

gatewayContract("cryptomus, simulated by the sandbox", {
  gateway,
  payment: paymentRequest({ attemptId: "attempt-7" }),
  paid: cryptomusCallback({ key: settings.paymentKey }),
  forged: cryptomusCallback({ key: "another-secret" }),
  pay: (url) => choose(url, "paid"),
})

test("an underpaid Cryptomus sandbox invoice can be topped up until it expires", async () => {
  const opened = await gateway.startPayment(paymentRequest())
  await choose(opened.url, "less")
  expect(await gateway.fetchPayment(opened)).toMatchObject({
    status: "partially-paid",
    received: { minor: 1_000 },
  })
  await choose(opened.url, "paid")
  expect(await gateway.fetchPayment(opened)).toMatchObject({ status: "paid", received: { minor: 1_250 } })

  const short = await gateway.startPayment(paymentRequest())
  await choose(short.url, "less")
  ahead = 25 * HOUR
  await choose(short.url, "paid")
  expect(await gateway.fetchPayment(short)).toMatchObject({
    status: "expired",
    received: { minor: 1_000 },
    ended: true,
  })
})

test("paying at the Cryptomus sandbox redirects the buyer to the return URL and sends a signed callback", async () => {
  const payment = paymentRequest()
  const { url, paymentId } = await gateway.startPayment(payment)
  const left = await choose(url, "paid")
  expect([left.status, left.headers.get("location")]).toEqual([303, payment.returnUrl])
  await shop.reached(1)
  const [call] = shop.calls
  const update = call && parsedUpdate(gateway, call)
  expect(update).toMatchObject({
    attemptId: payment.attemptId,
    status: "paid",
    received: payment.amount,
  })
  // A callback and a poll of the same state give the same update, but for the address, which a callback does not name.
  const polled = await gateway.fetchPayment({ paymentId })
  const [address, ...others] = polled?.coinReferences ?? []
  expect(address?.kind).toBe("address")
  expect({ ...polled, coinReferences: others }).toEqual(update)
  expect(() => at(sandbox.origin, "another-key").parseCallback(call ?? cryptomusCallback())).toThrow(
    UntrustedCallbackError,
  )
})

test("a duplicate Cryptomus sandbox callback has the same eventKey", async () => {
  const { url } = await gateway.startPayment(paymentRequest())
  await choose(url, "paid-twice")
  await shop.reached(2)
  const keys = shop.calls.map((call) => parsedUpdate(gateway, call)?.eventKey)
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

test("a failed Cryptomus sandbox payment is reported as failed with nothing received", async () => {
  const { url } = await gateway.startPayment(paymentRequest())
  await choose(url, "failed")
  await shop.reached(1)
  const [call] = shop.calls
  expect(call && parsedUpdate(gateway, call)).toMatchObject({ status: "failed", received: money(0, "EUR") })
})

test("leaving the Cryptomus sandbox redirects the buyer to the cancel URL and leaves the payment open", async () => {
  const payment = paymentRequest()
  const { url, paymentId } = await gateway.startPayment(payment)
  expect((await choose(url, "abandoned")).headers.get("location")).toBe(payment.cancelUrl)
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ status: "pending" })
})

test("a poll of the Cryptomus sandbox reports a paid invoice after a lost callback", async () => {
  const { url, paymentId } = await gateway.startPayment(paymentRequest())
  await choose(url, "paid-unreported")
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ status: "paid" })
})

test("an unpaid Cryptomus sandbox invoice expires", async () => {
  const { paymentId } = await gateway.startPayment(paymentRequest())
  ahead = 2 * HOUR
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ status: "expired" })
})

test("the Cryptomus sandbox returns transfer details for each available coin until the invoice is paid", async () => {
  const coins = (await gateway.onSite?.coins()) ?? []
  expect(coins).toContainEqual({ currency: "BTC", network: "btc" })
  expect(coins).not.toContainEqual({ currency: "XMR", network: "xmr" })
  for (const coin of coins) {
    const { paymentId, url } = await gateway.startPayment(paymentRequest({ coin }))
    const transfer = await gateway.onSite?.transfer({ paymentId })
    expect(transfer).toMatchObject({ coin, seen: "0", confirmations: null })
    expect(transfer?.uri).toContain(transfer?.address)
    await choose(url, "paid")
    expect(await gateway.onSite?.transfer({ paymentId })).toBeNull()
    expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ status: "paid" })
  }
})

test("transfer() of a Cryptomus sandbox invoice without a coin returns null", async () => {
  const { paymentId } = await gateway.startPayment(paymentRequest())
  expect(await gateway.onSite?.transfer({ paymentId })).toBeNull()
})

test("the Cryptomus sandbox refuses another payment key", async () => {
  const otherAccount = at(sandbox.origin, "another-key")
  await expect(otherAccount.startPayment(paymentRequest())).rejects.toMatchObject({ kind: "refused" })
  await expect(otherAccount.onSite?.coins()).rejects.toMatchObject({ kind: "refused" })
})

test.each([
  ["refuse", "unavailable"],
  ["hang", "unavailable"],
  ["html", "unreadable"],
  ["cut", "unavailable"],
] as const)(
  "Cryptomus gateway calls on a connection with fault %s throw %s, and a retry returns the same payment",
  async (fault, kind) => {
    const shaky = at(`http://127.0.0.1:${line.port}`)
    const payment = paymentRequest()
    const { paymentId } = await gateway.startPayment(payment)
    line.set(fault)
    await expect(shaky.startPayment(payment)).rejects.toMatchObject({ kind })
    await expect(shaky.fetchPayment({ paymentId })).rejects.toMatchObject({ kind })
    await expect(shaky.onSite?.coins()).rejects.toMatchObject({ kind })
    await expect(shaky.onSite?.transfer({ paymentId })).rejects.toMatchObject({ kind })
    line.set("pass")
    expect(await shaky.startPayment(payment)).toMatchObject({ paymentId })
  },
)

/** A gateway whose API is at `origin` and whose payment page is at the sandbox. */
function at(origin: string, paymentKey = settings.paymentKey) {
  return openCryptomus({
    url: `${origin}/cryptomus/v1`,
    payOrigin: sandbox.origin,
    merchant: settings.merchant,
    paymentKey,
    timeoutMs: origin === sandbox.origin ? 5_000 : 300,
    retryDelaysMs: [1],
    now: () => Date.now(),
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
    locale: defaultLocale,
    ...changes,
  }
}

function choose(url: string, outcome: string): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" })
}
