import type { Instant } from "~/domain/calendar"
import type { Credentials } from "~/domain/services/credentials"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { notSuspended } from "./service-state.server"
import { appendServiceEvent } from "./service-terms.server"
import { isOfActiveOrder } from "./services.server"

/** Marks an active or suspended service as cancelled: see `ServiceRepository.markTerminated`. */
export async function markTerminated(ctx: DbContext, id: string, at: Instant): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const ended = await tx.db
      .updateTable("services")
      .set({ status: "Cancelled", host: null, next_step: null, next_step_at: null, ...notSuspended })
      .where("id", "=", id)
      .where("status", "in", ["Active", "Suspended"])
      .returning("id")
      .executeTakeFirst()
    const detail = { owner: "panel", reason: "billing API" }
    if (ended) await appendServiceEvent(tx, id, { kind: "terminated", at, detail })
  })
}

/**
 * Resets a terminated service to pending under fresh credentials: see `ServiceRepository.reactivateService`. The active
 * order tells a terminated service from one that was never paid, which is cancelled too.
 */
export async function reactivateService(
  ctx: DbContext,
  id: string,
  { credentials, at }: { credentials: Credentials; at: Instant },
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db
      .updateTable("services")
      .set({ status: "Pending", ...credentials })
      .where("id", "=", id)
      .where("status", "=", "Cancelled")
      .where(isOfActiveOrder)
      .returning("order_id")
      .executeTakeFirst()
    if (!row) return false
    await requeueJob(tx, { topic: "provision", subject: id, at })
    await appendServiceEvent(tx, id, { kind: "recreated", at, detail: null })
    await appendTimelineEvents(tx, row.order_id, [{ kind: "recreated", at }])
    return true
  })
}
