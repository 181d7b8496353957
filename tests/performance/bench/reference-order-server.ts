// Executed by Node directly: imports Node's built-in modules only.
import { readFileSync } from "node:fs"
import { Agent, createServer, request as httpRequest, type IncomingMessage } from "node:http"
import { DatabaseSync } from "node:sqlite"
import type { WrittenOrder } from "./order-rows"

/**
 * Reference for the cost of an order without a shop: parses a form and inserts the rows of an order into a copy of the
 * database, in one durable transaction. With `BENCH_GATEWAY` it then creates the payment there, as the shop does,
 * whose addresses it names (`BENCH_SHOP`): the gateway knows no other.
 */
const gateway = process.env.BENCH_GATEWAY
const connections = new Agent({ keepAlive: true })
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
  const order = ++orders
  write(`${form.get("draft")}-${process.env.PORT}-${order}`)
  const location = gateway ? await paymentAt(gateway, `bench-${order}`) : `/checkout/waiting?order=${order}`
  response.writeHead(303, { location }).end()
}).listen(Number(process.env.PORT), "127.0.0.1")

function write(own: string) {
  database.exec("begin immediate; pragma defer_foreign_keys = on")
  for (const { statement, values } of inserts) statement.run(...values.map((it) => renamed(it, own)))
  database.exec("commit")
}

/** Creates a payment, and returns the page on which it is paid. */
async function paymentAt(url: string, reference: string): Promise<string> {
  const page = `${process.env.BENCH_SHOP}/checkout/waiting`
  const back = { return_url: page, cancel_url: page, callback_url: page }
  const payment = {
    amount: "19.90",
    currency: "EUR",
    reference,
    ...back,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    metadata: { order: reference, locale: "en" },
  }
  const headers = { "content-type": "application/json", "idempotency-key": reference }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  httpRequest(`${url}/payments`, { method: "POST", headers, agent: connections }, resolve)
    .on("error", reject)
    .end(JSON.stringify(payment))
  const answer = await promise
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  const text = Buffer.concat(parts).toString()
  if (answer.statusCode !== 201) throw new Error(`The gateway answered ${answer.statusCode}: ${text}`)
  return JSON.parse(text).url
}

/** Each order has unique values, which replace the recorded ones wherever they occur. */
function renamed(value: string | number | null, own: string) {
  const isName = typeof value === "string" && written.names.some((name) => value.includes(name))
  return isName ? `${value}-${own}` : value
}
