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
  ...{ url: CRYPTOMUS_URL, merchant: CRYPTOMUS_MERCHANT, paymentKey: CRYPTOMUS_KEY },
  ...{ timeoutMs: 5_000, retryDelaysMs: [], now: () => 0 },
})
const transfer = (invoice: unknown) => {
  server.use(cryptomusResponses("payment/info", invoice))
  return onSite?.transfer({ paymentId: INVOICE })
}

test("the coins are those of the provider, in its order, under the names that invoices have for them", async () => {
  expect(await onSite?.coins()).toEqual([
    { currency: "USDT", network: "tron" },
    { currency: "BTC", network: "btc" },
  ])
})

test("coins that cannot be had now, or that the shop has switched off, are not offered", async () => {
  const services = [
    service("XMR", "XMR", { is_available: false }),
    service("DAI", "ETH", { is_enabled: false }),
    service("USDT", "BSC", { is_enabled: true }),
  ]
  server.use(cryptomusResponses("payment/services", services))
  expect(await onSite?.coins()).toEqual([{ currency: "USDT", network: "bsc" }])
})

test.each([
  ["no list", { items: [] }],
  ["a coin without a network", [service("USDT", "")]],
  ["a coin of which nobody knows whether it can be had", [service("USDT", "TRON", { is_available: null })]],
])("%s in place of the coins is unreadable", async (_, services) => {
  server.use(cryptomusResponses("payment/services", services))
  await expect(onSite?.coins()).rejects.toMatchObject({ name: "GatewayError", kind: "unreadable" })
})

test("a payment in a coin says how much goes where, until when, and that nothing has been seen", async () => {
  expect(await transfer(cryptomusBill())).toEqual({
    coin: { currency: "USDT", network: "tron" },
    amount: "13.41",
    ...{ address: "TXyzAddressOfNobody", uri: "TXyzAddressOfNobody" },
    expiresAt: 1_795_176_000_000,
    ...{ seen: "0", confirmations: null },
  })
})

test.each([
  [
    "waits for the rest",
    { status: "wrong_amount_waiting", payment_amount: "5.00000001" },
    "8.40999999",
    "5.00000001",
  ],
  ["has seen a part on its way", { status: "confirm_check", payment_amount: "5.00" }, "8.41", "5"],
  ["has seen all of it on its way", { status: "confirm_check", payment_amount: "13.41" }, "0", "13.41"],
  ["has seen more than was asked", { status: "process", payment_amount: "20.00000000" }, "0", "20"],
  ["has its coin and nothing more", { status: "process" }, "13.41", "0"],
  ["is in work and not counted yet", { status: "process", txid: "0xabc" }, "0", "0"],
  ["is said to be paid before that is final", { status: "paid" }, "0", "0"],
  ["is on its way and not counted yet", { status: "confirm_check", payment_amount: null }, "0", "0"],
  ["is held and not counted", { status: "locked", payment_amount: "0.00000000" }, "0", "0"],
  ["has eighteen places", { payer_amount: "0.000000000000000001" }, "0.000000000000000001", "0"],
])("a payment that %s never asks for a coin twice", async (_, changes, amount, seen) => {
  expect(await transfer(cryptomusBill(changes))).toMatchObject({ amount, seen })
})

test.each([
  ["was opened without a coin", cryptomusInvoice({ status: "check", is_final: false })],
  ["has no address yet", cryptomusBill({ address: null })],
  ["has been paid", cryptomusBill({ status: "paid", is_final: true })],
  ["has ended", cryptomusBill({ status: "cancel", is_final: true })],
  ["came short when its time was over", cryptomusBill({ status: "wrong_amount", is_final: true })],
])("a payment that %s is not made on our page", async (_, invoice) => {
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
  "what a wallet reads for %s on %s is %s's own form, or the address",
  async (currency, network, address, uri) => {
    const bill = cryptomusBill({ payer_currency: currency, network, address, payer_amount: "0.00021000" })
    expect(await transfer(bill)).toMatchObject({ amount: "0.00021", uri })
  },
)

test("a wallet is asked for the rest alone, and for nothing when nothing is left", async () => {
  const coin = { payer_currency: "BTC", network: "btc", address: "bc1q", payer_amount: "0.00021000" }
  const part = { ...coin, status: "wrong_amount_waiting", payment_amount: "0.00020000" }
  expect(await transfer(cryptomusBill(part))).toMatchObject({ uri: "bitcoin:bc1q?amount=0.00001" })
  const all = { ...coin, status: "confirm_check", payment_amount: "0.00021000" }
  expect(await transfer(cryptomusBill(all))).toMatchObject({ uri: "bitcoin:bc1q" })
})
