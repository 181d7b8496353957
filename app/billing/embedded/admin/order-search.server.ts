import { setImmediate } from "node:timers/promises"
import { type RawBuilder, sql } from "kysely"
import type { OrderListItem, OrderName, OrderPosition, OrderRange } from "~/billing/orders/order-search"
import { money } from "~/domain/money/money"
import { deviceAddressIn } from "~/domain/services/device-address"
import { normalizeCode } from "../catalogue/normalize-code"
import { customersByEmail } from "../customers/former-emails.server"
import { beginsWith } from "../db/byte-order.server"
import type { DbContext } from "../db/transaction.server"
import { ordersByCoinReference } from "../payments/coin-references.server"

/** See `OrderSearch.orders`. */
export async function listOrders(ctx: DbContext, range: OrderRange): Promise<readonly OrderListItem[]> {
  // SQLite runs on the thread of the pages: a search of many ranges lets them in between.
  await setImmediate()
  const { total, newer = false, limit } = range
  if (total === undefined || range.by === "paid" || range.tag !== undefined)
    return (await rowsIn(ctx, range, placeIn(range)).execute()).map(itemOf)
  // A query each, so that both read their index.
  const found = await rowsIn(ctx, range, placeIn(range)).execute()
  const ofPayments = await rowsIn(ctx, { ...range, total: undefined }, placeOfPayment)
    .innerJoin("payments", "payments.invoice_id", "invoices.id")
    .where("payments.amount", "=", total)
    .where("payments.part_placed_at", "is not", null)
    .select("payments.part_placed_at")
    .distinct()
    .execute()
  const orders = [...new Map([...found, ...ofPayments].map((row) => [row.id, row])).values()]
  const sign = newer ? 1 : -1
  return orders
    .toSorted((one, other) => sign * (one.placed_at - other.placed_at || (one.id < other.id ? -1 : 1)))
    .slice(0, limit)
    .map(itemOf)
}

/** Orders of a range, sorted by the columns of an index. */
function rowsIn(ctx: DbContext, range: OrderRange, [at, id]: SortColumns) {
  const { status, gateway, promoCode, total, tag, from, until, beyond, newer = false, limit } = range
  const way = newer ? "asc" : "desc"
  return orderItems(ctx)
    .$if(range.by === "paid", (query) => query.where("invoices.paid_at", "is not", null))
    .$if(tag !== undefined, (query) =>
      query
        .innerJoin("order_tags", "order_tags.order_id", "orders.id")
        .where("order_tags.tag", "=", tag ?? ""),
    )
    .$if(status !== undefined, (query) => query.where("orders.status", "=", status ?? "placed"))
    .$if(gateway !== undefined, (query) => query.where("orders.gateway", "=", gateway ?? "offshore"))
    .$if(promoCode !== undefined, (query) =>
      query.where("orders.promo_key", "=", normalizeCode(promoCode ?? "")),
    )
    .$if(total !== undefined, (query) => query.where("invoices.total", "=", total ?? 0))
    .$if(from !== undefined, (query) => query.where(at, ">=", from ?? 0))
    .$if(until !== undefined, (query) => query.where(at, "<", until ?? 0))
    .$if(beyond !== undefined, (query) => query.where(isBeyond([at, id], { newer, beyond })))
    .orderBy(at, way)
    .orderBy(id, way)
    .limit(limit)
}

type SortColumns = readonly [at: RawBuilder<number>, id: RawBuilder<string>]

/** Columns by which the orders of payments are sorted. */
const placeOfPayment: SortColumns = [sql.ref<number>("payments.part_placed_at"), sql.ref<string>("orders.id")]

/** Columns of the index that a list is read from. Invoices and tags have the time of their order. */
function placeIn({ by, total, tag }: OrderRange): SortColumns {
  const columns = (at: string, id: string) => [sql.ref<number>(at), sql.ref<string>(id)] as const
  if (by === "paid") return columns("invoices.paid_at", "invoices.order_id")
  if (tag !== undefined) return columns("order_tags.placed_at", "order_tags.order_id")
  return total === undefined
    ? columns("orders.placed_at", "orders.id")
    : columns("invoices.created_at", "invoices.order_id")
}

/** Row values: both engines begin to read the index at this place. */
function isBeyond(
  [at, id]: SortColumns,
  { newer, beyond }: { newer: boolean; beyond: OrderPosition | undefined },
) {
  const { at: lastAt, id: last } = beyond ?? { at: 0, id: "" }
  const place = sql`(${at}, ${id})`
  return newer ? sql<boolean>`${place} > (${lastAt}, ${last})` : sql<boolean>`${place} < (${lastAt}, ${last})`
}

/** See `OrderSearch.ordersNamed`. */
export async function ordersNamed(
  ctx: DbContext,
  { kind, text, isWhole, limit }: OrderName,
): Promise<readonly OrderListItem[]> {
  await setImmediate()
  const ids =
    kind === "email"
      ? await customersByEmail(ctx, { text, isWhole, limit })
      : await found[kind](ctx, text, limit)
  if (ids.length === 0) return []
  const rows = await orderItems(ctx)
    .where(kind === "email" ? "orders.client_id" : "orders.id", "in", ids)
    .orderBy("orders.placed_at", "desc")
    .limit(limit)
    .execute()
  return rows.map(itemOf)
}

