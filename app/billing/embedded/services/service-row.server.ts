import { BillingError } from "~/billing/billing"
import type { Suspension } from "~/domain/services/service"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"

/** Columns of a service whose customer has not said that they do not want to renew. */
export const notDeclined = { declined_at: null, decline_reason: null } as const

/** The row of a service as the current transaction reads it; null for an unknown one. */
export async function serviceRow(ctx: DbContext, id: string): Promise<ServiceRow | null> {
  const [row] = await rowOfService(ctx, id)
  return row ?? null
}

/** The row of a service to which other rows refer. Throws `BillingError` "unreadable" without it. */
export async function knownServiceRow(ctx: DbContext, id: string): Promise<ServiceRow> {
  const row = await serviceRow(ctx, id)
  if (row === null) throw new BillingError("unreadable", `Service ${id} not found`)
  return row
}

/** The suspension of a service; null if it is not suspended. */
export function suspensionOf({
  suspended_at: at,
  suspension_owner: owner,
  suspension_reason: reason,
}: Pick<ServiceRow, "suspended_at" | "suspension_owner" | "suspension_reason">): Suspension | null {
  return at === null || owner === null ? null : { owner, reason, at }
}

const rowOfService = precompiledQuery(({ db }, id) =>
  db.selectFrom("services").selectAll().where("id", "=", id),
)

/** A write without a change locks the row on PostgreSQL; on SQLite the transaction is the only one anyway. */
export async function lockService({ db }: DbContext, id: string): Promise<void> {
  await db
    .updateTable("services")
    .set((row) => ({ client_id: row.ref("client_id") }))
    .where("id", "=", id)
    .execute()
}
