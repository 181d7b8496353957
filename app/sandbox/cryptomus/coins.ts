import { createHash } from "node:crypto"

export type CryptomusCoin = {
  readonly currency: string
  readonly network: string
  readonly isAvailable: boolean
  /** Value of a cent, in units of 10^-8 coin; the same in every currency. */
  readonly perCent: bigint
  /** Derives a fake address for an invoice; it has no private key. */
  readonly address: (invoice: string) => string
}

const usdt = { currency: "USDT", isAvailable: true, perCent: 1_000_000n }
const hex = (invoice: string) => createHash("sha256").update(invoice).digest("hex")
const onEthereum = (invoice: string) => `0x${hex(invoice).slice(0, 40)}`

const coins: readonly CryptomusCoin[] = [
  { ...usdt, network: "TRON", address: (invoice) => `T${hex(invoice).slice(0, 33)}` },
  { ...usdt, network: "BSC", address: onEthereum },
  {
    ...{ currency: "BTC", network: "BTC", isAvailable: true, perCent: 10n },
    address: (invoice) => `bc1q${hex(invoice).slice(0, 38)}`,
  },
  { ...{ currency: "ETH", network: "ETH", isAvailable: true, perCent: 400n }, address: onEthereum },
  {
    ...{ currency: "LTC", network: "LTC", isAvailable: true, perCent: 10_000n },
    address: (invoice) => `ltc1q${hex(invoice).slice(0, 38)}`,
  },
  { ...{ currency: "XMR", network: "XMR", isAvailable: false, perCent: 5_000n }, address: hex },
]

/** Finds an available coin; the network is case-insensitive. Null: unknown or unavailable. */
export function coinCalled(name: { currency: string; network: string }): CryptomusCoin | null {
  const network = name.network.toUpperCase()
  const known = coins.find((it) => it.currency === name.currency && it.network === network)
  return known?.isAvailable ? known : null
}

/** Serializes the list of services in Cryptomus's format. */
export function servicesJson() {
  return coins.map(({ network, currency, isAvailable: is_available, perCent }) => ({
    ...{ network, currency, is_available },
    limit: { min_amount: coinDecimal(perCent * 10n), max_amount: coinDecimal(perCent * 10_000_000n) },
    commission: { fee_amount: "0.00", percent: "2.00" },
  }))
}

/** Formats units of 10^-8 coin with all eight decimal places. */
export function coinDecimal(units: bigint): string {
  const digits = units.toString().padStart(9, "0")
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`
}
