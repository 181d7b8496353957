import { LRUCache } from "lru-cache"
import { CodeRejectedError } from "~/billing/billing"
import type { ExternalBilling } from "~/billing/external/external-billing"
import { MINUTE } from "~/domain/calendar"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import type { Currency } from "~/domain/money/money"
import { isRejection, nullOnRejection, type RemoteCall, sentenceIn, sentenceOf } from "./api-client.server"
import { productOf, type RemoteProduct } from "./product-schema"
import { promotionOf } from "./promotion-schema"
import { calls } from "./remote-calls"

export type CatalogueSettings = {
  /** Currency of a fixed discount for which the server reports none. */
  readonly currency: Currency
  /** Credits by reseller plan id, for plans whose credits the server does not report. */
  readonly resellerCredits: ReadonlyMap<string, number>
}

/** Cache of products and custom fields for order requests; `ttl` in milliseconds. */
const REMEMBERED = { max: 1_000, ttl: 5 * MINUTE }

type Field = { readonly id: string; readonly name: string }

export type RemoteCatalogue = {
  readonly plans: () => Promise<readonly RemoteProduct[]>
  readonly resellerPlans: () => Promise<readonly RemoteProduct[]>
  /** Null: no product has this id. */
  readonly product: (pid: string) => Promise<RemoteProduct | null>
  /** Ids of the custom fields for a line's credentials (billing API: getProductCustomFields); null: no such field. */
  readonly fields: (pid: string) => Promise<{ username: string | null; password: string | null }>
  /** The list that contains a product, by id or without one by name; null: neither list does. */
  readonly kindOf: (it: { pid: string | null; name: string }) => Promise<Known | null>
}

type Known = { readonly productId: string; readonly kind: ProductKind }

/** The server's catalogue. `plans` and `resellerPlans` always fetch; the other lookups use a cache. */
export function remoteCatalogue(remoteCall: RemoteCall): RemoteCatalogue {
  const lists = new LRUCache<ProductKind, readonly RemoteProduct[]>({
    ...REMEMBERED,
    // Lookups for many services at once wait for one call, also if `read` stores the list meanwhile.
    fetchMethod: listed,
    ignoreFetchAbort: true,
  })
  const fields = new LRUCache<string, readonly Field[]>(REMEMBERED)

  function listed(kind: ProductKind): Promise<readonly RemoteProduct[]> {
    return remoteCall(kind === "plan" ? calls.getProducts : calls.getResellersProducts, {})
  }

  async function read(kind: ProductKind): Promise<readonly RemoteProduct[]> {
    const list = await listed(kind)
    lists.set(kind, list)
    return list
  }

  const known = async (kind: ProductKind) => (await nullOnRejection(lists.fetch(kind))) ?? []

  return {
    plans: () => read("plan"),
    resellerPlans: () => read("reseller"),

    async product(pid) {
      const listed = [...(lists.get("plan") ?? []), ...(lists.get("reseller") ?? [])]
      const found = listed.find((it) => it.pid === pid)
      return found ?? nullOnRejection(remoteCall(calls.getProduct, { pid }))
    },

    async fields(pid) {
      const known = fields.get(pid) ?? (await remoteCall(calls.getProductCustomFields, { id: pid }))
      fields.set(pid, known)
      const named = (name: RegExp) => known.find((it) => name.test(it.name))?.id ?? null
      return { username: named(/user/i), password: named(/pass/i) }
    },

    async kindOf({ pid, name }) {
      for (const kind of ["reseller", "plan"] as const) {
        const product = (await known(kind)).find((it) => (pid === null ? it.name === name : it.pid === pid))
        if (product) return { productId: product.pid, kind }
      }
      return null
    },
  }
}

/** Catalogue and promotions, mapped to domain types. */
export function priceList(
  remoteCall: RemoteCall,
  catalogue: RemoteCatalogue,
  { currency, resellerCredits }: CatalogueSettings,
): Pick<ExternalBilling, "plans" | "resellerPlans" | "promotion"> {
  /** The promotions of a code, and what the server says of one that it rejects. */
  async function promotionsFor(code: string) {
    try {
      const { promotions, message } = await remoteCall(calls.getPromotion, { code })
      return { promotions, sentence: sentenceOf(message) }
    } catch (error) {
      if (!isRejection(error)) throw error
      return { promotions: [], sentence: sentenceIn(error) }
    }
  }

  return {
    plans: async () => (await catalogue.plans()).map((product) => productOf(product, "plan", undefined)),
    resellerPlans: async () =>
      (await catalogue.resellerPlans()).map((product) =>
        productOf(product, "reseller", product.credits ?? resellerCredits.get(product.pid)),
      ),
    async promotion(code) {
      const { promotions, sentence } = await promotionsFor(code)
      const [only, ...others] = promotions
      if (!only && sentence) throw new CodeRejectedError(sentence)
      return only && others.length === 0 ? promotionOf(only, currency) : null
    },
  }
}
