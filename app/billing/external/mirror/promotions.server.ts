import type { ExternalPromotion } from "~/billing/external/external-billing"
import type { Promotion } from "~/domain/catalogue/promotion"
import type { MirrorContext } from "./context.server"
import type { MirroredPromotion } from "./mirror-store"

/**
 * An external promotion with the uses left for local orders. A local order reserves its use in the local database, so
 * that only one of two buyers gets the last one, and releases it when it is cancelled. Null: unknown code.
 */
export async function mirrorPromotion(
  { store, local, externalBilling }: MirrorContext,
  code: string,
): Promise<Promotion | null> {
  // Counted before the call: an order created in between counts as a use by others, which cannot exceed the limit.
  const counted = await store.externalOrdersWithCode(code)
  const remote = await externalBilling.promotion(code)
  if (!remote) return null
  const own = remote.releasesUses ? counted.made : counted.made + counted.closed
  await store.savePromotion(withUsesLeft(remote, own))
  return local.billing.promotion(remote.code)
}

/** The external count includes `own` orders of this shop. The rest is used by others and is subtracted from the limit. */
function withUsesLeft(remote: ExternalPromotion, own: number): MirroredPromotion {
  const { maxUses, uses, releasesUses: _, ...promotion } = remote
  const byOthers = Math.max(0, uses - own)
  return { ...promotion, maxUses: maxUses === null ? null : Math.max(0, maxUses - byOthers) }
}
