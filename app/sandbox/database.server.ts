import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS payments (
    id TEXT PRIMARY KEY,
    protocol TEXT NOT NULL,
    key TEXT NOT NULL,
    asked TEXT NOT NULL,
    facts TEXT NOT NULL,
    status TEXT NOT NULL,
    received INTEGER NOT NULL,
    transaction_id TEXT,
    UNIQUE (protocol, key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS reports (
    number INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL,
    protocol TEXT NOT NULL,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
    tries INTEGER NOT NULL,
    due INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS reports_due ON reports (due) WHERE due IS NOT NULL;
`

/** Opens the sandbox's own SQLite database, separate from the shop's. Creates folder and tables. Throws on failure. */
export function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  // No real money is involved: losing the last transactions in a power failure is acceptable and saves a disk flush.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
  database.exec(SCHEMA)
  addColumn(database, "refunded", "INTEGER NOT NULL DEFAULT 0")
  return database
}

/** Adds a column that databases of older versions lack. */
function addColumn(database: DatabaseSync, name: string, type: string): void {
  const columns = database.prepare("SELECT name FROM pragma_table_info('payments')").all()
  if (!columns.some((column) => column.name === name)) {
    database.exec(`ALTER TABLE payments ADD COLUMN ${name} ${type}`)
  }
}

/** Runs work in a transaction; an exception rolls it back. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE")
  try {
    const result = work()
    database.exec("COMMIT")
    return result
  } catch (error) {
    database.exec("ROLLBACK")
    throw error
  }
}
