import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, expect, test, vi } from "vitest"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { openCryptomus } from "~/gateways/cryptomus/cryptomus.server"
import type { PaymentRequest } from "~/gateways/gateway"
import { newLocalMerchant } from "~/wiring/sandbox-accounts.server"
import { openCallbackShop } from "../../../tests/fakes/callback-receiver"
import { parsedUpdate } from "../../../tests/fakes/parse-callback"
import { startSandbox } from "../sandbox.server"

const folder = mkdtempSync(join(tmpdir(), "sandbox-"))
const settings = newLocalMerchant()
const shop = await openCallbackShop()
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: join(folder, "sandbox.db"),
  now: Date.now,
  callbackSecret: "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4=",
  cryptomus: settings,
  log: pino({ level: "silent" }),
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
  rmSync(folder, { recursive: true })
})

const gateway = openCryptomus({
  url: `${sandbox.origin}/cryptomus/v1`,
  payOrigin: sandbox.origin,
  merchant: settings.merchant,
  paymentKey: settings.paymentKey,
  timeoutMs: 5_000,
  retryDelaysMs: [1],
  now: Date.now,
})

test("the Cryptomus sandbox resends the callback of a paid invoice and refuses a pending one", async () => {
  const { url, paymentId } = await gateway.startPayment(payment)
  await expect(gateway.calls?.resend({ paymentId })).rejects.toMatchObject({ kind: "refused" })
  const outcome = new URLSearchParams({ outcome: "paid-unreported" })
  await fetch(url, { method: "POST", body: outcome, redirect: "manual" })
  await gateway.calls?.resend({ paymentId })
  await vi.waitFor(() => {
    const received = shop.calls.filter((call) => parsedUpdate(gateway, call)?.attemptId === payment.attemptId)
    expect(received).toHaveLength(1)
  }, 15_000)
})

test("the Cryptomus sandbox's test webhook is signed and gives no payment update", async () => {
  const before = shop.calls.length
  await gateway.calls?.sendTest({ callbackUrl: `${shop.origin}/callback` })
  await shop.reached(before + 1)
  const call = shop.calls.at(-1)
  expect(call && gateway.parseCallback(call)).toBeNull()
})

const payment: PaymentRequest = {
  attemptId: "attempt-told-again",
  orderId: "ORDER7",
  amount: money(1250, "EUR"),
  returnUrl: "http://shop.test/back",
  cancelUrl: "http://shop.test/cancelled",
  callbackUrl: `${shop.origin}/callback`,
  startedAt: Date.now(),
  expiresAt: Date.now() + 3_600_000,
  locale: defaultLocale,
}
