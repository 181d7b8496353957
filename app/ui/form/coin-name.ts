import type { Coin } from "~/domain/coin"

const coins: Readonly<Record<string, string>> = {
  ...{ BTC: "Bitcoin", LTC: "Litecoin", ETH: "Ethereum", XMR: "Monero", DOGE: "Dogecoin" },
  ...{ BCH: "Bitcoin Cash", TRX: "Tron", SOL: "Solana", TON: "Toncoin", DASH: "Dash" },
}
/** By lower-case names: one provider writes them so, another does not. The coin's own network goes without saying. */
const networks: Readonly<Record<string, string>> = {
  ...{ chain: "", btc: "", ltc: "", bch: "", doge: "", xmr: "", dash: "", ln: "Lightning" },
  ...{ tron: "Tron", eth: "Ethereum", bsc: "BNB Smart Chain", sol: "Solana", ton: "Toncoin" },
}

/** A coin as people call it, with its network where that is not plain: "Bitcoin", "USDT (Tron)". */
export function coinText({ currency, network }: Coin): string {
  const coin = coins[currency] ?? currency
  const way = networks[network.toLowerCase()] ?? network
  return way === "" || way === coin ? coin : `${coin} (${way})`
}
