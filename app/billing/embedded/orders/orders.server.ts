import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import type { AccessScope, AuthenticatedCustomer } from "~/domain/customers/customer"
import { money } from "~/domain/money/money"
import { createsService, type Order } from "~/domain/orders/order"
import { type OrderStatus, paidStatuses, statusesBefore } from "~/domain/orders/order-status"
import type { SaleTerms } from "~/domain/orders/sale-terms"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { LineRow, OrderRow } from "../db/schema/order-rows"
import type { InvoiceRow } from "../db/schema/payment-rows"
import { parseExternalTax, parseOrderTax } from "../db/stored-tax.server"
import type { DbContext } from "../db/transaction.server"
import { onItsWayOf } from "../ledger/refund-on-its-way.server"

/** An order by its id; null if it does not exist. */
export async function order(ctx: DbContext, id: string): Promise<Order | null> {
  return orderIn(await rowsOfOrder(ctx, id))
}

/** The order created with an idempotency key; null if there is none. */
export async function orderByIdempotencyKey(ctx: DbContext, key: string): Promise<Order | null> {
  return orderIn(await orderWithLines(ctx).where("one_time_key", "=", key).execute())
}

/** The order of an invoice; null if the invoice does not exist. */
export async function orderByInvoice(ctx: DbContext, invoiceId: string): Promise<Order | null> {
  return orderIn(await orderWithLines(ctx).where("invoices.id", "=", invoiceId).execute())
}

/** The invoice of a mirrored order: see `OrderRepository.externalInvoiceOf`. */
export async function externalInvoiceOf({ db }: DbContext, orderId: string): Promise<string | null> {
  const row = await db
    .selectFrom("external_orders")
    .select("their_invoice_id")
    .where("order_id", "=", orderId)
    .executeTakeFirst()
  return row?.their_invoice_id ?? null
}

/** Paid orders of a service, newest first: see `OrderRepository.paidOrdersOf`. */
export async function paidOrdersOf(
  ctx: DbContext,
  serviceId: string,
  limit: number,
): Promise<readonly Order[]> {
  const paid = newestOf(ctx, serviceId).where("own.status", "in", paidStatuses).limit(limit)
  return newestFirst(await orderWithLines(ctx).where("orders.id", "in", paid).execute())
}

type PayableAt = { readonly serviceId: string; readonly at: Instant }

/** See `OrderRepository.partlyPaidOrderOf`. */
export async function partlyPaidOrderOf(ctx: DbContext, { serviceId, at }: PayableAt): Promise<Order | null> {
  // By status the planner would look among the open orders of all customers.
  const open = await newestOf(ctx, serviceId)
    .select(["own.status", "own.kind"])
    .where("own.deadline", ">", at)
    .execute()
  const found = open.find((it) => it.status === "partially-paid" && !createsService(it))
  return found ? order(ctx, found.id) : null
}

/** Orders for a service, also those that renew it among others, the newest first. */
function newestOf({ db }: DbContext, serviceId: string) {
  const renewals = db.selectFrom("renewal_items").select("order_id").where("service_id", "=", serviceId)
  // An order is of one customer: their orders are found by an index.
  return db
    .selectFrom("orders as own")
    .select("own.id")
    .where("own.client_id", "=", ({ selectFrom }) =>
      selectFrom("services as its").select("its.client_id").where("its.id", "=", serviceId),
    )
    .where(({ eb, or }) => or([eb("own.service_id", "=", serviceId), eb("own.id", "in", renewals)]))
    .orderBy("own.placed_at", "desc")
}

/** Paid orders in a customer's scope: see `OrderRepository.paidOrdersOfCustomer`. */
export async function paidOrdersOfCustomer(
  ctx: DbContext,
  { id, reach, passwordId }: AuthenticatedCustomer,
  limit: number,
): Promise<readonly Order[]> {
  if (reach === "sign-up" && !passwordId) return []
  const paid = ctx.db
    .selectFrom("orders as paid")
    .select("paid.id")
    .where("paid.client_id", "=", id)
    .where("paid.status", "in", paidStatuses)
    .$if(reach === "sign-up", (own) =>
      own.where("paid.access_scope", "=", "sign-up").where("paid.password_id", "=", passwordId ?? null),
    )
    .orderBy("paid.placed_at", "desc")
    .limit(limit)
  return newestFirst(await orderWithLines(ctx).where("orders.id", "in", paid).execute())
}

function newestFirst(rows: readonly (OrderRow & Bill & LineColumns)[]): readonly Order[] {
  const byOrder = Map.groupBy(rows, ({ id }) => id)
  const orders = [...byOrder.values()].map(orderIn).filter((it) => it !== null)
  return orders.sort((a, b) => b.placedAt - a.placedAt)
}

/** Replaces the idempotency key of an abandoned order, so that the key can create another order. */
export async function releaseIdempotencyKey({ db, newId }: DbContext, id: string): Promise<void> {
  await db.updateTable("orders").set({ one_time_key: newId() }).where("id", "=", id).execute()
}

const overdue = statusesBefore("deadlinePassed")

/**
 * Ids of payable orders whose deadline has passed, earliest deadline first. Each status is a query of its own, since an index
 * has the deadlines of one status in order: of all orders, no more are read than are answered.
 */
export async function overdueOrders(
  { db }: DbContext,
  now: Instant,
  limit: number,
): Promise<readonly string[]> {
  const ofStatus = (status: OrderStatus) =>
    db
      .selectFrom("orders")
      .select(["id", "deadline"])
      // A literal, as in the condition of the partial index: a parameter would not match it.
      .where("status", "=", sql.lit(status))
      .where("deadline", "<=", now)
      .orderBy("deadline")
      .limit(limit)
      .execute()
  const rows = (await Promise.all(overdue.map(ofStatus))).flat()
  return rows
    .toSorted((one, other) => one.deadline - other.deadline)
    .slice(0, limit)
    .map(({ id }) => id)
}

