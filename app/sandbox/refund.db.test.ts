import { pino } from "pino"
import { afterAll, beforeEach, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { openCoinbase } from "~/gateways/coinbase/coinbase.server"
import { openCryptomus } from "~/gateways/cryptomus/cryptomus.server"
import type { Gateway } from "~/gateways/gateway"
import { openOffshore } from "~/gateways/offshore/offshore.server"
import { createSandboxApiKey, newLocalMerchant, publicHalf } from "~/wiring/sandbox-accounts.server"
import { openCallbackShop } from "../../tests/fakes/callback-receiver"
import { OFFSHORE_SECRET } from "../../tests/fakes/offshore"
import { startSandbox } from "./sandbox.server"

const shop = await openCallbackShop()
const [coinbase, merchant] = [createSandboxApiKey(), newLocalMerchant()]
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  now: Date.now,
  callbackSecret: OFFSHORE_SECRET,
  coinbase: {
    keyId: coinbase.keyId,
    publicKey: publicHalf(coinbase),
    hookSecret: coinbase.hookSecret,
    callbackUrl: `${shop.origin}/callback`,
  },
  cryptomus: merchant,
  log: pino({ level: "silent" }),
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
})
beforeEach(() => {
  shop.calls.length = 0
})

const timeoutMs = 5_000
const gateways: readonly Gateway[] = [
  openOffshore({ url: `${sandbox.origin}/offshore`, callbackSecrets: [OFFSHORE_SECRET], timeoutMs }),
  openCoinbase({
    url: `${sandbox.origin}/coinbase/api/v1/checkouts`,
    key: { id: coinbase.keyId, secret: coinbase.keySecret },
    webhookSecrets: [coinbase.hookSecret],
    timeoutMs,
    now: Date.now,
  }),
]
let attempts = 0

test.each(gateways.map((gateway) => ({ id: gateway.id, gateway })))(
  "refunds at $id are reported as a running total, and the received amount stays unchanged",
  async ({ gateway }) => {
    const { url, paymentId } = await opened(gateway)
    await choose(url, "paid")
    for (const [refund, refunded, status] of [
      ["refund-part", 250, "paid"],
      ["refund-part", 500, "paid"],
      ["refund-all", 1_250, "refunded"],
    ] as const) {
      expect(await (await fetch(url)).text()).toContain("Refund everything")
      await choose(url, refund)
      const update = { status, received: money(1_250, "EUR"), refunded: money(refunded, "EUR") }
      expect(await gateway.fetchPayment({ paymentId })).toMatchObject(update)
    }
    await shop.reached(4)
    const updates = shop.calls.map((call) => gateway.parseCallback(call))
    expect(updates.at(1)).toMatchObject({ status: "paid", refunded: money(250, "EUR") })
    expect(updates.at(3)).toMatchObject({ status: "refunded", refunded: money(1_250, "EUR") })
    expect(await (await fetch(url)).text()).not.toContain("Refund everything")
  },
)

test("the sandbox's Cryptomus callback about an underpaid invoice omits payer_amount, and the API returns it", async () => {
  const gateway = openCryptomus({
    url: `${sandbox.origin}/cryptomus/v1`,
    ...merchant,
    timeoutMs,
    now: Date.now,
  })
  const { url, paymentId } = await opened(gateway)
  await choose(url, "less")
  await shop.reached(1)
  const [call] = shop.calls
  const hint = { paymentId, attemptId: `attempt-${attempts}` }
  expect(call && gateway.parseCallback(call)).toEqual(hint)
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ received: money(1_000, "EUR") })
})

function opened(gateway: Gateway) {
  return gateway.startPayment({
    attemptId: `attempt-${++attempts}`,
    startedAt: Date.now(),
    orderId: "ORDER7",
    amount: money(1_250, "EUR"),
    returnUrl: "http://shop.test/back",
    cancelUrl: "http://shop.test/cancelled",
    callbackUrl: `${shop.origin}/callback`,
    expiresAt: Date.now() + HOUR,
    locale: defaultLocale,
  })
}

function choose(url: string, outcome: string): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" })
}
