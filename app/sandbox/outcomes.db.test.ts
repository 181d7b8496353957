import { pino } from "pino"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import type { PaymentStatus } from "~/domain/payments/payment"
import { openBtcpay } from "~/gateways/btcpay/btcpay.server"
import { openCoinbase } from "~/gateways/coinbase/coinbase.server"
import { openCryptomus } from "~/gateways/cryptomus/cryptomus.server"
import type { Gateway } from "~/gateways/gateway"
import { openOffshore } from "~/gateways/offshore/offshore.server"
import { createSandboxApiKey, newLocalMerchant, publicHalf } from "~/wiring/sandbox-accounts.server"
import { openCallbackShop } from "../../tests/fakes/callback-receiver"
import { OFFSHORE_SECRET } from "../../tests/fakes/offshore"
import type { OutcomeName } from "./outcomes"
import type { RefundName } from "./refund"
import { startSandbox } from "./sandbox.server"

const shop = await openCallbackShop()
const callbackUrl = `${shop.origin}/callback`
const [coinbase, merchant] = [createSandboxApiKey(), newLocalMerchant()]
const store = { store: "store-1", key: "dev-api-key", webhookSecret: "dev-secret" }
let ahead = 0
const now = () => Date.now() + ahead
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  now,
  callbackSecret: OFFSHORE_SECRET,
  coinbase: {
    keyId: coinbase.keyId,
    publicKey: publicHalf(coinbase),
    hookSecret: coinbase.hookSecret,
    callbackUrl,
  },
  cryptomus: merchant,
  btcpay: { ...store, callbackUrl },
  log: pino({ level: "silent" }),
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
})
beforeEach(() => {
  shop.calls.length = 0
})
afterEach(() => {
  ahead = 0
})

const timeoutMs = 5_000
const gateways: Readonly<Record<string, Gateway>> = {
  offshore: openOffshore({
    url: `${sandbox.origin}/offshore`,
    callbackSecrets: [OFFSHORE_SECRET],
    timeoutMs,
  }),
  coinbase: openCoinbase({
    url: `${sandbox.origin}/coinbase/api/v1/checkouts`,
    key: { id: coinbase.keyId, secret: coinbase.keySecret },
    webhookSecrets: [coinbase.hookSecret],
    timeoutMs,
    now,
  }),
  cryptomus: openCryptomus({ url: `${sandbox.origin}/cryptomus/v1`, ...merchant, timeoutMs, now }),
  btcpay: openBtcpay({
    url: `${sandbox.origin}/btcpay`,
    store: store.store,
    key: store.key,
    webhookSecrets: [store.webhookSecret],
    timeoutMs,
    now,
  }),
}
let attempts = 0

/** What the tester chooses, what the shop learns, and by how many callbacks. */
type Row = [chosen: (OutcomeName | RefundName)[], status: PaymentStatus, received: number, callbacks: number]

const table: Readonly<Record<string, Row[]>> = {
  offshore: [
    [["less"], "partially-paid", 1_000, 1],
    [["more"], "paid", 1_375, 1],
    [["late"], "paid", 1_250, 2],
    [["expired"], "expired", 0, 1],
    [["expired", "late"], "paid", 1_250, 2],
    [["processing"], "pending", 0, 1],
    [["processing", "paid"], "paid", 1_250, 2],
    [["processing", "failed"], "failed", 0, 2],
    [["paid", "refund-part"], "paid", 1_250, 2],
    [["paid", "refund-all"], "refunded", 1_250, 2],
  ],
  coinbase: [
    [["late"], "paid", 1_250, 2],
    [["expired"], "expired", 0, 1],
    [["expired", "late"], "paid", 1_250, 2],
    // Coinbase has no callback about an unconfirmed payment.
    [["processing"], "processing", 0, 0],
    [["processing", "paid"], "paid", 1_250, 1],
    [["processing", "failed"], "failed", 0, 1],
    [["paid", "refund-part"], "paid", 1_250, 2],
    [["paid", "refund-all"], "refunded", 1_250, 2],
  ],
  cryptomus: [
    [["less"], "partially-paid", 1_000, 1],
    [["less", "paid"], "paid", 1_250, 2],
    [["less", "expired"], "expired", 1_000, 2],
    // Cryptomus reports a surplus in dollars and in the coin, neither of which is the price's currency.
    [["more"], "paid", 1_250, 1],
    [["late"], "paid", 1_250, 2],
    [["expired"], "expired", 0, 1],
    [["expired", "late"], "paid", 1_250, 2],
    [["processing"], "processing", 0, 1],
    [["processing", "paid"], "paid", 1_250, 2],
    [["processing", "failed"], "failed", 0, 2],
    [["paid", "refund-all"], "refunded", 0, 2],
  ],
  btcpay: [
    [["less"], "partially-paid", 1_000, 1],
    [["less", "paid"], "paid", 1_250, 2],
    [["less", "expired"], "partially-paid", 1_000, 2],
    [["more"], "paid", 1_375, 1],
    [["late"], "paid", 1_250, 2],
    [["expired"], "expired", 0, 1],
    [["expired", "late"], "paid", 1_250, 2],
    [["processing"], "processing", 0, 1],
    [["processing", "paid"], "paid", 1_250, 2],
    [["processing", "failed"], "failed", 0, 2],
  ],
}

