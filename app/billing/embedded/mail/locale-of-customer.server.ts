import type { LocaleCode } from "~/domain/locales"
import { paidStatuses } from "~/domain/order-status"
import type { DbContext } from "../db/transaction.server"

/**
 * The language of a customer's last paid order, which messages about the account have; null without one: that of the first visit.
 * Other orders do not count, as with `localeOfService`.
 */
export async function localeOfCustomer({ db }: DbContext, customerId: string): Promise<LocaleCode | null> {
  const order = await db
    .selectFrom("orders")
    .select("locale")
    .where("client_id", "=", customerId)
    .where("status", "in", paidStatuses)
    .orderBy("placed_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()
  return order?.locale ?? null
}
