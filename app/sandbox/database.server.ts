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

/** Opens the sandbox's own books, apart from the shop's: a provider is another company. Throws if it cannot. */
export function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true })
  const books = new DatabaseSync(file)
  // No money moves here: what a power cut takes is nobody's, and the shop need not wait for a second disk flush.
  books.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
  books.exec(SCHEMA)
  addColumn(books, "refunded", "INTEGER NOT NULL DEFAULT 0")
  return books
}

/** Payments of an older sandbox have fewer columns. */
function addColumn(books: DatabaseSync, name: string, type: string): void {
  const columns = books.prepare("SELECT name FROM pragma_table_info('payments')").all()
  if (!columns.some((column) => column.name === name)) {
    books.exec(`ALTER TABLE payments ADD COLUMN ${name} ${type}`)
  }
}

/** All of it or nothing. */
export function inTransaction<T>(books: DatabaseSync, work: () => T): T {
  books.exec("BEGIN IMMEDIATE")
  try {
    const result = work()
    books.exec("COMMIT")
    return result
  } catch (error) {
    books.exec("ROLLBACK")
    throw error
  }
}
