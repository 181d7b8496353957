import type { Click } from "~/billing/fraud-and-affiliates"
import type { DbContext } from "../db/transaction.server"

/** Records a click on an affiliate link, once per visitor and day. Returns false for a repeated click. */
export async function recordClick({ db }: DbContext, { affiliateId, ...click }: Click): Promise<boolean> {
  const { numInsertedOrUpdatedRows: counted } = await db
    .insertInto("affiliate_clicks")
    .values({ affiliate_id: affiliateId, ...click })
    .onConflict((conflict) => conflict.columns(["affiliate_id", "visitor", "day"]).doNothing())
    .executeTakeFirst()
  return (counted ?? 0n) > 0n
}
