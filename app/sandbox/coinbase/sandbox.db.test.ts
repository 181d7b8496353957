import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, expect, test } from "vitest"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { openCoinbase } from "~/gateways/coinbase/coinbase.server"
import type { PaymentRequest } from "~/gateways/gateway"
import { createSandboxApiKey, publicHalf } from "~/wiring/sandbox-accounts.server"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import { openCallbackShop } from "../../../tests/fakes/callback-receiver"
import { checkoutPaid, coinbaseCallback } from "../../../tests/fakes/coinbase"
import { startSandbox } from "../sandbox.server"

const folder = mkdtempSync(join(tmpdir(), "sandbox-"))
const settings = createSandboxApiKey()
const shop = await openCallbackShop()
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: join(folder, "sandbox.db"),
  now: Date.now,
  callbackSecret: "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4=",
  coinbase: {
    keyId: settings.keyId,
    publicKey: publicHalf(settings),
    hookSecret: settings.hookSecret,
    callbackUrl: `${shop.origin}/callback`,
  },
  log: pino({ level: "silent" }),
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
  rmSync(folder, { recursive: true })
})

const gateway = at(settings)
let attempts = 0

gatewayContract("coinbase, simulated by the sandbox", {
  gateway,
  payment: paymentRequest({ attemptId: "attempt-7" }),
  paid: coinbaseCallback({ body: checkoutPaid(), at: Date.now(), secret: settings.hookSecret }),
  forged: coinbaseCallback({ body: checkoutPaid(), at: Date.now(), secret: "another-secret" }),
  pay: (url) => choose(url, "paid"),
})

test("paying at the Coinbase sandbox redirects the buyer to the return URL and sends a signed callback", async () => {
  const payment = paymentRequest()
  const { url, paymentId } = await gateway.startPayment(payment)
  const left = await choose(url, "paid")
  expect([left.status, left.headers.get("location")]).toEqual([303, payment.returnUrl])
  await shop.reached(1)
  const [call] = shop.calls
  expect(call && gateway.parseCallback(call)).toMatchObject({
    attemptId: payment.attemptId,
    status: "paid",
    received: payment.amount,
  })
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ status: "paid" })
})

test("a deactivated sandbox checkout cannot be paid and shows a message", async () => {
  const { url, paymentId } = await gateway.startPayment(paymentRequest())
  expect(await gateway.closePayment({ paymentId })).toBe("closed")
  expect(await gateway.closePayment({ paymentId })).toBe("closed")
  expect((await choose(url, "paid")).headers.get("location")).not.toContain("shop.test")
  expect(await (await fetch(url)).text()).toContain("The shop has closed this payment")
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ status: "expired" })
})

test("closePayment of a paid sandbox checkout returns stays-open", async () => {
  const { url, paymentId } = await gateway.startPayment(paymentRequest())
  await choose(url, "paid-unreported")
  expect(await gateway.closePayment({ paymentId })).toBe("stays-open")
})

test("the Coinbase sandbox refuses another shop's API key", async () => {
  const otherAccount = at({ ...createSandboxApiKey(), keyId: settings.keyId })
  await expect(otherAccount.startPayment(paymentRequest())).rejects.toMatchObject({ kind: "refused" })
})

function at({ keyId: id, keySecret: secret, hookSecret }: typeof settings) {
  return openCoinbase({
    url: `${sandbox.origin}/coinbase/api/v1/checkouts`,
    key: { id, secret },
    webhookSecrets: [hookSecret],
    timeoutMs: 5_000,
    now: Date.now,
  })
}

function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    attemptId: `attempt-new-${++attempts}`,
    startedAt: Date.now(),
    orderId: "ORDER7",
    amount: money(1250, "EUR"),
    returnUrl: "http://shop.test/back",
    cancelUrl: "http://shop.test/cancelled",
    callbackUrl: `${shop.origin}/callback`,
    expiresAt: Date.now() + 3_600_000,
    locale: defaultLocale,
    ...changes,
  }
}

function choose(url: string, outcome: string): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" })
}
