import type { Instant } from "~/domain/calendar"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { appendTimelineEventUnless } from "./timeline.server"

/** Records a withdrawal once: see `Withdrawals.recordWithdrawal`. */
export async function recordWithdrawal(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
  const event = { kind: "withdrawn", at } as const
  await inTransaction(ctx, (tx) => appendTimelineEventUnless(tx, orderId, { event, unless: ["withdrawn"] }))
}
