import type { Instant } from "~/domain/calendar"
import type { OrderKind } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import type { MailRow } from "../../db/schema/mail-rows"
import type { DbContext } from "../../db/transaction.server"

/** What decides whether a message still asks for the payment of an order. */
export function orderOfMail({ db }: DbContext, id: string) {
  return db
    .selectFrom("orders")
    .select(["id", "kind", "status", "deadline", "placed_at", "browser"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
}

type Asked = { id: string; client_id: string; browser: string | null; placed_at: Instant }

/**
 * A paid or payable order that the same customer, or the same browser, has placed or paid since. `kind`: only of this one; without it of
 * any.
 */
export async function laterOrder(
  { db }: DbContext,
  { id, client_id, browser, placed_at }: Asked,
  kind?: OrderKind,
): Promise<string | null> {
  const found = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select("orders.id")
    .where("orders.id", "!=", id)
    .where((row) => (kind === undefined ? row.lit(true) : row("orders.kind", "=", kind)))
    .where((row) =>
      browser === null
        ? row("orders.client_id", "=", client_id)
        : row.or([row("orders.client_id", "=", client_id), row("orders.browser", "=", browser)]),
    )
    .where((row) =>
      row.or([
        row("invoices.paid_at", ">=", placed_at),
        row.and([row("orders.placed_at", ">", placed_at), row("orders.status", "in", payableStatuses)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found?.id ?? null
}

/** Why the message of a released order is not sent: its buyer has ordered the like since, and would pay twice. Null if it is sent. */
export async function reasonAgainstRelease(
  ctx: DbContext,
  { name, order_id, client_id }: MailRow,
): Promise<string | null> {
  if (name !== "order-released" || order_id === null || client_id === null) return null
  const order = await orderOfMail(ctx, order_id)
  const later = await laterOrder(ctx, { ...order, client_id }, order.kind)
  return later && `the same person has ordered since: ${later}`
}
