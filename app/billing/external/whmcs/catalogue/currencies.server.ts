import { LRUCache } from "lru-cache"
import { z } from "zod"
import { HOUR } from "~/domain/calendar"
import { type Currency, isCurrency } from "~/domain/money/money"
import type { WhmcsApi } from "../client/api.server"
import { Flag, Id, listResponse, Text } from "../client/response-schema"
import { ClientResponse, type WhmcsClient } from "../customers/client-schema"

const CurrencyShape = z.object({
  id: Id,
  code: Text.transform((code) => code.toUpperCase()),
  rate: Text,
  default: Flag,
})
export type WhmcsCurrency = z.output<typeof CurrencyShape>
const CurrenciesResponse = listResponse("currencies", "currency", CurrencyShape)

export type Currencies = {
  list(): Promise<readonly WhmcsCurrency[]>
  /**
   * Currency code of a client, also of one that the checkout does not support; null if WHMCS does not report it. Cached
   * for an hour: it cannot change after an order.
   */
  currencyCodeOf(clientId: string): Promise<string | null>
  /** Currency code in a client's details; null if WHMCS does not report it. */
  codeIn(client: WhmcsClient): Promise<string | null>
  /** A client's currency as `currencyCodeOf`; null if the checkout does not support it. */
  of(clientId: string): Promise<Currency | null>
}

export function currenciesAt(api: WhmcsApi): Currencies {
  const list = () => api.read("GetCurrencies", {}, CurrenciesResponse)
  async function codeIn({ currency, currency_code }: WhmcsClient) {
    if (currency_code !== "") return currency_code.toUpperCase()
    return (await list()).find(({ id }) => id === currency)?.code ?? null
  }
  const byClient = new LRUCache<string, { code: string | null }>({
    max: 1_000,
    ttl: HOUR,
    fetchMethod: async (clientid) => ({
      code: await codeIn(await api.read("GetClientsDetails", { clientid }, ClientResponse)),
    }),
  })
  const currencyCodeOf = async (clientId: string) => (await byClient.fetch(clientId))?.code ?? null
  return {
    list,
    codeIn,
    currencyCodeOf,
    async of(clientId) {
      const code = await currencyCodeOf(clientId)
      return code !== null && isCurrency(code) ? code : null
    },
  }
}

/**
 * The installation's default currency, in which WHMCS states amounts without a currency, such as fixed discounts.
 * Without a `default` flag it is the currency with rate 1 and the lowest id, as rates are relative to the default.
 * Null if unknown or not supported by the checkout.
 */
export function defaultCurrency(list: readonly WhmcsCurrency[]): Currency | null {
  const flagged = list.find((it) => it.default)
  const rated = list.filter(({ rate }) => Number(rate) === 1).toSorted((a, b) => Number(a.id) - Number(b.id))
  const code = (flagged ?? rated[0] ?? (list.length === 1 ? list[0] : undefined))?.code ?? ""
  return isCurrency(code) ? code : null
}
