import type { Coin } from "~/domain/payments/coin"

const coins: Readonly<Record<string, string>> = {
  BTC: "Bitcoin",
  LTC: "Litecoin",
  ETH: "Ethereum",
  XMR: "Monero",
  DOGE: "Dogecoin",
  BCH: "Bitcoin Cash",
  TRX: "Tron",
  SOL: "Solana",
  TON: "Toncoin",
  DASH: "Dash",
}
/** Keys in lower case, since providers differ. A coin's own network is omitted. */
const networks: Readonly<Record<string, string>> = {
  chain: "",
  btc: "",
  ltc: "",
  bch: "",
  doge: "",
  xmr: "",
  dash: "",
  ln: "Lightning",
  tron: "Tron",
  eth: "Ethereum",
  // The sandbox's, whose payment URIs no wallet may take for those of the main network.
  sepolia: "",
  bsc: "BNB Smart Chain",
  sol: "Solana",
  ton: "Toncoin",
}

/** A coin's display name, and its network's if the coin is on several. */
export function coinParts({ currency, network }: Coin): { coin: string; network: string | null } {
  const coin = coins[currency] ?? currency
  const way = networks[network.toLowerCase()] ?? network
  return { coin, network: way === "" || way === coin ? null : way }
}

/** A coin's display name, with its network if ambiguous: "Bitcoin", "USDT (Tron)". */
export function coinText(given: Coin): string {
  const { coin, network } = coinParts(given)
  return network === null ? coin : `${coin} (${network})`
}
