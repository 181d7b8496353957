import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { OrderStatus } from "~/domain/order-status"
import type { Service } from "~/domain/service"
import type { TimelineEvent } from "~/domain/timeline"
import type { DbContext } from "../db/transaction.server"
import { order } from "../orders/orders.server"
import { timeline } from "../orders/timeline.server"
import { accountCreditOf } from "../payments/customer-credit.server"
import { type LedgerEntry, ledgerEntriesOf } from "../payments/ledger.server"
import { type UnappliedReportListed, unappliedOf } from "../payments/unapplied-reports.server"
import { service } from "../services/services.server"

export type OrderFilter = { readonly limit: number; readonly status?: OrderStatus | undefined }

export type OrderListItem = {
  readonly id: string
  readonly status: OrderStatus
  readonly email: string
  readonly total: Money
  readonly received: Money
  readonly placedAt: Instant
}

export type OrderDetails = {
  readonly order: Order
  readonly email: string
  /** IP address the order was placed from; null if unknown. */
  readonly address: string | null
  /** Affiliate whose link the buyer followed; null if none. */
  readonly affiliateId: string | null
  readonly service: Service | null
  readonly movements: readonly LedgerEntry[]
  /** Signed payment updates that could not be applied. */
  readonly unapplied: readonly UnappliedReportListed[]
  /** The customer's account credit from all orders, one amount per currency. */
  readonly accountCredit: readonly Money[]
  readonly timeline: readonly TimelineEvent[]
}

export async function listOrders(
  { db }: DbContext,
  { limit, status }: OrderFilter,
): Promise<readonly OrderListItem[]> {
  const orders = db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .select(["orders.id", "orders.status", "orders.placed_at", "clients.email"])
    .select(["invoices.total", "invoices.received", "invoices.currency"])
    .orderBy("orders.placed_at", "desc")
    .limit(limit)
  const rows = await (status ? orders.where("orders.status", "=", status) : orders).execute()
  return rows.map(({ id, email, total, received, currency, placed_at, ...row }) => ({
    id,
    email,
    status: row.status,
    placedAt: placed_at,
    total: money(total, currency),
    received: money(received, currency),
  }))
}

export async function showOrder(ctx: DbContext, id: string): Promise<OrderDetails | null> {
  const found = await order(ctx, id)
  if (!found) return null
  return {
    order: found,
    ...(await buyerOf(ctx, id)),
    service: await service(ctx, found.serviceId),
    movements: await ledgerEntriesOf(ctx, id),
    unapplied: await unappliedOf(ctx, id),
    accountCredit: await accountCreditOf(ctx, found.customerId),
    timeline: await timeline(ctx, id),
  }
}

function buyerOf({ db }: DbContext, orderId: string) {
  return db
    .selectFrom("orders")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .select(["clients.email", "orders.address", "orders.affiliate_id as affiliateId"])
    .where("orders.id", "=", orderId)
    .executeTakeFirstOrThrow()
}
