import type { DbContext } from "../db/transaction.server"

/** A write without a change locks the row on PostgreSQL; on SQLite the transaction is the only one anyway. */
export async function lockCustomer({ db }: DbContext, id: string): Promise<void> {
  await db
    .updateTable("clients")
    .set((row) => ({ email_key: row.ref("email_key") }))
    .where("id", "=", id)
    .execute()
}
