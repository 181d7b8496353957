// Executed by Node directly: imports Node's built-in modules only.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { DatabaseSync } from "node:sqlite"
import type { WrittenOrder } from "./order-rows"

/**
 * Reference for the cost of an order without a shop: parses a form and inserts the rows of an order into a copy of the
 * database, in one durable transaction.
 */
const written: WrittenOrder = JSON.parse(readFileSync(process.env.BENCH_ORDER ?? "", "utf8"))
const database = new DatabaseSync(written.billing)
database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on")
const inserts = written.rows.map(({ table, row }) => {
  const columns = Object.keys(row)
  const marks = columns.map(() => "?").join(", ")
  return {
    statement: database.prepare(`insert into ${table} (${columns.join(", ")}) values (${marks})`),
    values: Object.values(row),
  }
})
let orders = 0

createServer(async (request, response) => {
  if (request.method === "GET") return response.end("ready")
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const form = new URLSearchParams(Buffer.concat(parts).toString())
  write(`${form.get("draft")}-${++orders}`)
  response.writeHead(303, { location: `/checkout/waiting?order=${orders}` }).end()
}).listen(Number(process.env.PORT), "127.0.0.1")

function write(own: string) {
  database.exec("begin immediate; pragma defer_foreign_keys = on")
  for (const { statement, values } of inserts) statement.run(...values.map((it) => renamed(it, own)))
  database.exec("commit")
}

/** Each order has unique values, which replace the recorded ones wherever they occur. */
function renamed(value: string | number | null, own: string) {
  const isName = typeof value === "string" && written.names.some((name) => value.includes(name))
  return isName ? `${value}-${own}` : value
}
