import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { z } from "zod"

const Order = z.object({ id: z.string(), status: z.string(), total: z.int(), received: z.int() })
const Movement = z.object({ amount: z.int() })
const Service = z.object({ status: z.string(), username: z.string(), password: z.string() })
const Attempt = z.object({ status: z.string(), url: z.string().nullable() })

/** All that a shop on SQLite has stored, read from its file, whether it runs or not. Amounts are minor units. */
export function storedBooks(dataDir: string) {
  const books = new DatabaseSync(join(dataDir, "books.db"), { readOnly: true })
  try {
    return {
      orders: z.array(Order).parse(
        books
          .prepare(
            `SELECT orders.id, orders.status, invoices.total, invoices.received
               FROM orders JOIN invoices ON invoices.order_id = orders.id`,
          )
          .all(),
      ),
      movements: z.array(Movement).parse(books.prepare("SELECT amount FROM payments").all()),
      credit: z.array(Movement).parse(books.prepare("SELECT amount FROM credit_movements").all()),
      services: z
        .array(Service)
        .parse(books.prepare("SELECT status, username, password FROM services").all()),
      attempts: z.array(Attempt).parse(books.prepare("SELECT status, url FROM payment_attempts").all()),
      clients: books.prepare("SELECT id FROM clients").all().length,
    }
  } finally {
    books.close()
  }
}

/** Every row of every table but some, as text: nothing has been written while it stays the same. */
export function allWritten(dataDir: string, but: readonly string[] = []): string {
  const books = watchedBooks(dataDir, but)
  try {
    return books.written()
  } finally {
    books.close()
  }
}

/** The same for looking often: it is read anew only when somebody has written anything at all. */
export function watchedBooks(dataDir: string, but: readonly string[]) {
  const books = new DatabaseSync(join(dataDir, "books.db"), { readOnly: true })
  const version = books.prepare("PRAGMA data_version")
  let [seen, text]: [unknown, string] = [null, ""]
  return {
    written(): string {
      const now = version.get()?.data_version
      if (now !== seen) [seen, text] = [now, rowsIn(books, but)]
      return text
    },
    close: () => books.close(),
  }
}

function rowsIn(books: DatabaseSync, but: readonly string[]): string {
  const tables = books.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
  const names = tables.map(({ name }) => String(name)).filter((name) => !but.includes(name))
  return JSON.stringify(names.map((name) => [name, books.prepare(`SELECT * FROM "${name}"`).all()]))
}
