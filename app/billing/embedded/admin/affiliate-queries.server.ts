import { sql } from "kysely"
import type {
  AffiliateFigures,
  AffiliateOrderRange,
  AffiliateRange,
  AffiliateSpan,
} from "~/billing/affiliate-admin"
import type { OrderListItem } from "~/billing/orders/order-search"
import { money } from "~/domain/money/money"
import { paidStatuses } from "~/domain/orders/order-status"
import type { DbContext } from "../db/transaction.server"
import { itemOf, orderItems } from "./order-search.server"

/** See `AffiliateAdmin.listAffiliates`. */
export async function listAffiliates(
  ctx: DbContext,
  range: AffiliateRange,
): Promise<readonly AffiliateFigures[]> {
  return figuresOf(ctx, await idsInRange(ctx, range), range.span)
}

/** See `AffiliateAdmin.affiliate`. */
export async function affiliate(
  ctx: DbContext,
  id: string,
  span: AffiliateSpan,
): Promise<AffiliateFigures | null> {
  const { db } = ctx
  const click = db.selectFrom("affiliate_clicks").select("affiliate_id").where("affiliate_id", "=", id)
  const order = db.selectFrom("orders").select("affiliate_id").where("affiliate_id", "=", id)
  const isKnown = (await click.limit(1).execute()).length + (await order.limit(1).execute()).length > 0
  if (!isKnown) return null
  const [figures] = await figuresOf(ctx, [id], span)
  return figures ?? null
}

/** Goes from one id to the next in both indexes: an affiliate has many clicks and orders, which are not read. */
async function idsInRange(
  { db }: DbContext,
  { after = "", before, limit }: AffiliateRange,
): Promise<string[]> {
  const [than, way] = before === undefined ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const start = before ?? after
  const next = (table: "affiliate_clicks" | "orders", place: unknown) =>
    sql`(select affiliate_id from ${sql.table(table)} where affiliate_id ${than} ${place} order by affiliate_id ${way} limit 1)`
  const idsIn = (table: "affiliate_clicks" | "orders", name: string) => sql`${sql.table(name)} (id) as (
    select ${next(table, start)}
    union all
    select ${next(table, sql.ref(`${name}.id`))} from ${sql.table(name)} where ${sql.ref(`${name}.id`)} is not null
  )`
  const found = await sql<{ id: string }>`
    with recursive ${idsIn("affiliate_clicks", "clicked")}, ${idsIn("orders", "ordered")},
      first_clicked as (select id from clicked where id is not null limit ${limit}),
      first_ordered as (select id from ordered where id is not null limit ${limit})
    select id from (select id from first_clicked union select id from first_ordered) as ids
    order by id ${way} limit ${limit}`.execute(db)
  return found.rows.map(({ id }) => id)
}

/** In the order of the ids that were given. */
async function figuresOf(
  ctx: DbContext,
  ids: readonly string[],
  span: AffiliateSpan,
): Promise<AffiliateFigures[]> {
  if (ids.length === 0) return []
  const clicks = new Map((await clicked(ctx, ids, span)).map((row) => [row.id, Number(row.clicks)]))
  const orders = Map.groupBy(await ordered(ctx, ids, span), ({ id }) => id)
  return ids.map((id) => {
    const perCurrency = orders.get(id) ?? []
    return {
      id,
      clicks: clicks.get(id) ?? 0,
      orders: perCurrency.reduce((sum, row) => sum + Number(row.orders), 0),
      paid: perCurrency.reduce((sum, row) => sum + Number(row.paid), 0),
      amounts: perCurrency
        .filter((row) => Number(row.paid) > 0)
        .map((row) => money(Number(row.amount), row.currency)),
    }
  })
}

function clicked({ db }: DbContext, ids: readonly string[], { firstDay, lastDay }: AffiliateSpan) {
  return db
    .selectFrom("affiliate_clicks")
    .select("affiliate_id as id")
    .select((row) => row.fn.countAll<string | number>().as("clicks"))
    .where("affiliate_id", "in", ids)
    .where("day", ">=", firstDay)
    .where("day", "<=", lastDay)
    .groupBy("affiliate_id")
    .execute()
}

function ordered({ db }: DbContext, ids: readonly string[], { from, until }: AffiliateSpan) {
  return db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.affiliate_id as id", "invoices.currency"])
    .select((row) => [
      row.fn.countAll<string | number>().as("orders"),
      row.fn
        .countAll<string | number>()
        .filterWhere("orders.status", "in", paidStatuses)
        .filterWhere("orders.trial_hours", "is", null)
        .as("paid"),
      row.fn
        .sum<string | number | null>("invoices.total")
        .filterWhere("orders.status", "in", paidStatuses)
        .as("amount"),
    ])
    .where("orders.affiliate_id", "in", ids)
    .where("orders.placed_at", ">=", from)
    .where("orders.placed_at", "<", until)
    .groupBy(["orders.affiliate_id", "invoices.currency"])
    .orderBy("invoices.currency")
    .$narrowType<{ id: string }>()
    .execute()
}

/** See `AffiliateAdmin.affiliateOrders`. */
export async function affiliateOrders(
  ctx: DbContext,
  id: string,
  { span: { from, until }, beyond, limit }: AffiliateOrderRange,
): Promise<readonly OrderListItem[]> {
  const rows = await orderItems(ctx)
    .where("orders.affiliate_id", "=", id)
    .where("orders.placed_at", ">=", from)
    .where("orders.placed_at", "<", until)
    .$if(beyond !== undefined, (query) =>
      query.where(sql<boolean>`(orders.placed_at, orders.id) < (${beyond?.at ?? 0}, ${beyond?.id ?? ""})`),
    )
    .orderBy("orders.placed_at", "desc")
    .orderBy("orders.id", "desc")
    .limit(limit)
    .execute()
  return rows.map(itemOf)
}
