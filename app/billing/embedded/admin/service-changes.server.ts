import { BillingError } from "~/billing/billing"
import type { Termination } from "~/billing/orders/order-admin"
import type {
  ConnectionsChange,
  GivenDays,
  NewSuspension,
  Resumption,
} from "~/billing/services/service-admin"
import type { Instant } from "~/domain/calendar"
import type { ServiceEvent } from "~/domain/services/service-event"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { giveDays } from "../services/given-days.server"
import { resume, suspend, terminate } from "../services/service-state.server"
import { appendServiceEvent } from "../services/service-terms.server"

export function suspendService(ctx: DbContext, id: string, suspension: NewSuspension): Promise<boolean> {
  return inTransaction(ctx, (tx) => suspend(tx, id, suspension))
}

export function resumeService(ctx: DbContext, id: string, resumption: Resumption): Promise<boolean> {
  return inTransaction(ctx, (tx) => resume(tx, id, resumption))
}

export function terminateService(ctx: DbContext, id: string, termination: Termination): Promise<boolean> {
  return inTransaction(ctx, (tx) => terminate(tx, id, termination))
}

export function extendService(ctx: DbContext, id: string, given: GivenDays): Promise<Instant | null> {
  return inTransaction(ctx, (tx) => giveDays(tx, id, given))
}

/** See `ServiceAdmin.setConnections`. The job of the order that created the service tells the panel the number. */
export async function setConnections(
  ctx: DbContext,
  id: string,
  { connections, connectionsBefore, reason, at }: ConnectionsChange,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    if (connectionsBefore !== undefined) await checkConnections(tx, id, connectionsBefore)
    const changed = await tx.db
      .updateTable("services")
      .set({ connections })
      .where("id", "=", id)
      .where("status", "in", ["Active", "Suspended"])
      .where("connections", "!=", connections)
      .returning("order_id")
      .executeTakeFirst()
    if (!changed) return false
    await requeueJob(tx, { topic: "connections", subject: changed.order_id, at })
    await appendServiceEvent(tx, id, { kind: "connections", at, detail: { connections, reason } })
    return true
  })
}

/** Locks the row: of two changes at once the second reads the first. */
async function checkConnections({ db }: DbContext, id: string, before: number): Promise<void> {
  const present = await db
    .updateTable("services")
    .set((row) => ({ connections: row.ref("connections") }))
    .where("id", "=", id)
    .returning("connections")
    .executeTakeFirst()
  if (present && present.connections !== before)
    throw new BillingError("refused", "The service has got another number of connections.")
}

/** See `ServiceAdmin.recordServiceEvent`. */
export function recordServiceEvent(ctx: DbContext, id: string, event: ServiceEvent): Promise<void> {
  return inTransaction(ctx, (tx) => appendServiceEvent(tx, id, event))
}
