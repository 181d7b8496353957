import type { LocaleCode } from "~/domain/locales"
import { paidStatuses } from "~/domain/orders/order-status"
import type { ServiceRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"

/** The language of a customer's last paid order, which messages about the account have; null without one: that of the first visit. */
export async function localeOfCustomer(ctx: DbContext, customerId: string): Promise<LocaleCode | null> {
  const order = await lastPaidOrder(ctx, customerId).executeTakeFirst()
  return order?.locale ?? null
}

/** The language of the last paid order of a service, which messages about the service have; null without one: the customer's. */
export async function localeOfService(
  ctx: DbContext,
  { id, client_id }: Pick<ServiceRow, "id" | "client_id">,
): Promise<LocaleCode | null> {
  const order = await lastPaidOrder(ctx, client_id)
    .where((row) =>
      row.or([
        row("service_id", "=", id),
        row("id", "in", row.selectFrom("renewal_items").select("order_id").where("service_id", "=", id)),
      ]),
    )
    .executeTakeFirst()
  return order?.locale ?? null
}

/** Unpaid orders do not count, since anybody who has the link of a renewal can place one. */
function lastPaidOrder({ db }: DbContext, customerId: string) {
  return db
    .selectFrom("orders")
    .select("locale")
    .where("client_id", "=", customerId)
    .where("status", "in", paidStatuses)
    .orderBy("placed_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
}
