import { type ExpressionBuilder, sql } from "kysely"
import type { Order } from "~/domain/orders/order"
import type { OrderTax } from "~/domain/orders/order-tax"
import type { Tables } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"

/**
 * The tax of an order without the lines that did not apply any more when they were paid: what was paid for them has become account
 * credit, whose use is taxed. Call it once the order is fulfilled.
 */
export async function taxOfSold(
  ctx: DbContext,
  { id, kind }: Pick<Order, "id" | "kind">,
  tax: OrderTax,
): Promise<OrderTax> {
  if (kind === "plan-change" || kind === "upsell")
    return (await isLeft(ctx, id, orderedIn[kind])) ? { ...tax, lines: [] } : tax
  if (kind === "reseller-credits") return (await hasGranted(ctx, id)) ? tax : { ...tax, lines: [] }
  if (kind !== "renewal") return tax
  const left = await leftPositions(ctx, id)
  return { ...tax, lines: tax.lines.filter(({ position }) => !left.includes(position)) }
}

/** Condition: a paid order has a line that applied when it was paid (`taxOfSold`). */
export function hasSold({ and, eb, exists, not, or, selectFrom }: ExpressionBuilder<Tables, "orders">) {
  const itemsOf = selectFrom("renewal_items")
    .select("renewal_items.order_id")
    .whereRef("renewal_items.order_id", "=", "orders.id")
  const isLeft = (table: "plan_changes" | "upsells") =>
    exists(
      selectFrom(table)
        .select("order_id")
        .whereRef("order_id", "=", "orders.id")
        .where("applied_at", "is", null),
    )
  const hasGranted = exists(
    selectFrom("credit_entries")
      .select("credit_entries.id")
      .whereRef("credit_entries.reference", "=", sql<string>`'order ' || orders.id`),
  )
  return and([
    or([eb("orders.kind", "!=", "reseller-credits"), hasGranted]),
    not(isLeft("plan_changes")),
    not(isLeft("upsells")),
    or([exists(itemsOf.where("renewal_items.paid_until", "is not", null)), not(exists(itemsOf))]),
  ])
}

const orderedIn = { "plan-change": "plan_changes", upsell: "upsells" } as const

/** Whether a change of plan or connections were paid, and the service left as it was. */
async function isLeft(
  { db }: DbContext,
  orderId: string,
  table: (typeof orderedIn)[keyof typeof orderedIn],
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select("order_id")
    .where("order_id", "=", orderId)
    .where("applied_at", "is", null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether further credits were paid while their account had not ended. */
async function hasGranted({ db }: DbContext, orderId: string): Promise<boolean> {
  const entry = await db
    .selectFrom("credit_entries")
    .select("id")
    .where("reference", "=", `order ${orderId}`)
    .executeTakeFirst()
  return entry !== undefined
}

/** The lines of a renewal that were carried out, and have led to no end of a term. */
async function leftPositions({ db }: DbContext, orderId: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("renewal_items")
    .select("position")
    .where("order_id", "=", orderId)
    .where("applied_at", "is not", null)
    .where("paid_until", "is", null)
    .execute()
  return rows.map(({ position }) => position)
}
