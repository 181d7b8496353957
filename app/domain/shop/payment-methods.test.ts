import { expect, test } from "vitest"
import { coinMinutes, methodsInOrder, methodWords, minutesText } from "./payment-methods"

const own = {
  offshore: {
    name: { "en-en": "SEPA transfer", "de-de": "SEPA-Überweisung" },
    note: { "de-de": "In jeder Banking-App." },
    minutes: { from: 1, to: 2 },
    coins: {},
    statement: null,
  },
}

test.each([
  ["de-de", { name: "SEPA-Überweisung", note: "In jeder Banking-App.", minutes: { from: 1, to: 2 } }],
  ["en-gb", { name: "SEPA transfer", note: null, minutes: { from: 1, to: 2 } }],
  ["es-es", { name: null, note: null, minutes: { from: 1, to: 2 } }],
] as const)("in %s a payment method has the operator's words where there are any", (locale, words) => {
  expect(methodWords(own, "offshore", locale)).toEqual(words)
})

test("a method without the operator's words has the shop's texts and the usual time", () => {
  expect(methodWords(own, "cryptomusgateway", "en-en")).toEqual({
    name: null,
    note: null,
    minutes: { from: 2, to: 30 },
  })
  // What a bank's page takes is the provider's to say.
  expect(methodWords({}, "offshore", "en-en").minutes).toBeNull()
})

test.each([
  ["the customary time of its currency", { currency: "LTC", network: "CHAIN" }, { from: 5, to: 30 }],
  ["that of its network", { currency: "BTC", network: "LN" }, { from: 0, to: 1 }],
  ["the operator's, by currency", { currency: "BTC", network: "CHAIN" }, { from: 10, to: 40 }],
  ["the operator's, by network", { currency: "USDT", network: "tron" }, { from: 1, to: 2 }],
  ["that of its method, if nobody knows it", { currency: "PEPE", network: "eth" }, { from: 3, to: 9 }],
])("a coin has %s", (_, coin, minutes) => {
  const coins = { BTC: { from: 10, to: 40 }, "USDT/tron": { from: 1, to: 2 } }
  const methods = {
    cryptomusgateway: { name: {}, note: {}, minutes: { from: 3, to: 9 }, coins, statement: null },
  }
  const described = coin.network === "LN" ? {} : methods
  expect(coinMinutes(described, "cryptomusgateway", coin)).toEqual(minutes)
})

test("a coin of a method without a time has none", () => {
  expect(coinMinutes({}, "btcpay", { currency: "PEPE", network: "eth" })).toBeNull()
})

test.each([
  ["en", { from: 10, to: 60 }, "10–60 min"],
  ["de", { from: 0, to: 1 }, "1 Min."],
  ["es", { from: 1, to: 2 }, "1-2 min"],
  ["pt-PT", { from: 2, to: 10 }, "2–10 min"],
])("in %s a time is short", (iso, minutes, text) => {
  expect(minutesText(minutes, iso).replace(/\s/g, " ").replace("\u2060", "")).toBe(text)
})

test("a time stays on one line", () => {
  const minutes = { from: 1, to: 3 }
  expect(minutesText(minutes, "pt-PT")).toBe("1–\u20603\u00a0min")
  expect(minutesText(minutes, "en")).toBe("1–\u20603\u00a0min")
})

test("methods with a place come first, by it, and the others stay in the order of the settings", () => {
  const nothing = { name: {}, note: {}, minutes: null, coins: {}, statement: null, place: null }
  const described = { ...nothing, place: 1 }
  const ids = ["offshore", "coinbase", "btcpay"] as const
  expect(methodsInOrder({ btcpay: described, offshore: nothing }, ids)).toEqual([
    "btcpay",
    "offshore",
    "coinbase",
  ])
  expect(methodsInOrder({ btcpay: { ...described, place: 2 }, coinbase: described }, ids)).toEqual([
    "coinbase",
    "btcpay",
    "offshore",
  ])
  expect(methodsInOrder({}, ids)).toEqual(ids)
})
