import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { COINBASE_HOOK, COINBASE_KEY, COINBASE_URL } from "../../tests/fakes/coinbase"
import { CRYPTOMUS_KEY, CRYPTOMUS_MERCHANT, CRYPTOMUS_URL } from "../../tests/fakes/cryptomus"
import { OFFSHORE_SECRET, OFFSHORE_URL } from "../../tests/fakes/offshore"
import { interceptUpstreams } from "../../tests/fakes/server"
import { openBtcpay } from "./btcpay/btcpay.server"
import { openCoinbase } from "./coinbase/coinbase.server"
import { openCryptomus } from "./cryptomus/cryptomus.server"
import { openOffshore } from "./offshore/offshore.server"

const server = interceptUpstreams()

const usual = { timeoutMs: 5_000, retryDelaysMs: [], now: () => 0 }
const gateways = [
  openOffshore({ ...usual, url: OFFSHORE_URL, callbackSecrets: [OFFSHORE_SECRET] }),
  openCoinbase({ ...usual, url: COINBASE_URL, key: COINBASE_KEY, webhookSecrets: [COINBASE_HOOK] }),
  openCryptomus({ ...usual, url: CRYPTOMUS_URL, merchant: CRYPTOMUS_MERCHANT, paymentKey: CRYPTOMUS_KEY }),
  openBtcpay({ ...usual, url: "https://btcpay.test", store: "s1", key: "k1", webhookSecrets: ["w1"] }),
]
const cases = gateways.flatMap((gateway) => [401, 403].map((status) => ({ id: gateway.id, gateway, status })))

test.each(cases)(
  "$id reports HTTP $status as a rejected API key that may be retried",
  async ({ gateway, status }) => {
    server.use(http.all("*", () => HttpResponse.json({ message: "who are you?" }, { status })))
    await expect(gateway.fetchPayment({ paymentId: "nobodys" })).rejects.toMatchObject({
      name: "GatewayError",
      kind: "refused",
      refusesKey: true,
      isTransient: true,
    })
  },
)

test.each(cases)(
  "$id reports HTTP 404 as a refused payment, not as a rejected API key",
  async ({ gateway }) => {
    server.use(http.all("*", () => HttpResponse.json({ state: 1 }, { status: 404 })))
    await expect(gateway.fetchPayment({ paymentId: "nobodys" })).rejects.toMatchObject({
      kind: "refused",
      refusesKey: false,
      isTransient: false,
    })
  },
)

test.each(cases)("$id reports an HTML response as unreadable and retryable", async ({ gateway }) => {
  server.use(http.all("*", () => HttpResponse.html("<h1>Checking your browser</h1>")))
  await expect(gateway.fetchPayment({ paymentId: "nobodys" })).rejects.toMatchObject({
    kind: "unreadable",
    isTransient: true,
  })
})

test.each(gateways)("$id says how long it asks to be left alone, an hour at most", async (gateway) => {
  const busy = (seconds: string) =>
    http.all("*", () => new HttpResponse(null, { status: 429, headers: { "retry-after": seconds } }))
  server.use(busy("120"))
  const look = () => gateway.fetchPayment({ paymentId: "nobodys" })
  await expect(look()).rejects.toMatchObject({ kind: "unavailable", retryAfterSeconds: 120 })
  server.use(busy("7200"))
  await expect(look()).rejects.toMatchObject({ kind: "unavailable", retryAfterSeconds: 3_600 })
})
