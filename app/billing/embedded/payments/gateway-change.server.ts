import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { payableStatuses } from "~/domain/order-status"
import { unsettledStatuses } from "~/domain/payment"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { appendTimelineEvents } from "../orders/timeline.server"

/** The buyer wants to pay by another gateway: see `Till.changeGateway`. */
export async function changeGateway(
  ctx: DbContext,
  orderId: string,
  { gateway, at }: { gateway: GatewayId; at: Instant },
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable("orders")
      .set({ gateway })
      .where("id", "=", orderId)
      .where("gateway", "!=", gateway)
      .where("status", "in", payableStatuses)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await appendTimelineEvents(tx, orderId, [{ kind: "gateway-changed", at, reference: gateway }])
    return true
  })
}

/** The provider takes no money for an attempt any more; one that has brought some stays as it is. */
export async function markAttemptClosed({ db }: DbContext, id: string): Promise<void> {
  await db
    .updateTable("payment_attempts")
    .set({ status: "expired", slot: null })
    .where("id", "=", id)
    .where("status", "in", unsettledStatuses)
    .where("received", "=", 0)
    .execute()
}

/** Where an attempt's own address leads: see `Till.returnOf`. */
export async function returnOf(
  { db }: DbContext,
  id: string,
): Promise<{ orderId: string; used: boolean } | null> {
  const row = await db
    .selectFrom("payment_attempts")
    .select(["order_id", "resumed_at"])
    .where("id", "=", id)
    .executeTakeFirst()
  return row ? { orderId: row.order_id, used: row.resumed_at !== null } : null
}

/** The buyer has come back by an attempt's own address: see `Till.redeemReturn`. */
export async function redeemReturnToken(
  ctx: DbContext,
  id: string,
  at: Instant,
): Promise<{ orderId: string; first: boolean } | null> {
  const row = await ctx.db
    .updateTable("payment_attempts")
    .set({ resumed_at: at })
    .where("id", "=", id)
    .where("resumed_at", "is", null)
    .returning("order_id")
    .executeTakeFirst()
  if (row) return { orderId: row.order_id, first: true }
  const known = await returnOf(ctx, id)
  return known && { orderId: known.orderId, first: false }
}
