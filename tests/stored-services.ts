import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { z } from "zod"

const Service = z.object({
  ...{ id: z.string(), username: z.string(), status: z.string(), connections: z.int() },
  device_address: z.string().nullable(),
  notes: z.string(),
})

/** The services a shop on SQLite has stored, read from its file while it runs. */
export function storedServices(dataDir: string): z.output<typeof Service>[] {
  const books = new DatabaseSync(join(dataDir, "books.db"), { readOnly: true })
  try {
    const columns = "id, username, status, connections, device_address, notes"
    return z.array(Service).parse(books.prepare(`SELECT ${columns} FROM services ORDER BY id`).all())
  } finally {
    books.close()
  }
}
