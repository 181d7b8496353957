import type { ColumnDefinitionBuilder } from "kysely"

type Column = ColumnDefinitionBuilder

export const required = (column: Column) => column.notNull()
/** SQLite lets a text primary key be null unless it is told not to. */
export const id = (column: Column) => column.notNull().primaryKey()
export const refersTo = (target: string) => (column: Column) => column.notNull().references(target)
