import type { LocaleCode } from "~/domain/locales"
import { paidStatuses } from "~/domain/order-status"
import type { ServiceRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"

/**
 * The language of the last paid order of a service, which messages about the service have; null without one: the customer's. Others
 * do not count, since anybody who has the link of a renewal can place one.
 */
export async function localeOfService(
  { db }: DbContext,
  { id, client_id }: Pick<ServiceRow, "id" | "client_id">,
): Promise<LocaleCode | null> {
  const order = await db
    .selectFrom("orders")
    .select("locale")
    .where("client_id", "=", client_id)
    .where("status", "in", paidStatuses)
    .where((row) =>
      row.or([
        row("service_id", "=", id),
        row("id", "in", row.selectFrom("renewal_items").select("order_id").where("service_id", "=", id)),
      ]),
    )
    .orderBy("placed_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()
  return order?.locale ?? null
}
