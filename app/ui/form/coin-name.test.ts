import { expect, test } from "vitest"
import { coinText } from "./coin-name"

test.each([
  [{ currency: "BTC", network: "CHAIN" }, "Bitcoin"],
  [{ currency: "BTC", network: "LN" }, "Bitcoin (Lightning)"],
  [{ currency: "BTC", network: "btc" }, "Bitcoin"],
  [{ currency: "ETH", network: "eth" }, "Ethereum"],
  [{ currency: "ETH", network: "sepolia" }, "Ethereum"],
  [{ currency: "USDT", network: "tron" }, "USDT (Tron)"],
  [{ currency: "NEW", network: "somewhere" }, "NEW (somewhere)"],
])("the coin %o is displayed as %s", (coin, text) => {
  expect(coinText(coin)).toBe(text)
})
