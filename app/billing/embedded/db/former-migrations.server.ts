import { type Kysely, sql } from "kysely"
import { DEFAULT_MIGRATION_TABLE, type Migration } from "kysely/migration"
import { soldProductsAndAuditTime } from "./migrations/0069-operator-console"
import { devicesAndOrderNumbers } from "./migrations/0085-numbers-and-devices"
import type { Tables } from "./schema/schema"

/** `rest`: what the migration does beyond what it did under its former name. */
type FormerMigration = { readonly name: string; readonly rest?: Migration["up"] }

/** Names that migrations had in versions between two releases, and what they became. */
const formerMigrations: Readonly<Record<string, FormerMigration>> = {
  "0069-rejected-callbacks": { name: "0069-operator-console", rest: soldProductsAndAuditTime },
  "0073-upsells": { name: "0072-upsells" },
  "0074-discounted-renewals": { name: "0073-discounted-renewals" },
  "0075-buyer-emails": { name: "0074-buyer-emails" },
  "0081-late-payments": { name: "0075-late-payments" },
  "0083-ordered-credits": { name: "0076-ordered-credits" },
  "0085-skipped-numbers": { name: "0085-numbers-and-devices", rest: devicesAndOrderNumbers },
}

/** The name of a migration in this version. */
export function presentName(migration: string): string {
  return formerMigrations[migration]?.name ?? migration
}

/** Gives applied migrations their present names, and does what these do beyond the former ones. In the current transaction. */
export async function renameFormerMigrations(db: Kysely<Tables>, applied: readonly string[]): Promise<void> {
  for (const former of applied) {
    const present = formerMigrations[former]
    if (!present) continue
    await present.rest?.(db)
    await sql`update ${sql.table(DEFAULT_MIGRATION_TABLE)} set name = ${present.name} where name = ${former}`.execute(
      db,
    )
  }
}
