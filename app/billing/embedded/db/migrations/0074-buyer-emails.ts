import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const buyerEmails: Migration = { up }

/** The e-mail of the buyer as a document was issued with it. Those from before have the one of the customer. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("tax_documents").addColumn("buyer_email", "text").execute()
}
