import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, beforeEach, expect, test } from "vitest"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import type { PaymentRequest } from "~/gateways/gateway"
import { openOffshore } from "~/gateways/offshore/offshore.server"
import { gatewayContract } from "../../tests/contracts/gateway/gateway-contract"
import { openCallbackShop } from "../../tests/fakes/callback-receiver"
import { OFFSHORE_SECRET, offshoreCallback, paymentUpdated } from "../../tests/fakes/offshore"
import { startSandbox } from "./sandbox.server"

const HOUR = 3_600_000
const folder = mkdtempSync(join(tmpdir(), "sandbox-"))
let ahead = 0
let attempts = 0
const settings = {
  port: 0,
  host: "127.0.0.1",
  file: join(folder, "books", "sandbox.db"),
  callbackSecret: OFFSHORE_SECRET,
  now: () => Date.now() + ahead,
  log: pino({ level: "silent" }),
}
const shop = await openCallbackShop()
let sandbox = await startSandbox(settings)
const gateway = gatewayAt(sandbox.origin)

beforeEach(() => {
  ahead = 0
  shop.calls.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
  rmSync(folder, { recursive: true })
})

const contracted = paymentRequest({ attemptId: "attempt-7" })
const paidNow = { body: paymentUpdated(), at: Date.now() }
gatewayContract("offshore, simulated by the sandbox", {
  gateway,
  payment: contracted,
  paid: offshoreCallback(paidNow),
  forged: offshoreCallback({ ...paidNow, secret: "whsec_AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH" }),
  pay: (url) => choose(url, "paid"),
})

test("paying at the sandbox redirects the buyer to the return URL and sends a signed callback", async () => {
  const { payment, url, paymentId } = await opened()
  const left = await choose(url, "paid")
  expect([left.status, left.headers.get("location")]).toEqual([303, payment.returnUrl])
  await shop.reached(1)
  expect(gateway.parseCallback(only(shop.calls))).toMatchObject({
    attemptId: payment.attemptId,
    status: "paid",
    received: payment.amount,
    transactionId: expect.stringMatching(/^tx_/),
  })
  await expect(gateway.fetchPayment({ paymentId })).resolves.toMatchObject({ status: "paid" })
})

test("a failed sandbox payment is reported as failed with nothing received", async () => {
  const { payment, url } = await opened()
  expect((await choose(url, "failed")).headers.get("location")).toBe(payment.returnUrl)
  await shop.reached(1)
  expect(gateway.parseCallback(only(shop.calls))).toMatchObject({
    status: "failed",
    received: money(0, "EUR"),
  })
})

test("leaving the sandbox redirects the buyer to the cancel URL and leaves the payment open", async () => {
  const { payment, url, paymentId } = await opened()
  expect((await choose(url, "abandoned")).headers.get("location")).toBe(payment.cancelUrl)
  await expect(gateway.fetchPayment({ paymentId })).resolves.toMatchObject({ status: "pending" })
  await choose(url, "paid")
  await shop.reached(1)
  expect(shop.calls).toHaveLength(1)
})

test("a duplicate sandbox callback gives the same payment update", async () => {
  const { url } = await opened()
  await choose(url, "paid-twice")
  await shop.reached(2)
  const [first, second] = shop.calls.map((call) => gateway.parseCallback(call))
  expect(first).toMatchObject({ eventKey: expect.stringMatching(/^msg_/) })
  expect(second).toEqual(first)
})

test("with a lost sandbox callback the buyer returns and a poll reports the payment as paid", async () => {
  const { payment, url, paymentId } = await opened()
  expect((await choose(url, "paid-unreported")).headers.get("location")).toBe(payment.returnUrl)
  await expect(gateway.fetchPayment({ paymentId })).resolves.toMatchObject({
    status: "paid",
    received: payment.amount,
  })
  const next = await opened()
  await choose(next.url, "paid")
  await shop.reached(1)
  expect(gateway.parseCallback(only(shop.calls))?.attemptId).toBe(next.payment.attemptId)
})

test("the sandbox retries a callback with the same webhook-id after 503", async () => {
  shop.statuses.push(503)
  const { url } = await opened()
  await choose(url, "paid")
  await shop.reached(2)
  const ids = shop.calls.map(({ headers }) => headers.get("webhook-id"))
  expect(ids[0]).toBe(ids[1])
})

test("a failed sandbox payment cannot be paid afterwards", async () => {
  const { url, paymentId } = await opened()
  await choose(url, "failed")
  expect((await choose(url, "paid")).headers.get("location")).toBe(new URL(url).pathname)
  await expect(gateway.fetchPayment({ paymentId })).resolves.toMatchObject({ status: "failed" })
})

test("an expired sandbox payment cannot be paid", async () => {
  const { url, paymentId } = await opened()
  ahead = 2 * HOUR
  expect((await choose(url, "paid")).headers.get("location")).toBe(new URL(url).pathname)
  await expect(gateway.fetchPayment({ paymentId })).resolves.toMatchObject({ status: "expired" })
})

test("sandbox payments and pending callbacks survive a restart", async () => {
  shop.statuses.push(503)
  const { payment, url, paymentId } = await opened()
  await choose(url, "paid")
  await shop.reached(1)
  await sandbox.close()
  ahead = HOUR / 2
  sandbox = await startSandbox({ ...settings, port: Number(new URL(sandbox.origin).port) })
  await shop.reached(2)
  expect(shop.calls[1]?.headers.get("webhook-id")).toBe(shop.calls[0]?.headers.get("webhook-id"))
  await expect
    .poll(async () => gateway.fetchPayment({ paymentId }))
    .toMatchObject({ attemptId: payment.attemptId })
})

function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    attemptId: `attempt-${Date.now()}-${attempts++}`,
    startedAt: Date.now(),
    orderId: "ORDER7",
    amount: money(1250, "EUR"),
    returnUrl: `${shop.origin}/waiting`,
    cancelUrl: `${shop.origin}/waiting?cancelled`,
    callbackUrl: `${shop.origin}/callback`,
    expiresAt: Date.now() + HOUR,
    locale: defaultLocale,
    ...changes,
  }
}

async function opened() {
  const payment = paymentRequest()
  return { payment, ...(await gateway.startPayment(payment)) }
}

function choose(url: string, outcome: string) {
  return fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" })
}

function gatewayAt(origin: string) {
  return openOffshore({ url: `${origin}/offshore`, callbackSecrets: [OFFSHORE_SECRET], timeoutMs: 5_000 })
}

function only<T>(list: readonly T[]): T {
  const [first] = list
  if (list.length !== 1 || !first) throw new Error(`Expected one, got ${list.length}`)
  return first
}