type Finder = (ctx: DbContext, text: string, limit: number) => Promise<string[]>

/** Ids of the orders. */
const found: { readonly [kind in Exclude<OrderName["kind"], "email">]: Finder } = {
  number: ordersNumbered,
  async document({ db }, text, limit) {
    const rows = await db
      .selectFrom("tax_documents")
      .select("order_id")
      .where("number", "in", spellingsOf(lastWord(text).replace("#", "")))
      .limit(limit)
      .execute()
    return rows.map(({ order_id }) => order_id)
  },
  async username(ctx, text, limit) {
    const services = await servicesNamed(ctx, text, limit)
    return services.map(({ order_id }) => order_id)
  },
  async device({ db }, text, limit) {
    const address = deviceAddressIn(text)
    if (address === null) return []
    const rows = await db
      .selectFrom("services")
      .select("order_id")
      .where("device_address", "=", address)
      .limit(limit)
      .execute()
    return rows.map(({ order_id }) => order_id)
  },
  coin: ordersByCoinReference,
  async payment({ db }, text, limit) {
    const attempts = await db
      .selectFrom("payment_attempts")
      .select("order_id")
      .where("payment_id", "=", text)
      .limit(limit)
      .execute()
    const payments = await db
      .selectFrom("payments")
      .innerJoin("invoices", "invoices.id", "payments.invoice_id")
      .select("invoices.order_id")
      .where("payments.transaction_id", "=", text)
      .limit(limit)
      .execute()
    return [...attempts, ...payments].map(({ order_id }) => order_id)
  },
}

/** As it was typed, and in capitals, in which the shop writes it. */
const spellingsOf = (text: string) => [...new Set([text, text.toUpperCase()])]

const lastWord = (text: string) => text.split(" ").at(-1) ?? ""

/** A shorter beginning is that of too many numbers. */
const MIN_NUMBER = 4

/** Ids by their number, or if there is none by the beginning of it: a customer reads it out, or has copied a part. */
async function ordersNumbered(ctx: DbContext, text: string, limit: number): Promise<string[]> {
  const numbers = orderNumbersIn(text)
  const orders = ctx.db.selectFrom("orders").select("id").limit(limit)
  const exact = await orders.where("id", "in", numbers).execute()
  if (exact.length > 0) return exact.map(({ id }) => id)
  const ids = []
  for (const beginning of numbers.filter(({ length }) => length >= MIN_NUMBER)) {
    const rows = await orders.where(beginsWith(ctx, "id", beginning)).execute()
    ids.push(...rows.map(({ id }) => id))
  }
  return ids.slice(0, limit)
}

/** The numbers that a text may mean, as customers quote them: "#KHE9CYEGJG", "order KHE9CYEGJG", "KHE9-CYEGJG". */
export function orderNumbersIn(text: string): string[] {
  const compact = [text, lastWord(text)].map((it) => it.replace(/[^a-z0-9]/gi, "").toUpperCase())
  return [...new Set([...spellingsOf(text), ...compact])]
}

/** Services by the beginning of a username. Two queries, so that each reads the index. */
export async function servicesNamed(
  ctx: DbContext,
  text: string,
  limit: number,
): Promise<readonly { readonly order_id: string; readonly client_id: string }[]> {
  const found = []
  for (const spelling of spellingsOf(text)) {
    const rows = await ctx.db
      .selectFrom("services")
      .select(["order_id", "client_id"])
      .where(beginsWith(ctx, "username", spelling))
      .limit(limit)
      .execute()
    found.push(...rows)
  }
  return found.slice(0, limit)
}

/** Orders of a customer, newest first. */
export async function ordersOfClient(
  ctx: DbContext,
  clientId: string,
  limit: number,
): Promise<readonly OrderListItem[]> {
  const rows = await orderItems(ctx)
    .where("orders.client_id", "=", clientId)
    .orderBy("orders.placed_at", "desc")
    .limit(limit)
    .execute()
  return rows.map(itemOf)
}

/** Orders with what lists show of them. */
export function orderItems({ db }: DbContext) {
  return db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .select([
      "orders.id",
      "orders.kind",
      "orders.status",
      "orders.gateway",
      "orders.promo_key",
      "orders.placed_at",
    ])
    .select(["clients.email", "clients.country"])
    .select(["invoices.total", "invoices.received", "invoices.currency", "invoices.paid_at"])
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof orderItems>["execute"]>>[number]

export function itemOf({
  id,
  kind,
  status,
  gateway,
  email,
  country,
  currency,
  ...row
}: ItemRow): OrderListItem {
  return {
    id,
    kind,
    status,
    email,
    gateway,
    country,
    promoCode: row.promo_key,
    total: money(row.total, currency),
    received: money(row.received, currency),
    placedAt: row.placed_at,
    paidAt: row.paid_at,
  }
}
