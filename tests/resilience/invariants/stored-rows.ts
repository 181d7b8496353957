import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { z } from "zod"

/** PostgreSQL returns bigint columns as text. */
const whole = z.coerce.number().int()
const text = z.string()

const shapes = {
  orders: z.object({
    id: text,
    kind: z.enum(["plan", "reseller", "line", "upsell", "renewal", "reseller-credits"]),
    status: text,
    client_id: text,
    service_id: text,
    one_time_key: text,
    promo_key: text.nullable(),
    deadline: whole,
  }),
  order_lines: z.object({ order_id: text, kind: text, amount: whole, quantity: whole.nullable() }),
  order_events: z.object({ order_id: text, kind: text, amount: whole.nullable() }),
  invoices: z.object({
    id: text,
    order_id: text,
    client_id: text,
    status: text,
    currency: text,
    total: whole,
    received: whole,
    credited: whole,
  }),
  services: z.object({
    id: text,
    order_id: text,
    client_id: text,
    status: text,
    username: text,
    password: text,
    connections: whole,
    host: text.nullable(),
  }),
  payment_attempts: z.object({ id: text, order_id: text, payment_id: text.nullable(), received: whole }),
  payments: z.object({
    invoice_id: text,
    attempt_id: text,
    gateway: text,
    amount: whole,
    currency: text,
    transaction_id: text.nullable(),
  }),
  credits: z.object({ client_id: text, currency: text, balance: whole }),
  credit_movements: z.object({ client_id: text, invoice_id: text.nullable(), amount: whole, currency: text }),
  credit_entries: z.object({ from_account: text, to_account: text, amount: whole, reference: text }),
  credit_balances: z.object({ account: text, balance: whole }),
  promotions: z.object({ code_key: text, uses: whole, max_uses: whole.nullable() }),
  outbox: z.object({ topic: text, subject: text, state: text, reason: text.nullable() }),
  external_orders: z.object({ order_id: text, state: text, their_order_id: text.nullable() }),
  clients: z.object({ id: text, email: text }),
  tax_documents: z.object({ kind: text, year: whole, sequence: whole, order_id: text, position: whole }),
}

type TableName = keyof typeof shapes

/** The stored rows that the invariants check. */
export type StoredRows = { [T in TableName]: z.output<(typeof shapes)[T]>[] }

const names = Object.keys(shapes) as TableName[]

/** Reads the rows of a SQLite database from its file, whether it is in use or not. */
export function rowsInFile(file: string): StoredRows {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return parsed((name) => database.prepare(`SELECT * FROM ${name}`).all())
  } finally {
    database.close()
  }
}

/** Reads the rows of a PostgreSQL database in one snapshot. */
export async function rowsAt(databaseUrl: string): Promise<StoredRows> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    const read = new Map<TableName, unknown[]>()
    for (const name of names) read.set(name, (await client.query(`SELECT * FROM ${name}`)).rows)
    return parsed((name) => read.get(name) ?? [])
  } finally {
    await client.end()
  }
}

function parsed(read: (name: TableName) => unknown[]): StoredRows {
  const rows = names.map((name) => [name, z.array<z.ZodType>(shapes[name]).parse(read(name))])
  return Object.fromEntries(rows) as StoredRows
}
