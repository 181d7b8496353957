import { expect, test } from "vitest"
import { coinChosen, coinField, coinName, coinNamed, opensWallet } from "./coin"

test("parses what it serializes", () => {
  const coin = { currency: "USDT", network: "tron" }
  expect(coinNamed(coinName(coin))).toEqual(coin)
})

test.each(["", "BTC", "BTC/", "/LN", "BTC/LN/more", "B TC/LN", `${"B".repeat(21)}/LN`])(
  "%j is not a coin",
  (name) => {
    expect(coinNamed(name)).toBeNull()
  },
)

test("reads the coin of each gateway from its form field, and null for the gateway's own page", () => {
  const form = new Map([
    ["coin-btcpay", "BTC/LN"],
    ["coin-offshore", "nonsense"],
  ])
  expect(coinChosen(form, "btcpay")).toBe("BTC/LN")
  expect([coinChosen(form, "offshore"), coinChosen(form, "coinbase"), coinChosen(form, null)]).toEqual([
    null,
    null,
    null,
  ])
})

test("names the coin field after the gateway", () => {
  const form = new Map([[coinField("btcpay"), "BTC/LN"]])
  expect(coinField("btcpay")).toBe("coin-btcpay")
  expect(coinChosen(form, "btcpay")).toBe("BTC/LN")
})

test("a value that is not a string is not a coin", () => {
  expect(coinChosen(new Map([["coin-btcpay", ["BTC/LN"]]]), "btcpay")).toBeNull()
})

test.each([
  ["bitcoin:bc1qnobody?amount=0.00021", true],
  ["LIGHTNING:LNBC1", true],
  ["web+coin:1", true],
  ["TXyzAddressOfNobody", false],
  ["0xnobody", false],
  ["", false],
  ["1a:nobody", false],
])("a transfer's URI %s opens a wallet: %s", (uri, opens) => {
  expect(opensWallet({ uri })).toBe(opens)
})
