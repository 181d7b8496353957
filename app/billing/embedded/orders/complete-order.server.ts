import type { DbContext } from "../db/transaction.server"

/** Completes a paid order that needs nothing more, in the current transaction. False: it was not paid, or is complete. */
export async function completeOrder({ db }: DbContext, orderId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set({ status: "active" })
    .where("id", "=", orderId)
    .where("status", "=", "paid")
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
