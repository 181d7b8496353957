import type { Instant } from "~/domain/calendar"
import type { Credentials } from "~/domain/credentials"
import { atOnce, type Books } from "../db/transaction.server"
import { tell } from "../orders/timeline.server"
import { promiseAgain } from "../outbox.server"
import { isOfActiveOrder } from "./services.server"

/** The line has been ended: see `ServiceBook`. */
export async function endService({ db }: Books, id: string): Promise<void> {
  await db
    .updateTable("services")
    .set({ status: "Cancelled", host: null })
    .where("id", "=", id)
    .where("status", "=", "Active")
    .execute()
}

/**
 * A service that has been ended is set up again under fresh credentials: see `ServiceBook`. Its order has been active
 * ever since; that of a service nobody paid for never was.
 */
export async function reviveService(
  books: Books,
  id: string,
  { credentials, at }: { credentials: Credentials; at: Instant },
): Promise<boolean> {
  return atOnce(books, async (inside) => {
    const row = await inside.db
      .updateTable("services")
      .set({ status: "Pending", ...credentials })
      .where("id", "=", id)
      .where("status", "=", "Cancelled")
      .where(isOfActiveOrder)
      .returning("order_id")
      .executeTakeFirst()
    if (!row) return false
    await promiseAgain(inside, { topic: "provision", subject: id, at })
    await tell(inside, row.order_id, [{ kind: "recreated", at }])
    return true
  })
}
