import { LRUCache } from "lru-cache"
import { BillingError } from "~/billing/billing"
import { MINUTE } from "~/domain/calendar"
import type { Product, ProductKind } from "~/domain/catalogue/catalogue"
import type { WhmcsApi } from "../client/api.server"
import { listResponse } from "../client/response-schema"
import type { PlanSource, WhmcsSettings } from "../settings"
import { productOf } from "./product-mapping"
import { ProductShape, type WhmcsProduct } from "./product-schema"

const ProductsResponse = listResponse("products", "product", ProductShape)

export type ProductCatalogue = {
  /** The configured products of a kind, in their configured order, not cached. */
  listed(kind: ProductKind): Promise<readonly WhmcsProduct[]>
  plans(kind: ProductKind): Promise<readonly Product[]>
  /** Any product, also one that is not on sale here; cached for a minute. Null if not found. */
  product(id: string): Promise<WhmcsProduct | null>
  /** As `product`, but throws `BillingError` "refused" if not found. */
  ordered(id: string): Promise<WhmcsProduct>
  kindOf(id: string): Promise<ProductKind>
}

export function productCatalogue(
  api: WhmcsApi,
  { plans, resellerPlans, resellerCredits }: WhmcsSettings,
): ProductCatalogue {
  const wanted: Record<ProductKind, PlanSource | undefined> = { plan: plans, reseller: resellerPlans }
  const fresh = { max: 200, ttl: MINUTE }
  const byId = new LRUCache<string, { product: WhmcsProduct | null }>({
    ...fresh,
    fetchMethod: async (pid) => {
      const products = await api.read("GetProducts", { pid }, ProductsResponse)
      return { product: products.find((it) => it.pid === pid) ?? null }
    },
  })
  const resellers = new LRUCache<string, { ids: readonly string[] }>({
    ...fresh,
    fetchMethod: async () => ({ ids: (await listed("reseller")).map(({ pid }) => pid) }),
  })

  async function listed(kind: ProductKind): Promise<readonly WhmcsProduct[]> {
    const which = wanted[kind]
    if (!which) return []
    const params = "group" in which ? { gid: which.group } : { pid: which.ids.join(",") }
    const products = await api.read("GetProducts", params, ProductsResponse)
    return chosen(products, which)
  }

  /** Needs no call if the operator has configured product ids instead of a group. */
  async function resellerIds(): Promise<readonly string[]> {
    if (!resellerPlans) return []
    if ("ids" in resellerPlans) return resellerPlans.ids
    return (await resellers.fetch("ids"))?.ids ?? []
  }

  const product = async (id: string) => (await byId.fetch(id))?.product ?? null
  return {
    listed,
    product,
    async plans(kind) {
      const products = await listed(kind)
      return products.map((it) => productOf(it, { kind, resellerCredits }))
    },
    async ordered(id) {
      const found = await product(id)
      if (found) return found
      throw new BillingError("refused", `Product not found in WHMCS: ${id}`)
    },
    kindOf: async (id) => ((await resellerIds()).includes(id) ? "reseller" : "plan"),
  }
}

/**
 * Keeps the requested products only. GetProducts also returns hidden ones, without a flag:
 * https://github.com/WHMCS/developer-docs/issues/121
 */
function chosen(products: readonly WhmcsProduct[], which: PlanSource): readonly WhmcsProduct[] {
  if ("group" in which) return products.filter(({ gid }) => gid === null || gid === which.group)
  return which.ids.flatMap((id) => products.filter(({ pid }) => pid === id))
}
