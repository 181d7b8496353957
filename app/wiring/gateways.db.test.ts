import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { gatewayIds } from "~/domain/payments/gateway-id"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import { openGateway, openGateways, openSandbox } from "./gateways.server"

const folder = mkdtempSync(join(tmpdir(), "wiring-"))
const config = readConfig({ DATA_DIR: folder, SANDBOX_PORT: "0", PUBLIC_URL: "http://127.0.0.1:1" })
const sandbox = await openSandbox(config, { now: Date.now, log: pino({ level: "silent" }) })
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

test.each(gatewayIds)("without any setting the sandbox accepts a payment at %s", async (id) => {
  const gateway = openGateway[id](config, { now: Date.now, sandbox })
  const { url, paymentId } = await gateway.startPayment({
    attemptId: "attempt-7",
    orderId: "ORDER7",
    amount: money(1250, "EUR"),
    locale: defaultLocale,
    returnUrl: `${config.PUBLIC_URL}/back`,
    cancelUrl: `${config.PUBLIC_URL}/no`,
    callbackUrl: `${config.PUBLIC_URL}/callback`,
    expiresAt: Date.now() + 3_600_000,
    startedAt: Date.now(),
  })
  expect([gateway.id, new URL(url).origin]).toEqual([id, sandbox.origin])
  expect(await gateway.fetchPayment({ paymentId })).toMatchObject({ status: "pending" })
})

test("the operator's BTCPay Server is used with its own key, also next to the sandbox", () => {
  const own = { BTCPAY_URL: "https://pay.example/btc", BTCPAY_STORE: "store", BTCPAY_KEY: "key" }
  const gatewayContext = readConfig({
    SANDBOX: "on",
    DATA_DIR: folder,
    ...own,
    BTCPAY_WEBHOOK_SECRET: "secret",
  })
  expect(openGateway.btcpay(gatewayContext, { now: Date.now, sandbox }).origins).toEqual([
    "https://pay.example",
  ])
})

const local = { DATA_DIR: folder, SESSION_SECRETS: "x".repeat(32) }
const keys = { CRYPTOMUS_MERCHANT: "m-1", CRYPTOMUS_PAYMENT_KEY: "key-1" }

test.each([
  ["Cryptomus itself", {}, ["https://pay.cryptomus.com", "https://api.cryptomus.com"]],
  [
    "Heleket",
    { CRYPTOMUS_URL: "https://api.heleket.com/v1", CRYPTOMUS_CHECKOUT_ORIGIN: "https://pay.heleket.com" },
    ["https://pay.heleket.com", "https://api.heleket.com"],
  ],
])("with its keys set, payments go to %s", (_, settings, origins) => {
  const config = readConfig({ ...local, ...keys, ...settings, GATEWAYS: "cryptomusgateway" })
  expect(openGateway.cryptomusgateway(config, { now: Date.now, sandbox: null }).origins).toEqual(origins)
})

test("a Cryptomus URL of the operator's is used instead of the running sandbox", () => {
  const config = readConfig({ ...local, ...keys, SANDBOX: "on", CRYPTOMUS_URL: "https://pay.example/v1" })
  expect(openGateway.cryptomusgateway(config, { now: Date.now, sandbox }).origins).toContain(
    "https://pay.example",
  )
})

test("all gateways of the external billing share one circuit, and its first success closes it", async () => {
  let at = 0
  let isDown = true
  async function fetchPayment() {
    if (isDown) throw new GatewayError("unavailable", "no response")
    return null
  }
  const gateway = (id: Gateway["id"]) =>
    ({ id, origins: [], onSite: null, takesTopUps: false, fetchPayment }) as unknown as Gateway
  const surroundings = { now: () => at, sandbox, log: pino({ level: "silent" }) }
  const gateways = openGateways(config, { ...surroundings, externalGateways: { gateway } })
  const [first, second] = [...gateways.values()]
  const poll = (it = first) => it?.fetchPayment({ paymentId: "p" }).catch(() => "failed")
  for (let time = 0; time < 5; time++) await poll()
  expect([first?.healthy(), second?.healthy()]).toEqual([false, false])
  isDown = false
  at += 500
  expect(await poll(second)).toBeNull()
  expect([first?.healthy(), await poll()]).toEqual([true, null])
})
