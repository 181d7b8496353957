import type { Coin } from "~/domain/coin"

const coins: Readonly<Record<string, string>> = {
  ...{ BTC: "Bitcoin", LTC: "Litecoin", ETH: "Ethereum", XMR: "Monero", DOGE: "Dogecoin" },
  ...{ BCH: "Bitcoin Cash", TRX: "Tron", SOL: "Solana", TON: "Toncoin", DASH: "Dash" },
}
const networks: Readonly<Record<string, string>> = {
  ...{ CHAIN: "", LN: "Lightning", BTC: "", LTC: "", tron: "Tron", eth: "Ethereum", bsc: "BNB Smart Chain" },
}

/** A coin as people call it, with its network where that is not plain: "Bitcoin", "USDT (Tron)". */
export function coinText({ currency, network }: Coin): string {
  const coin = coins[currency] ?? currency
  const way = networks[network] ?? network
  return way === "" || way === coin ? coin : `${coin} (${way})`
}
