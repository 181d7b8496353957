import type { Coin } from "~/domain/coin"
import { coinUnits } from "./decimal"

type Payment = { readonly coin: Coin; readonly address: string; readonly amount: string }
type Form = { readonly scheme: string; readonly requests: (amount: string) => string }

/** BIP 21 and its relatives: the amount as a decimal. */
const plain = (amount: string) => `?amount=${amount}`

/** Coins that have a form of their own, on their own chain. */
const forms = new Map<string, Form>([
  ["BTC", { scheme: "bitcoin", requests: plain }],
  ["LTC", { scheme: "litecoin", requests: plain }],
  ["DOGE", { scheme: "dogecoin", requests: plain }],
  ["DASH", { scheme: "dash", requests: plain }],
  ["BCH", { scheme: "bitcoincash", requests: plain }],
  ["XMR", { scheme: "monero", requests: (amount) => `?tx_amount=${amount}` }],
  // EIP 681: in wei, of which a coin has as many as we count parts.
  ["ETH", { scheme: "ethereum", requests: (amount) => `@1?value=${coinUnits(amount)}` }],
])

/**
 * What a wallet reads from a QR code. Tokens (USDT on whichever network) have no form that wallets agree on, and a
 * wrongly read amount is lost money: for them it is the address alone.
 */
export function paymentUri({ coin, address, amount }: Payment): string {
  const form = coin.currency.toLowerCase() === coin.network ? forms.get(coin.currency) : undefined
  if (!form) return address
  const target = address.startsWith(`${form.scheme}:`) ? address : `${form.scheme}:${address}`
  return amount === "0" ? target : target + form.requests(amount)
}
