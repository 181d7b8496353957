import { normalizeCode } from "~/billing/embedded/catalogue/normalize-code"
import { promotion, promotionRow } from "~/billing/embedded/catalogue/promotions.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import type { ExternalPromotion } from "~/billing/external/external-billing"
import type { Promotion } from "~/domain/promotion"
import type { MirrorContext } from "./context.server"

/**
 * A code as they know it, with what is left of it for us. Orders here reserve their use in our books, so that of two
 * buyers one gets the last, and give it back when they come to nothing. Null: they do not know it.
 */
export async function mirrorPromotion(
  { ctx, externalBilling }: MirrorContext,
  code: string,
): Promise<Promotion | null> {
  // Counted before they are asked: what is made meanwhile seems to be others', and never the other way round.
  const counted = await externalUses(ctx, normalizeCode(code))
  const remote = await externalBilling.promotion(code)
  if (!remote) return null
  await copy(ctx, remote, remote.releasesUses ? counted.made : counted.made + counted.closed)
  return promotion(ctx, remote.code)
}

/** Their count has our orders in it. What others have used is the rest, and what that leaves is ours to use. */
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

/** Orders of ours that they have counted: those that stand there, and those that have come to nothing since. */
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
