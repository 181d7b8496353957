import { type RawBuilder, sql } from "kysely"
import { isShared } from "./engines/postgresql.server"
import type { DbContext } from "./transaction.server"

type Db = Pick<DbContext, "db">

/**
 * A column in the order of bytes, whatever the collation of the database is: in it are the indexes that find a text or the beginning
 * of one, and JavaScript compares texts so.
 */
export function inByteOrder({ db }: Db, column: string): RawBuilder<string> {
  return isShared(db) ? sql<string>`${sql.ref(column)} collate "C"` : sql<string>`${sql.ref(column)}`
}

/** Condition: a column begins with a text. The highest character follows whatever continues the text. */
export function beginsWith(ctx: Db, column: string, text: string): RawBuilder<boolean> {
  const bytes = inByteOrder(ctx, column)
  return sql<boolean>`${bytes} >= ${text} and ${bytes} < ${`${text}\u{10FFFF}`}`
}