describe.each(Object.entries(table))("at %s", (name, rows) => {
  test.each(rows)("choosing %j makes a payment %s", async (chosen, status, received, callbacks) => {
    const gateway = gateways[name] as Gateway
    const { url, paymentId } = await opened(gateway)
    for (const outcome of chosen) {
      expect(await (await fetch(url)).text()).toContain(`value="${outcome}"`)
      await choose(url, outcome)
    }
    const update = { status, received: money(received, "EUR") }
    expect(await gateway.fetchPayment({ paymentId })).toMatchObject(update)
    await shop.reached(callbacks)
    for (const call of shop.calls) expect(gateway.parseCallback(call)).not.toBeNull()
  })

  test("a payment that is not confirmed stays so after its expiry, and is decided then", async () => {
    const gateway = gateways[name] as Gateway
    const { url, paymentId } = await opened(gateway)
    await choose(url, "processing")
    const before = await gateway.fetchPayment({ paymentId })
    ahead = 2 * DAY
    expect(await gateway.fetchPayment({ paymentId })).toEqual(before)
    await choose(url, "late")
    expect(await gateway.fetchPayment({ paymentId })).toEqual(before)
    await choose(url, "failed")
    expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ status: "failed" })
    expect(await (await fetch(url)).text()).not.toContain('name="outcome"')
  })
})

test.each(["cryptomus", "btcpay"])(
  "at %s an underpaid payment that has expired is final and accepts no more money",
  async (name) => {
    const gateway = gateways[name] as Gateway
    const { url, paymentId } = await opened(gateway)
    await choose(url, "less")
    await choose(url, "expired")
    expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ ended: true })
    await choose(url, "paid")
    expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ received: money(1_000, "EUR") })
  },
)

test("the BTCPay sandbox reports expiry and late payment in the documented event types", async () => {
  const { url } = await opened(gateways.btcpay as Gateway)
  await choose(url, "less")
  await choose(url, "expired")
  await shop.reached(2)
  const late = await opened(gateways.btcpay as Gateway)
  await choose(late.url, "late")
  await shop.reached(4)
  const events = shop.calls.map(({ body }) => JSON.parse(body.toString()))
  expect(events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: "InvoicePaymentSettled", afterExpiration: false }),
      expect.objectContaining({ type: "InvoiceExpired", partiallyPaid: true }),
      expect.objectContaining({ type: "InvoiceExpired", partiallyPaid: false }),
      expect.objectContaining({ type: "InvoicePaymentSettled", afterExpiration: true }),
    ]),
  )
})

function opened(gateway: Gateway) {
  return gateway.startPayment({
    attemptId: `attempt-${++attempts}`,
    startedAt: now(),
    orderId: "ORDER7",
    amount: money(1_250, "EUR"),
    returnUrl: "http://shop.test/back",
    cancelUrl: "http://shop.test/cancelled",
    callbackUrl,
    expiresAt: now() + HOUR,
    locale: defaultLocale,
  })
}

function choose(url: string, outcome: string): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" })
}
