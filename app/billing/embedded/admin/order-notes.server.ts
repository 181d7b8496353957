import type { NewOrderNote, NewOrderTag, OrderNote } from "~/billing/orders/order-admin"
import type { DbContext } from "../db/transaction.server"

/** Internal notes of an order, oldest first. */
export async function notesOf({ db }: DbContext, orderId: string): Promise<readonly OrderNote[]> {
  return db
    .selectFrom("order_notes")
    .select(["id", "text", "operator", "at"])
    .where("order_id", "=", orderId)
    .orderBy("at")
    .orderBy("id")
    .execute()
}

/** Tags of an order, in alphabetical order. */
export async function tagsOf({ db }: DbContext, orderId: string): Promise<readonly string[]> {
  const rows = await db.selectFrom("order_tags").select("tag").where("order_id", "=", orderId).execute()
  return rows.map(({ tag }) => tag).toSorted()
}

export async function addOrderNote(ctx: DbContext, orderId: string, note: NewOrderNote): Promise<boolean> {
  if (!(await exists(ctx, orderId))) return false
  await ctx.db
    .insertInto("order_notes")
    .values({ id: ctx.newId(), order_id: orderId, ...note })
    .execute()
  return true
}

export async function addOrderTag(ctx: DbContext, orderId: string, tag: NewOrderTag): Promise<boolean> {
  const order = await ctx.db
    .selectFrom("orders")
    .select("placed_at")
    .where("id", "=", orderId)
    .executeTakeFirst()
  if (!order) return false
  await ctx.db
    .insertInto("order_tags")
    .values({ order_id: orderId, ...tag, placed_at: order.placed_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

export async function removeOrderTag({ db }: DbContext, orderId: string, tag: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("order_tags")
    .where("order_id", "=", orderId)
    .where("tag", "=", tag)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

async function exists({ db }: DbContext, orderId: string): Promise<boolean> {
  return (
    (await db.selectFrom("orders").select("id").where("id", "=", orderId).executeTakeFirst()) !== undefined
  )
}
