import { paidStatuses } from "~/domain/orders/order-status"
import type { OrderRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"

/** Whose accounts are looked for: a customer's, in the access scope of an order. */
export type AccountHolder = Pick<OrderRow, "client_id" | "access_scope" | "password_id">

/**
 * The reseller's accounts that the credits of a plan can be added to, by their ids: those that work, then those that are being set up or
 * are paused, each the newest first.
 */
export async function resellerAccounts(
  { db }: DbContext,
  { client_id, access_scope: scope, password_id }: AccountHolder,
): Promise<readonly string[]> {
  if (scope === null || (scope === "sign-up" && password_id === null)) return []
  const accounts = await db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .select("services.id")
    .where("services.client_id", "=", client_id)
    .where("services.kind", "=", "reseller")
    .where("services.status", "in", ["Active", "Pending", "Suspended"])
    .where("orders.status", "in", paidStatuses)
    .$if(scope === "sign-up", (own) =>
      own.where("orders.access_scope", "=", "sign-up").where("orders.password_id", "=", password_id),
    )
    .orderBy("services.status")
    .orderBy("services.created_at", "desc")
    .execute()
  return accounts.map(({ id }) => id)
}
