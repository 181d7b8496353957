import { DatabaseSync } from "node:sqlite"

type Value = string | number | null
type Row = Readonly<Record<string, Value>>

/** The rows that the shop writes for one order, and a copy of the database before it. */
export type WrittenOrder = {
  readonly billing: string
  readonly rows: readonly { readonly table: string; readonly row: Row }[]
  /** Texts that must be unique. */
  readonly names: readonly string[]
}

/** Copies the database, places one order and returns the inserted rows; updated rows are left out. */
export async function writtenOrder(file: string, copy: string, place: () => Promise<void>) {
  const database = new DatabaseSync(file)
  try {
    const [tables, before] = [tablesOf(database), new Map<string, Set<string>>()]
    for (const table of tables)
      before.set(table.name, new Set(rowsOf(database, table.name).map(keyIn(table))))
    database.exec(`vacuum into '${copy}'`)
    await place()
    const rows = tables.flatMap((table) =>
      rowsOf(database, table.name)
        .filter((row) => !before.get(table.name)?.has(keyIn(table)(row)))
        .map((row) => ({ table: table.name, row: renumbered(table, row) })),
    )
    const names = tables.flatMap(({ name, unique }) =>
      rows.filter(({ table }) => table === name).flatMap(({ row }) => unique.map((column) => row[column])),
    )
    const texts = names.filter((it): it is string => typeof it === "string" && it.length > 7)
    return { billing: copy, rows, names: [...new Set(texts)] } satisfies WrittenOrder
  } finally {
    database.close()
  }
}

type Table = { name: string; key: readonly string[]; unique: readonly string[]; counter: string | null }

function tablesOf(database: DatabaseSync): Table[] {
  const names = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
  return names.map((name) => {
    const columns = database.prepare("select name, type, pk from pragma_table_info(?)").all(name)
    const key = columns.filter(({ pk }) => pk !== 0)
    const indexed = database
      .prepare(
        `select distinct of.name from pragma_index_list(?) as the, pragma_index_info(the.name) as of
          where the."unique" = 1`,
      )
      .all(name)
    const [only] = key
    return {
      name,
      key: key.map((it) => String(it.name)),
      unique: [...new Set([...key, ...indexed].map((it) => String(it.name)))],
      counter: only && key.length === 1 && /^integer$/i.test(String(only.type)) ? String(only.name) : null,
    }
  })
}

function rowsOf(database: DatabaseSync, table: string): Row[] {
  return database.prepare(`select * from ${table}`).all() as Row[]
}

const keyIn = (table: Table) => (row: Row) => JSON.stringify(table.key.map((column) => row[column]))

function renumbered({ counter }: Table, row: Row): Row {
  return counter === null ? row : { ...row, [counter]: null }
}
