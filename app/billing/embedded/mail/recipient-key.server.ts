import { type RawBuilder, sql } from "kysely"
import { isShared } from "../db/database.server"
import type { DbContext } from "../db/transaction.server"

/** Column of a message's normalized recipient, in the order of bytes, in which its index is. */
export function recipientKey({ db }: Pick<DbContext, "db">): RawBuilder<string> {
  return isShared(db) ? sql<string>`mails.email_key collate "C"` : sql<string>`mails.email_key`
}
