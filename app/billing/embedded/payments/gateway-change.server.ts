import type { Instant } from "~/domain/calendar"
import { payableStatuses } from "~/domain/orders/order-status"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { unsettledStatuses } from "~/domain/payments/payment"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { appendTimelineEvents } from "../orders/timeline.server"

/** Changes the gateway of an order: see `PaymentRepository.changeGateway`. */
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

/** Marks an unsettled attempt as expired; one that has received money stays unchanged. */
export async function markAttemptClosed({ db }: DbContext, id: string): Promise<void> {
  await db
    .updateTable("payment_attempts")
    .set({ status: "expired", slot: null })
    .where("id", "=", id)
    .where("status", "in", unsettledStatuses)
    .where("received", "=", 0)
    .execute()
}

/** The order of an attempt's return URL: see `PaymentRepository.returnOf`. */
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

/** Redeems an attempt's return URL: see `PaymentRepository.redeemReturnToken`. */
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
