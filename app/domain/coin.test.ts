import { expect, test } from "vitest"
import { coinChosen, coinField, coinName, coinNamed } from "./coin"

test("a coin is found by its name again", () => {
  const coin = { currency: "USDT", network: "tron" }
  expect(coinNamed(coinName(coin))).toEqual(coin)
})

test.each(["", "BTC", "BTC/", "/LN", "BTC/LN/more", "B TC/LN", `${"B".repeat(21)}/LN`])(
  "%j is no coin",
  (name) => {
    expect(coinNamed(name)).toBeNull()
  },
)

test("a form says what to pay in for each gateway, and nothing is the gateway's own page", () => {
  const form = new Map([
    ["coin-btcpay", "BTC/LN"],
    ["coin-offshore", "nonsense"],
  ])
  expect(coinChosen(form, "btcpay")).toBe("BTC/LN")
  expect([coinChosen(form, "offshore"), coinChosen(form, "coinbase"), coinChosen(form, null)]).toEqual([
    ...[null, null, null],
  ])
})

test("a form says what to pay in under a field of the gateway's", () => {
  const form = new Map([[coinField("btcpay"), "BTC/LN"]])
  expect(coinField("btcpay")).toBe("coin-btcpay")
  expect(coinChosen(form, "btcpay")).toBe("BTC/LN")
})

test("what is not text is no coin", () => {
  expect(coinChosen(new Map([["coin-btcpay", ["BTC/LN"]]]), "btcpay")).toBeNull()
})
