import { z } from "zod"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { type BrandPart, brandParts } from "~/domain/shop/brand-fields"
import { type BrandContent, savedBrand } from "~/domain/shop/shop-sections"

/** What was typed of a part, with the rest as it was: checked, and not saved. */
export type BrandDraft = { readonly id: string; readonly part: BrandPart; readonly content: BrandContent }

const Kept = z.object({ part: z.enum(brandParts), content: z.unknown() })

/** Null for an unknown draft, or a former one. */
export async function draftOf(context: RouteContext, id: string): Promise<BrandDraft | null> {
  const { services } = consoleRequest(context)
  if (id === "") return null
  const kept = Kept.safeParse(await services.console.brand.versions.draft(id, services.now())).data
  return kept ? { id, part: kept.part, content: savedBrand(kept.content) } : null
}

/** A draft, and the shop with it. Throws 404 without one. */
export async function draftNamed(context: RouteContext, id: string) {
  const draft = await draftOf(context, id)
  if (!draft) throw new Response(null, { status: 404 })
  return { ...draft, shop: consoleRequest(context).services.console.brand.shopWith(draft.content) }
}
