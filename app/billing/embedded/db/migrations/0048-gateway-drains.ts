import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const gatewayDrains: Migration = { up }

/** Gateways that an operator has taken out of the offer. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("gateway_drains")
    .addColumn("gateway", "text", id)
    .addColumn("since", "bigint", required)
    .execute()
}
