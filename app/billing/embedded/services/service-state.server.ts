import type { ExpressionBuilder } from "kysely"
import type { Termination } from "~/billing/orders/order-admin"
import type { NewSuspension, Resumption } from "~/billing/services/service-admin"
import { paidStatuses } from "~/domain/orders/order-status"
import type { Tables } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { completeOrder } from "../orders/complete-order.server"
import { storeNextStep } from "./next-step.server"
import { appendServiceEvent } from "./service-terms.server"

/** Columns of a service that is not suspended. */
export const notSuspended = { suspended_at: null, suspension_owner: null, suspension_reason: null } as const

/**
 * Suspends an active service and enqueues the call that tells the panel, in the current transaction. A service that is
 * suspended for non-payment gets the new owner, so that a payment does not lift what the operator has decided. False if
 * nothing has changed.
 */
export async function suspend(
  tx: DbContext,
  id: string,
  { owner, reason, at }: NewSuspension,
): Promise<boolean> {
  const suspended = await tx.db
    .updateTable("services")
    .set({ status: "Suspended", suspended_at: at, suspension_owner: owner, suspension_reason: reason })
    .where("id", "=", id)
    .where((row) =>
      owner === "non-payment"
        ? row("status", "=", "Active")
        : row.or([row("status", "=", "Active"), row("suspension_owner", "=", "non-payment")]),
    )
    .returning("id")
    .executeTakeFirst()
  if (!suspended) return false
  await requeueJob(tx, { topic: "suspend", subject: id, at })
  const detail: Record<string, string> = { owner, ...(reason !== null && { reason }) }
  await appendServiceEvent(tx, id, { kind: "suspended", at, detail })
  await storeNextStep(tx, id, at)
  return true
}

/**
 * Ends a suspension and enqueues the call that tells the panel, in the current transaction. False if nothing has changed.
 */
export async function resume(
  tx: DbContext,
  id: string,
  { owners, reason, at }: Resumption,
): Promise<boolean> {
  const resumed = await tx.db
    .updateTable("services")
    .set({ status: "Active", ...notSuspended })
    .where("id", "=", id)
    .where("status", "=", "Suspended")
    .where("suspension_owner", "in", owners)
    .returning("id")
    .executeTakeFirst()
  if (!resumed) return false
  await requeueJob(tx, { topic: "resume", subject: id, at })
  await appendServiceEvent(tx, id, { kind: "resumed", at, detail: reason === null ? null : { reason } })
  await storeNextStep(tx, id, at)
  return true
}

/**
 * Ends an active or suspended service and enqueues the call that tells the panel, in the current transaction; and one that is paid
 * and still being set up, which is not set up any more: its order needs nothing more. False if nothing has changed.
 */
export async function terminate(
  tx: DbContext,
  id: string,
  { owner, reason, at }: Termination,
): Promise<boolean> {
  const ended = await tx.db
    .updateTable("services")
    .set({ status: "Terminated", host: null, next_step: null, next_step_at: null, ...notSuspended })
    .where("id", "=", id)
    .where((row) =>
      row.or([
        row("status", "in", ["Active", "Suspended"]),
        // An external billing sets its services up itself.
        ...(tx.terms ? [row.and([row("status", "=", "Pending"), isOfPaidOrder(row)])] : []),
      ]),
    )
    .returning("order_id")
    .executeTakeFirst()
  if (!ended) return false
  await completeOrder(tx, ended.order_id)
  await requeueJob(tx, { topic: "terminate", subject: id, at })
  const detail: Record<string, string> = { owner, ...(reason !== null && { reason }) }
  await appendServiceEvent(tx, id, { kind: "terminated", at, detail })
  return true
}

function isOfPaidOrder({ exists, selectFrom }: ExpressionBuilder<Tables, "services">) {
  return exists(
    selectFrom("orders")
      .select("orders.id")
      .whereRef("orders.id", "=", "services.order_id")
      .where("orders.status", "in", paidStatuses),
  )
}
