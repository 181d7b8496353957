import type { GatewayStats } from "~/billing/console-overview"
import { DAY, type Day, type Instant } from "~/domain/calendar"
import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { unsettledStatuses } from "~/domain/payments/payment"
import type { DbContext } from "../db/transaction.server"

/** See `ConsoleOverview.gatewayStats`. */
export async function gatewayStats(ctx: DbContext, gateway: GatewayId, now: Instant): Promise<GatewayStats> {
  const [lastUpdateAt, open, refused] = await Promise.all([
    lastUpdateOf(ctx, gateway),
    openAt(ctx, gateway, now),
    refusedSince(ctx, gateway, new Date(now - 7 * DAY).toISOString().slice(0, 10)),
  ])
  return { lastUpdateAt, open, refused }
}

async function lastUpdateOf({ db }: DbContext, gateway: GatewayId): Promise<Instant | null> {
  const row = await db
    .selectFrom("gateway_events")
    .select((of) => of.fn.max("at").as("at"))
    .where("gateway", "=", gateway)
    .executeTakeFirst()
  return row?.at == null ? null : Number(row.at)
}

async function openAt({ db }: DbContext, gateway: GatewayId, now: Instant): Promise<number> {
  const { open } = await db
    .selectFrom("payment_attempts")
    .innerJoin("orders", "orders.id", "payment_attempts.order_id")
    .select((row) => row.fn.countAll<number>().as("open"))
    .where("payment_attempts.gateway", "=", gateway)
    .where("payment_attempts.status", "in", unsettledStatuses)
    .where("payment_attempts.url", "is not", null)
    .where("orders.deadline", ">", now - LATE_PAYMENT_GRACE)
    .executeTakeFirstOrThrow()
  return Number(open)
}

async function refusedSince(
  { db }: DbContext,
  gateway: GatewayId,
  day: Day,
): Promise<GatewayStats["refused"]> {
  const rows = await db
    .selectFrom("refused_callbacks")
    .select("reason")
    .select((row) => row.fn.sum<number>("count").as("count"))
    .where("gateway", "=", gateway)
    .where("day", ">=", day)
    .groupBy("reason")
    .orderBy("count", "desc")
    .orderBy("reason")
    .limit(10)
    .execute()
  return rows.map(({ reason, count }) => ({ reason, count: Number(count) }))
}
