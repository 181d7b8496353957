import { normalizeCode } from "~/billing/embedded/catalogue/normalize-code"
import { promotion, promotionRow } from "~/billing/embedded/catalogue/promotions.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import type { ExternalPromotion } from "~/billing/external/external-billing"
import type { Promotion } from "~/domain/promotion"
import type { MirrorContext } from "./context.server"

/**
 * An external promotion with the uses left for local orders. A local order reserves its use in the local database, so
 * that only one of two buyers gets the last one, and releases it when it is cancelled. Null: unknown code.
 */
export async function mirrorPromotion(
  { ctx, externalBilling }: MirrorContext,
  code: string,
): Promise<Promotion | null> {
  // Counted before the call: an order created in between counts as a use by others, which cannot exceed the limit.
  const counted = await externalUses(ctx, normalizeCode(code))
  const remote = await externalBilling.promotion(code)
  if (!remote) return null
  await copy(ctx, remote, remote.releasesUses ? counted.made : counted.made + counted.closed)
  return promotion(ctx, remote.code)
}

/** The external count includes local orders. The rest is used by others and is subtracted from the local limit. */
async function copy({ db }: DbContext, remote: ExternalPromotion, counted: number): Promise<void> {
  const { maxUses, uses, releasesUses: _, ...listed } = remote
  const byOthers = Math.max(0, uses - counted)
  const { uses: _none, ...row } = promotionRow(
    { ...listed, maxUses: maxUses === null ? null : Math.max(0, maxUses - byOthers) },
    0,
  )
  await db
    .insertInto("promotions")
    .values({ ...row, uses: 0 })
    .onConflict((conflict) => conflict.column("code_key").doUpdateSet(row))
    .execute()
}

/** Local orders in the external count: those that exist externally, and those closed since. */
async function externalUses({ db }: DbContext, key: string): Promise<{ made: number; closed: number }> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("external_orders", "external_orders.order_id", "orders.id")
    .select("external_orders.state")
    .where("orders.promo_key", "=", key)
    .execute()
  const countOf = (state: string) => rows.filter((row) => row.state === state).length
  return { made: countOf("made"), closed: countOf("closed") }
}
