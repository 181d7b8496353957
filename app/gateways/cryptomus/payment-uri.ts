import { parseDecimal, unitsOf } from "~/domain/money/decimal"
import type { Coin } from "~/domain/payments/coin"

type Payment = { readonly coin: Coin; readonly address: string; readonly amount: string }
type Form = { readonly scheme: string; readonly requests: (amount: string) => string }

/** BIP 21 and similar schemes: the amount is a decimal. */
const plain = (amount: string) => `?amount=${amount}`

/** Coins with a URI scheme of their own, when paid on their native chain. */
const forms = new Map<string, Form>([
  ["BTC", { scheme: "bitcoin", requests: plain }],
  ["LTC", { scheme: "litecoin", requests: plain }],
  ["DOGE", { scheme: "dogecoin", requests: plain }],
  ["DASH", { scheme: "dash", requests: plain }],
  ["BCH", { scheme: "bitcoincash", requests: plain }],
  ["XMR", { scheme: "monero", requests: (amount) => `?tx_amount=${amount}` }],
  // EIP-681: the amount is in wei, 10^-18 ether.
  ["ETH", { scheme: "ethereum", requests: (amount) => `@1?value=${unitsOf(parseDecimal(amount), 18)}` }],
])

/**
 * Builds the payment URI for a QR code. Tokens (USDT on any network) have no URI format that all wallets support, and a
 * misread amount is lost money: for tokens the URI is the address alone.
 */
export function paymentUri({ coin, address, amount }: Payment): string {
  const form = coin.currency.toLowerCase() === coin.network ? forms.get(coin.currency) : undefined
  if (!form) return address
  const target = address.startsWith(`${form.scheme}:`) ? address : `${form.scheme}:${address}`
  return amount === "0" ? target : target + form.requests(amount)
}
