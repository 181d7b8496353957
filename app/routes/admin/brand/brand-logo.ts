import type { Route } from "./+types/brand-logo"
import { draftNamed } from "./brand-draft.server"

/** The picture of a draft, for its preview. The page's policy allows it no script and no style. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { shop } = await draftNamed(context, params.draft)
  if (!shop.logo) throw new Response(null, { status: 404 })
  return new Response(new Uint8Array(shop.logo.bytes), { headers: { "content-type": shop.logo.type } })
}
