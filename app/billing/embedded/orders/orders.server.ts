import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { AccessScope } from "~/domain/customer"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { statusesBefore } from "~/domain/order-status"
import type { QuoteLine } from "~/domain/pricing"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { LineRow, OrderRow } from "../db/schema/order-rows"
import type { InvoiceRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"

/** An order by its id; null if it does not exist. */
export async function order(ctx: DbContext, id: string): Promise<Order | null> {
  const [row] = await rowOfOrder(ctx, id)
  return row ? orderOf(row, await linesOf(ctx, id)) : null
}

/** The order created with an idempotency key; null if there is none. */
export async function orderByIdempotencyKey(ctx: DbContext, key: string): Promise<Order | null> {
  const row = await orderWithBill(ctx).where("one_time_key", "=", key).executeTakeFirst()
  return row ? orderOf(row, await linesOf(ctx, row.id)) : null
}

/** The order of an invoice; null if the invoice does not exist. */
export async function orderByInvoice(ctx: DbContext, invoiceId: string): Promise<Order | null> {
  const row = await orderWithBill(ctx).where("invoices.id", "=", invoiceId).executeTakeFirst()
  return row ? orderOf(row, await linesOf(ctx, row.id)) : null
}

/** Replaces the idempotency key of an abandoned order, so that the key can create another order. */
export async function releaseIdempotencyKey({ db, newId }: DbContext, id: string): Promise<void> {
  await db.updateTable("orders").set({ one_time_key: newId() }).where("id", "=", id).execute()
}

/** Literals, because the condition of the partial index has literals: parameters would not match it. */
const overdue = statusesBefore("deadlinePassed").map((status) => sql.lit(status))

/** Ids of payable orders whose deadline has passed, earliest deadline first. */
export async function overdueOrders(
  { db }: DbContext,
  now: Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("status", "in", overdue)
    .where("deadline", "<=", now)
    .orderBy("deadline")
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

const rowOfOrder = precompiledQuery((ctx, id) => orderWithBill(ctx).where("orders.id", "=", id))

function orderWithBill({ db }: Pick<DbContext, "db">) {
  return db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .innerJoin("services", "services.id", "orders.service_id")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .selectAll("orders")
    .select(["invoices.id as invoice_id", "invoices.total", "invoices.received"])
    .select(["invoices.credited", "invoices.currency"])
    .select("services.id as target_id")
    .select(["clients.email", "clients.email_proven_at"])
}

const linesOf = precompiledQuery(({ db }, orderId) =>
  db.selectFrom("order_lines").selectAll().where("order_id", "=", orderId).orderBy("position"),
)

type Bill = Pick<InvoiceRow, "total" | "received" | "credited" | "currency"> & {
  invoice_id: string
  target_id: string
  email: string
  email_proven_at: number | null
}

function orderOf(row: OrderRow & Bill, lines: readonly LineRow[]): Order {
  return {
    id: row.id,
    kind: row.kind,
    invoiceId: row.invoice_id,
    serviceId: row.target_id,
    customerId: row.client_id,
    email: row.email,
    emailProven: row.email_proven_at !== null,
    accessScope: scopeOf(row),
    status: row.status,
    decision: row.decision,
    lines: lines.map(lineOf),
    total: money(row.total, row.currency),
    received: money(row.received, row.currency),
    credited: money(row.credited, row.currency),
    gateway: row.gateway,
    locale: row.locale,
    placedAt: row.placed_at,
    deadline: row.deadline,
  }
}

function scopeOf({ access_scope, password_id }: OrderRow): AccessScope | null {
  if (access_scope === "sign-up") return { reach: access_scope, passwordId: password_id }
  return access_scope && { reach: access_scope }
}

function lineOf(row: LineRow): QuoteLine {
  const amount = money(row.amount, row.currency)
  switch (row.kind) {
    case "plan":
      return { kind: row.kind, productId: required(row.product_id), name: required(row.name), amount }
    case "discount":
      return { kind: row.kind, code: required(row.code), amount }
    case "renewal": {
      const productId = required(row.product_id)
      return { kind: row.kind, productId, name: required(row.name), months: row.quantity ?? 1, amount }
    }
    case "moreConnections":
      return { kind: row.kind, ...extraIn(row), quantity: row.quantity ?? 1, amount }
    default:
      return { kind: row.kind, ...extraIn(row), amount }
  }
}

function extraIn({ option_id, choice_id, name }: LineRow) {
  return { optionId: required(option_id), choiceId: required(choice_id), name: required(name) }
}

function required(text: string | null): string {
  if (text === null) throw new BillingError("unreadable", "Order line is incomplete")
  return text
}
