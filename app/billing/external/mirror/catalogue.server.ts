import { isDeepStrictEqual } from "node:util"
import type { Catalogue } from "~/billing/cached-catalogue.server"
import { products, writeProducts } from "~/billing/embedded/catalogue/catalogue.server"
import type { Product, ProductKind } from "~/domain/catalogue"
import type { MirrorContext } from "./context.server"

const MAX_NAME = 100

/**
 * Their price list. Each reading is copied into our books, so that pages can be served from it while they do not
 * answer, after a restart too; and so that a paid reseller plan is known to bring credits.
 */
export function mirrorCatalogue(mirror: MirrorContext): Pick<Catalogue, "plans" | "resellerPlans"> {
  return {
    plans: () => copied(mirror, "plan", () => mirror.externalBilling.plans()),
    resellerPlans: () => copied(mirror, "reseller", () => mirror.externalBilling.resellerPlans()),
  }
}

/** What was copied last: for showing while they do not answer. Orders are never priced from this. */
export function lastCatalogueSnapshot({
  ctx,
}: Pick<MirrorContext, "ctx">): Pick<Catalogue, "plans" | "resellerPlans"> {
  return { plans: () => products(ctx, "plan"), resellerPlans: () => products(ctx, "reseller") }
}

async function copied(
  { ctx }: MirrorContext,
  kind: ProductKind,
  read: () => Promise<readonly Product[]>,
): Promise<readonly Product[]> {
  const remote = (await read()).map(fitting)
  if (!isDeepStrictEqual(await products(ctx, kind), remote)) await writeProducts(ctx, kind, remote)
  return remote
}

/** What a page can show: an option that offers nothing is none, and no name is longer than our own may be. */
function fitting(product: Product): Product {
  const options = product.options.filter(({ choices }) => choices.length > 0).map(named)
  return named({ ...product, options, customFields: product.customFields.map(named) })
}

function named<T extends { readonly name: string }>(it: T): T {
  return { ...it, name: it.name.trim().slice(0, MAX_NAME) || "?" }
}
