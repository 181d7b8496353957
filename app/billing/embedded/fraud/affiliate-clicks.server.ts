import type { Click } from "~/billing/fraud-and-affiliates"
import type { DbContext } from "../db/transaction.server"

/** Counts a click on an affiliate's link; the same visitor's second one of a day is not another: false. */
export async function recordClick({ db }: DbContext, { affiliateId, ...click }: Click): Promise<boolean> {
  const { numInsertedOrUpdatedRows: counted } = await db
    .insertInto("affiliate_clicks")
    .values({ affiliate_id: affiliateId, ...click })
    .onConflict((conflict) => conflict.columns(["affiliate_id", "visitor", "day"]).doNothing())
    .executeTakeFirst()
  return (counted ?? 0n) > 0n
}