const rowsOfOrder = precompiledQuery((ctx, id) => orderWithLines(ctx).where("orders.id", "=", id))

/** An order with its lines, in one statement: a row for each line, which repeats the order. */
function orderWithLines(ctx: Pick<DbContext, "db">) {
  return (
    orderWithBill(ctx)
      .leftJoin("order_lines", "order_lines.order_id", "orders.id")
      // Under other names: the order has columns of the same name.
      .select(["order_lines.kind as line_kind", "order_lines.product_id as line_product_id"])
      .select(["order_lines.option_id as line_option_id", "order_lines.choice_id as line_choice_id"])
      .select(["order_lines.code as line_code", "order_lines.name as line_name"])
      .select(["order_lines.quantity as line_quantity", "order_lines.amount as line_amount"])
      .select(["order_lines.currency as line_currency", "order_lines.listed as line_listed"])
      .orderBy("order_lines.position")
  )
}

type OrderLine = Omit<LineRow, "order_id" | "position">
type LineColumns = { readonly [Column in keyof OrderLine as `line_${Column}`]: OrderLine[Column] | null }

/** The order of the rows of its lines; null without rows. */
function orderIn(rows: readonly (OrderRow & Bill & LineColumns)[]): Order | null {
  const [first] = rows
  return first ? orderOf(first, rows.flatMap(lineIn)) : null
}

function lineIn(row: LineColumns): OrderLine[] {
  const { line_kind: kind, line_amount: amount, line_currency: currency } = row
  // An order without lines has one row, without a line.
  if (kind === null || amount === null || currency === null) return []
  return [
    {
      kind,
      amount,
      currency,
      product_id: row.line_product_id,
      option_id: row.line_option_id,
      choice_id: row.line_choice_id,
      code: row.line_code,
      name: row.line_name,
      quantity: row.line_quantity,
      listed: row.line_listed,
    },
  ]
}

function orderWithBill({ db }: Pick<DbContext, "db">) {
  return db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .innerJoin("services", "services.id", "orders.service_id")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .selectAll("orders")
    .select(["invoices.id as invoice_id", "invoices.total", "invoices.received"])
    .select(["invoices.credited", "invoices.currency", "invoices.paid_at"])
    .select("services.id as target_id")
    .select(["clients.email", "clients.email_proven_at"])
    .select((of) => onItsWayOf(of).where("invoices.status", "=", "unpaid").as("on_its_way"))
}

type Bill = Pick<InvoiceRow, "total" | "received" | "credited" | "currency" | "paid_at"> & {
  invoice_id: string
  target_id: string
  email: string
  email_proven_at: number | null
  on_its_way: number | string | null
}

function orderOf(row: OrderRow & Bill, lines: readonly OrderLine[]): Order {
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
    lines: lines.map((line) => ({ ...lineOf(line), ...listedIn(line) })),
    total: money(row.total, row.currency),
    received: money(row.received - Number(row.on_its_way), row.currency),
    credited: money(row.credited, row.currency),
    gateway: row.gateway,
    locale: row.locale,
    placedAt: row.placed_at,
    deadline: row.deadline,
    ...(row.paid_at !== null && { paidAt: row.paid_at }),
    ...(row.sale_terms !== null && { saleTerms: JSON.parse(row.sale_terms) as SaleTerms }),
    ...(row.tax !== null && { tax: parseOrderTax(row.tax) }),
    ...(row.external_tax !== null && { externalTax: parseExternalTax(row.external_tax) }),
    ...(row.trial_hours !== null && { trialHours: row.trial_hours }),
    ...(row.credits !== null && { credits: row.credits }),
    ...(row.adds_credits !== null && { addsCredits: true }),
    ...(row.is_uncounted !== null && { isUncounted: true }),
  }
}

function scopeOf({ access_scope, password_id }: OrderRow): AccessScope | null {
  if (access_scope === "sign-up") return { reach: access_scope, passwordId: password_id }
  return access_scope && { reach: access_scope }
}

function listedIn({ listed, currency }: OrderLine): Pick<QuoteLine, "listed"> {
  return listed === null ? {} : { listed: money(listed, currency) }
}

function lineOf(row: OrderLine): QuoteLine {
  const amount = money(row.amount, row.currency)
  switch (row.kind) {
    case "plan":
      return { kind: row.kind, productId: required(row.product_id), name: required(row.name), amount }
    case "accountCredit":
    case "invoiceRest":
      return { kind: row.kind, amount }
    case "discount":
      return { kind: row.kind, code: required(row.code), amount }
    case "renewal": {
      const productId = required(row.product_id)
      return { kind: row.kind, productId, name: required(row.name), months: row.quantity ?? 1, amount }
    }
    case "planChange": {
      const productId = required(row.product_id)
      return { kind: row.kind, productId, name: required(row.name), months: row.quantity ?? 1, amount }
    }
    case "unusedTime":
      return { kind: row.kind, name: required(row.name), amount }
    case "moreConnections":
      return { kind: row.kind, ...extraIn(row), quantity: row.quantity ?? 1, amount }
    default:
      return { kind: row.kind, ...extraIn(row), amount }
  }
}

function extraIn({ option_id, choice_id, name }: OrderLine) {
  return { optionId: required(option_id), choiceId: required(choice_id), name: required(name) }
}

function required(text: string | null): string {
  if (text === null) throw new BillingError("unreadable", "Order line is incomplete")
  return text
}
