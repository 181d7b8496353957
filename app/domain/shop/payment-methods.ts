import { cachedByKey } from "../cached-by-key"
import type { LocaleCode } from "../locales"
import { type Coin, coinName } from "../payments/coin"
import type { GatewayId } from "../payments/gateway-id"
import { type LocalizedText, localizedTextFor } from "./brand"

/** Usual time of a payment in whole minutes, as a range; `to` ≥ `from`. */
export type UsualMinutes = { readonly from: number; readonly to: number }

/** The operator's words for a payment method. What is missing is the shop's own text. */
export type MethodDescription = {
  readonly name: LocalizedText
  readonly note: LocalizedText
  readonly minutes: UsualMinutes | null
  /** The time by coin, where it differs: by its name ("BTC/CHAIN"), or by its currency for all networks. */
  readonly coins: Readonly<Record<string, UsualMinutes>>
  /** What the charge is called on the buyer's statement; null: it is not known. */
  readonly statement: string | null
  /** Its place among the methods, from 1; null: after those that have one. */
  readonly place?: number | null
}

/** Descriptions from the operator's shop file, by gateway. */
export type MethodDescriptions = Readonly<Partial<Record<GatewayId, MethodDescription>>>

/** What the operator says about a method in one language; null: the shop's own text. */
export type MethodWords = {
  readonly name: string | null
  readonly note: string | null
  readonly minutes: UsualMinutes | null
}

/**
 * How long a payment usually takes where the operator says nothing. None for a bank's page, whose time depends on the
 * provider, and for BTCPay, whose text names both of its times.
 */
const usualMinutes: Readonly<Record<GatewayId, UsualMinutes | null>> = {
  offshore: null,
  coinbase: { from: 1, to: 5 },
  cryptomusgateway: { from: 2, to: 30 },
  btcpay: null,
}

/** The methods in the operator's order: those with a place by it, then the others as they were. */
export function methodsInOrder(
  descriptions: MethodDescriptions,
  ids: readonly GatewayId[],
): readonly GatewayId[] {
  const placeOf = (id: GatewayId) => descriptions[id]?.place ?? Number.POSITIVE_INFINITY
  return ids.toSorted((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)))
}

/** The words for a payment method in a language. */
export function methodWords(
  descriptions: MethodDescriptions,
  id: GatewayId,
  locale: LocaleCode,
): MethodWords {
  const own = descriptions[id]
  return {
    name: own ? localizedTextFor(own.name, locale) : null,
    note: own ? localizedTextFor(own.note, locale) : null,
    minutes: own?.minutes ?? usualMinutes[id],
  }
}

/**
 * How long a coin usually takes until a provider takes it as paid: its blocks times the confirmations that are customary. By
 * name, with the network in lower case, or by currency.
 */
const usualMinutesOfCoins: Readonly<Record<string, UsualMinutes>> = {
  BTC: { from: 10, to: 60 },
  "BTC/ln": { from: 0, to: 1 },
  BCH: { from: 10, to: 60 },
  LTC: { from: 5, to: 30 },
  DOGE: { from: 5, to: 20 },
  DASH: { from: 3, to: 15 },
  XMR: { from: 10, to: 40 },
  ETH: { from: 2, to: 10 },
  TRX: { from: 1, to: 3 },
  SOL: { from: 1, to: 2 },
  TON: { from: 1, to: 2 },
  "USDT/tron": { from: 1, to: 3 },
  "USDT/eth": { from: 2, to: 10 },
  "USDT/bsc": { from: 1, to: 3 },
  "USDT/sol": { from: 1, to: 2 },
  "USDT/ton": { from: 1, to: 2 },
  "USDT/polygon": { from: 1, to: 5 },
  "USDC/tron": { from: 1, to: 3 },
  "USDC/eth": { from: 2, to: 10 },
  "USDC/bsc": { from: 1, to: 3 },
  "USDC/sol": { from: 1, to: 2 },
  "USDC/polygon": { from: 1, to: 5 },
}

/** How long a payment by a coin usually takes; the method's own time for a coin that nobody has described. */
export function coinMinutes(
  descriptions: MethodDescriptions,
  id: GatewayId,
  coin: Coin,
): UsualMinutes | null {
  const own = descriptions[id]
  const name = coinName(coin)
  const usual = usualMinutesOfCoins[`${coin.currency}/${coin.network.toLowerCase()}`]
  return (
    own?.coins[name] ??
    own?.coins[coin.currency] ??
    usual ??
    usualMinutesOfCoins[coin.currency] ??
    own?.minutes ??
    usualMinutes[id]
  )
}

/** "10–60 min", in a language; a time below a minute counts as one. */
export function minutesText({ from, to }: UsualMinutes, iso: string): string {
  return rangeText(`${iso} ${Math.max(1, from)} ${to}`)
}

/** By language: one for the times of all coins. */
const minutesIn = cachedByKey(
  (iso) => new Intl.NumberFormat(iso, { style: "unit", unit: "minute", unitDisplay: "short" }),
)

/** By language and range: a page names the times of all coins. */
const rangeText = cachedByKey((key) => {
  const [iso = "", from = "", to = ""] = key.split(" ")
  const format = minutesIn(iso)
  const isRange = Number(from) < Number(to)
  const text = isRange ? format.formatRange(Number(from), Number(to)) : format.format(Number(to))
  // `Intl` writes a Portuguese range as a subtraction, "1 - 3 min". No space to break at, and a word joiner behind the dash: it stays on one line.
  return text.replace(/\s-\s/, "–").replace(/\s/g, "\u00a0").replace(/[-–]/, "$&\u2060")
})
