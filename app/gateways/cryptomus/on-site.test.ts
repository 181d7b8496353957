import { expect, test } from "vitest"
import {
  CRYPTOMUS_KEY,
  CRYPTOMUS_MERCHANT,
  CRYPTOMUS_URL,
  cryptomusBill,
  cryptomusInvoice,
  cryptomusResponses,
  INVOICE,
  service,
} from "../../../tests/fakes/cryptomus"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openCryptomus } from "./cryptomus.server"

const server = interceptUpstreams()

const { onSite } = openCryptomus({
  url: CRYPTOMUS_URL,
  merchant: CRYPTOMUS_MERCHANT,
  paymentKey: CRYPTOMUS_KEY,
  timeoutMs: 5_000,
  retryDelaysMs: [],
  now: () => 0,
})
const transfer = (invoice: unknown) => {
  server.use(cryptomusResponses("payment/info", invoice))
  return onSite?.transfer({ paymentId: INVOICE })
}

test("Cryptomus coins() lists the provider's coins in its order, with lower-case networks", async () => {
  expect(await onSite?.coins()).toEqual([
    { currency: "USDT", network: "tron" },
    { currency: "BTC", network: "btc" },
  ])
})

test("Cryptomus coins() omits unavailable and disabled coins", async () => {
  const services = [
    service("XMR", "XMR", { is_available: false }),
    service("DAI", "ETH", { is_enabled: false }),
    service("USDT", "BSC", { is_enabled: true }),
  ]
  server.use(cryptomusResponses("payment/services", services))
  expect(await onSite?.coins()).toEqual([{ currency: "USDT", network: "bsc" }])
})

test.each([
  ["an object instead of a list", { items: [] }],
  ["a coin without a network", [service("USDT", "")]],
  ["a coin without availability", [service("USDT", "TRON", { is_available: null })]],
])("Cryptomus coins() throws an unreadable error for %s", async (_, services) => {
  server.use(cryptomusResponses("payment/services", services))
  await expect(onSite?.coins()).rejects.toMatchObject({ name: "GatewayError", kind: "unreadable" })
})

test("Cryptomus transfer() returns coin, amount, address, URI and expiry of an unpaid invoice", async () => {
  expect(await transfer(cryptomusBill())).toEqual({
    coin: { currency: "USDT", network: "tron" },
    amount: "13.41",
    address: "TXyzAddressOfNobody",
    uri: "TXyzAddressOfNobody",
    expiresAt: 1_795_176_000_000,
    seen: "0",
    confirmations: null,
  })
})

test.each([
  [
    "waits for the rest",
    { status: "wrong_amount_waiting", payment_amount: "5.00000001" },
    "8.40999999",
    "5.00000001",
  ],
  [
    "has seen a partial transfer in progress",
    { status: "confirm_check", payment_amount: "5.00" },
    "8.41",
    "5",
  ],
  [
    "has seen the full transfer in progress",
    { status: "confirm_check", payment_amount: "13.41" },
    "0",
    "13.41",
  ],
  ["is overpaid", { status: "process", payment_amount: "20.00000000" }, "0", "20"],
  ["has a coin but no transfer", { status: "process" }, "13.41", "0"],
  ["has a transaction id but no amount yet", { status: "process", txid: "0xabc" }, "0", "0"],
  ["is paid but not final", { status: "paid" }, "0", "0"],
  ["is awaiting confirmation without an amount", { status: "confirm_check", payment_amount: null }, "0", "0"],
  ["is locked without an amount", { status: "locked", payment_amount: "0.00000000" }, "0", "0"],
  [
    "has an amount with 18 decimal places",
    { payer_amount: "0.000000000000000001" },
    "0.000000000000000001",
    "0",
  ],
])(
  "Cryptomus transfer() never requests the same money twice: a payment that %s",
  async (_, changes, amount, seen) => {
    expect(await transfer(cryptomusBill(changes))).toMatchObject({ amount, seen })
  },
)

test.each([
  ["was created without a coin", cryptomusInvoice({ status: "check", is_final: false })],
  ["has no address yet", cryptomusBill({ address: null })],
  ["has been paid", cryptomusBill({ status: "paid", is_final: true })],
  ["has ended", cryptomusBill({ status: "cancel", is_final: true })],
  ["expired underpaid", cryptomusBill({ status: "wrong_amount", is_final: true })],
])("Cryptomus transfer() returns null for a payment that %s", async (_, invoice) => {
  expect(await transfer(invoice)).toBeNull()
})

test.each([
  ["BTC", "btc", "bc1qnobody", "bitcoin:bc1qnobody?amount=0.00021"],
  ["LTC", "ltc", "ltc1qnobody", "litecoin:ltc1qnobody?amount=0.00021"],
  ["BCH", "bch", "bitcoincash:qnobody", "bitcoincash:qnobody?amount=0.00021"],
  ["XMR", "xmr", "4nobody", "monero:4nobody?tx_amount=0.00021"],
  ["USDT", "tron", "Tnobody", "Tnobody"],
  ["ETH", "eth", "0xnobody", "ethereum:0xnobody@1?value=210000000000000"],
  ["ETH", "arbitrum", "0xnobody", "0xnobody"],
  ["BTC", "bsc", "0xnobody", "0xnobody"],
  ["constructor", "constructor", "x", "x"],
])(
  "payment URI for %s on %s to %s uses the coin's scheme or the plain address",
  async (currency, network, address, uri) => {
    const bill = cryptomusBill({ payer_currency: currency, network, address, payer_amount: "0.00021000" })
    expect(await transfer(bill)).toMatchObject({ amount: "0.00021", uri })
  },
)

test("the Cryptomus payment URI contains the amount due, and no amount when nothing is due", async () => {
  const coin = { payer_currency: "BTC", network: "btc", address: "bc1q", payer_amount: "0.00021000" }
  const part = { ...coin, status: "wrong_amount_waiting", payment_amount: "0.00020000" }
  expect(await transfer(cryptomusBill(part))).toMatchObject({ uri: "bitcoin:bc1q?amount=0.00001" })
  const all = { ...coin, status: "confirm_check", payment_amount: "0.00021000" }
  expect(await transfer(cryptomusBill(all))).toMatchObject({ uri: "bitcoin:bc1q" })
})
