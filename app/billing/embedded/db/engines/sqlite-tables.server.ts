import { existsSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { SECOND } from "~/domain/calendar"

/**
 * Names of the tables in a SQLite file, which stays unchanged; empty if the file is missing or empty. Throws the error of
 * `node:sqlite` if it is not a database.
 */
export function tablesInSqliteFile(file: string): readonly string[] {
  if (!existsSync(file) || statSync(file).size === 0) return []
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5 * SECOND })
  try {
    const rows = database.prepare("select name from sqlite_schema where type = 'table' order by name").all()
    return rows.map(({ name }) => String(name))
  } finally {
    database.close()
  }
}
