import { pino } from "pino"
import { afterAll, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { openBtcpay } from "~/gateways/btcpay/btcpay.server"
import { tokensWith } from "~/gateways/coinbase/jwt.server"
import { openCryptomus } from "~/gateways/cryptomus/cryptomus.server"
import type { Gateway } from "~/gateways/gateway"
import { createSandboxApiKey, newLocalMerchant, publicHalf } from "~/wiring/sandbox-accounts.server"
import { OFFSHORE_SECRET } from "../../tests/fakes/offshore"
import { startSandbox } from "./sandbox.server"

const callbackUrl = "https://shop.test/callback"
const [key, merchant] = [createSandboxApiKey(), newLocalMerchant()]
const store = { store: "store-1", key: "dev-api-key", webhookSecret: "dev-secret" }
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  now: Date.now,
  callbackSecret: OFFSHORE_SECRET,
  coinbase: { keyId: key.keyId, publicKey: publicHalf(key), hookSecret: key.hookSecret, callbackUrl },
  cryptomus: merchant,
  btcpay: { ...store, callbackUrl },
  log: pino({ level: "silent" }),
})
afterAll(() => sandbox.close())

const timeoutMs = 5_000
const gateways: readonly Gateway[] = [
  openCryptomus({ url: `${sandbox.origin}/cryptomus/v1`, ...merchant, timeoutMs, now: Date.now }),
  openBtcpay({
    url: `${sandbox.origin}/btcpay`,
    store: store.store,
    key: store.key,
    webhookSecrets: [store.webhookSecret],
    timeoutMs,
    now: Date.now,
  }),
]

/** Forms of addresses and payment requests that a wallet accepts on a main network. */
const mainNetwork =
  /^(0x[0-9a-f]{40}|T[1-9A-HJ-NP-Za-km-z]{33}|(bc1|ltc1)[0-9a-z]+|[13LM][1-9A-HJ-NP-Za-km-z]{25,34}|lnbc(\d|1).*|[48][1-9A-HJ-NP-Za-km-z]{94})$/i
/** An address for tests, or of a network for tests (BIP 173 and BOLT 11: regtest). */
const testNetwork = /^(test-|bcrt1|rltc1|lnbcrt)/

test.each(gateways.map((gateway) => ({ id: gateway.id, gateway })))(
  "no address of the sandbox at $id is accepted on a main network",
  async ({ gateway }) => {
    const coins = (await gateway.onSite?.coins()) ?? []
    expect(coins.length).toBeGreaterThan(2)
    for (const [index, coin] of coins.entries()) {
      const { paymentId } = await gateway.startPayment({
        attemptId: `attempt-${gateway.id}-${index}`,
        startedAt: Date.now(),
        orderId: "ORDER7",
        amount: money(1_250, "EUR"),
        returnUrl: "https://shop.test/back",
        cancelUrl: "https://shop.test/cancelled",
        callbackUrl,
        expiresAt: Date.now() + HOUR,
        locale: defaultLocale,
        coin,
      })
      const transfer = await gateway.onSite?.transfer({ paymentId })
      expect(transfer?.address).not.toMatch(mainNetwork)
      expect(transfer?.address).toMatch(testNetwork)
      // EIP-681: "@1" names the main network of Ethereum.
      expect(transfer?.uri).not.toContain("@1")
      expect(transfer?.uri).toContain(transfer?.address)
    }
  },
)

test("no address of the sandbox at coinbase is accepted on a main network", async () => {
  const url = new URL(`${sandbox.origin}/coinbase/api/v1/checkouts`)
  const token = await tokensWith({ id: key.keyId, secret: key.keySecret })("POST", url, Date.now())
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({
      amount: "12.50",
      currency: "EUR",
      successRedirectUrl: "https://shop.test/back",
      failRedirectUrl: "https://shop.test/no",
      expiresAt: new Date(Date.now() + HOUR).toISOString(),
    }),
  })
  const { address }: { address: string } = await response.json()
  expect(address).not.toMatch(mainNetwork)
  expect(address).toMatch(testNetwork)
})
