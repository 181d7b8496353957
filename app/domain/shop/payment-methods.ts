import type { GatewayId } from "../gateway-id"
import type { LocaleCode } from "../locales"
import { type LocalizedText, localizedTextFor } from "./brand"

/** Usual time of a payment in whole minutes, as a range; `to` ≥ `from`. */
export type UsualMinutes = { readonly from: number; readonly to: number }

/** The operator's words for a payment method. What is missing is the shop's own text. */
export type MethodDescription = {
  readonly name: LocalizedText
  readonly note: LocalizedText
  readonly minutes: UsualMinutes | null
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
