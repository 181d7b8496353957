import type { ColumnDefinitionBuilder } from "kysely"

type Column = ColumnDefinitionBuilder

export const required = (column: Column) => column.notNull()
/** SQLite allows null in a text primary key without NOT NULL. */
export const id = (column: Column) => column.notNull().primaryKey()
export const refersTo = (target: string) => (column: Column) => column.notNull().references(target)
