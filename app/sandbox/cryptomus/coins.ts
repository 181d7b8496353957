import { createHash } from "node:crypto"
import { withPlaces } from "~/domain/money/decimal"

export type CryptomusCoin = {
  readonly currency: string
  readonly network: string
  readonly isAvailable: boolean
  /** Value of a cent, in units of 10^-8 coin; the same in every currency. */
  readonly perCent: bigint
}

/**
 * ETH is on a test network: payment URIs of the main network name it (`ethereum:…@1`, EIP-681), so that a wallet would
 * take them for real.
 */
const coins: readonly CryptomusCoin[] = [
  { currency: "USDT", network: "TRON", isAvailable: true, perCent: 1_000_000n },
  { currency: "USDT", network: "BSC", isAvailable: true, perCent: 1_000_000n },
  { currency: "BTC", network: "BTC", isAvailable: true, perCent: 10n },
  { currency: "ETH", network: "SEPOLIA", isAvailable: true, perCent: 400n },
  { currency: "LTC", network: "LTC", isAvailable: true, perCent: 10_000n },
  { currency: "XMR", network: "XMR", isAvailable: false, perCent: 5_000n },
]

/** Derives the address of an invoice. No wallet accepts it: it has the format of no network. */
export function addressOf({ network }: CryptomusCoin, invoice: string): string {
  const digits = createHash("sha256").update(invoice).digest("hex").slice(0, 32)
  return `test-${network.toLowerCase()}-${digits}`
}

/** Finds an available coin; the network is case-insensitive. Null: unknown or unavailable. */
export function coinCalled(name: { currency: string; network: string }): CryptomusCoin | null {
  const network = name.network.toUpperCase()
  const known = coins.find((it) => it.currency === name.currency && it.network === network)
  return known?.isAvailable ? known : null
}

/** Serializes the list of services in Cryptomus's format. */
export function servicesJson() {
  return coins.map(({ network, currency, isAvailable: is_available, perCent }) => ({
    network,
    currency,
    is_available,
    limit: { min_amount: coinDecimal(perCent * 10n), max_amount: coinDecimal(perCent * 10_000_000n) },
    commission: { fee_amount: "0.00", percent: "2.00" },
  }))
}

/** Formats units of 10^-8 coin with all eight decimal places. */
export function coinDecimal(units: bigint): string {
  return withPlaces(units, 8)
}
