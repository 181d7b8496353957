import { isDeepStrictEqual } from "node:util"
import type { Catalogue } from "~/billing/catalogue/catalogue"
import type { Product, ProductKind } from "~/domain/catalogue/catalogue"
import type { MirrorContext } from "./context.server"

const MAX_NAME = 100

/**
 * The external catalogue. Every response is stored locally, so that pages can show it during an outage, also after a
 * restart. The local copy also defines the credits of a paid reseller plan.
 */
export function mirrorCatalogue(mirror: MirrorContext): Pick<Catalogue, "plans" | "resellerPlans"> {
  return {
    plans: () => copied(mirror, "plan", () => mirror.externalBilling.plans()),
    resellerPlans: () => copied(mirror, "reseller", () => mirror.externalBilling.resellerPlans()),
  }
}

/** The catalogue as last stored, for display during an outage. Orders are never priced from it. */
export function lastCatalogueSnapshot({
  store,
}: Pick<MirrorContext, "store">): Pick<Catalogue, "plans" | "resellerPlans"> {
  return { plans: () => store.products("plan"), resellerPlans: () => store.products("reseller") }
}

async function copied(
  { store }: MirrorContext,
  kind: ProductKind,
  read: () => Promise<readonly Product[]>,
): Promise<readonly Product[]> {
  const remote = distinct(await read()).map(fitting)
  if (!isDeepStrictEqual(await store.products(kind), remote)) await store.replaceProducts(kind, remote)
  return remote
}

/** A product that is listed twice, as one that is in two groups, is the first of them. */
function distinct(products: readonly Product[]): readonly Product[] {
  const ids = new Set<string>()
  return products.filter(({ id }) => ids.size < ids.add(id).size)
}

/** Normalizes a product for display: removes options without choices, and limits names to `MAX_NAME` characters. */
function fitting(product: Product): Product {
  const options = product.options.filter(({ choices }) => choices.length > 0).map(named)
  return named({ ...product, options, customFields: product.customFields.map(named) })
}

function named<T extends { readonly name: string }>(it: T): T {
  return { ...it, name: it.name.trim().slice(0, MAX_NAME) || "?" }
}
