import { sql } from "kysely"
import type { Diagnostic } from "~/billing/diagnostic"
import { MAX_ATTEMPTS } from "~/billing/payment-repository"
import type { Block } from "~/domain/fraud"
import { paidStatuses } from "~/domain/order-status"
import type { DbContext } from "../db/transaction.server"
import { blocks } from "../fraud/block-list.server"
import { addressIn, isWithin } from "../fraud/ip-range"

/** What of the orders looks as if a check had been got round, or a buyer left with nowhere to go: earlier versions let it happen. */
export async function traces(ctx: DbContext): Promise<readonly Diagnostic[]> {
  return [
    await freeOrders(ctx),
    await credit(ctx),
    await manyPayments(ctx),
    await unfinished(ctx),
    await unseenCharacters(ctx),
  ]
}

/** The newest are looked at: what has been given away lately is what an operator can still do something about. */
const MAX_LOOKED_AT = 10_000

/** Orders over nothing were paid before anybody looked where they came from. */
async function freeOrders(ctx: DbContext): Promise<Diagnostic> {
  const what = "blocked visitors"
  const all = await blocks(ctx)
  const first = Math.min(...all.map(({ at }) => at))
  const orders = all.length === 0 ? [] : await unpaidFor(ctx, first)
  const through = orders.filter((order) => all.some((block) => isFrom(block, order)))
  if (through.length === 0) return { ok: true, check: what, message: "no free orders from blocked addresses" }
  return {
    ok: null,
    check: what,
    message: `${through.length} free orders from blocked addresses: ${some(through)}`,
  }
}

type Placed = Awaited<ReturnType<typeof unpaidFor>>[number]

/** Whether an order was placed from where a block had been put before. */
function isFrom({ kind, value, at }: Block, { address, country, placed_at }: Placed): boolean {
  if (placed_at < at) return false
  if (kind === "country") return value === country
  const from = address === null ? null : addressIn(address)
  if (from === null) return false
  return kind === "network" ? isWithin(from, value) : String(from) === value
}

function unpaidFor({ db }: DbContext, since: number) {
  return db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .select(["orders.id", "orders.address", "orders.placed_at", "clients.country"])
    .where("orders.placed_at", ">=", since)
    .where("orders.status", "in", paidStatuses)
    .where("invoices.received", "=", 0)
    .where("orders.decision", "is", null)
    .orderBy("orders.placed_at", "desc")
    .limit(MAX_LOOKED_AT)
    .execute()
}

/** Whoever had not proven the account could use the credit one order had brought once more with each copy of a cookie. */
async function credit({ db }: DbContext): Promise<Diagnostic> {
  const what = "account credit"
  const { rows } = await sql<{ id: string }>`
    select max(orders.id) as id from credit_movements
      join invoices on invoices.id = credit_movements.invoice_id
      join orders on orders.id = invoices.order_id
      where orders.proven = 0 and coalesce(orders.access_scope, '') <> 'account'
      group by credit_movements.client_id, credit_movements.currency
      having sum(credit_movements.amount) < 0`.execute(db)
  if (rows.length === 0)
    return { ok: true, check: what, message: "no unauthenticated order used more than its own credit" }
  return {
    ok: null,
    check: what,
    message: `credit of ${rows.length} customers used by unauthenticated orders beyond their own: ${some(rows)}`,
  }
}

/** Every change of the gateway could open one more payment at a provider. */
async function manyPayments({ db }: DbContext): Promise<Diagnostic> {
  const what = "payment attempts"
  const { rows } = await sql<{ id: string }>`
    select order_id as id from payment_attempts
      group by order_id having count(*) >= ${MAX_ATTEMPTS} order by max(opened_at) desc`.execute(db)
  if (rows.length === 0) return { ok: true, check: what, message: `no order with ${MAX_ATTEMPTS} or more` }
  return {
    ok: null,
    check: what,
    message: `${rows.length} orders with ${MAX_ATTEMPTS} or more: ${some(rows)}`,
  }
}

/** After a part had been paid the finished payment was offered again, so that the rest could not be paid. */
async function unfinished({ db }: DbContext): Promise<Diagnostic> {
  const what = "partial payments"
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select("orders.id")
    .where("orders.status", "in", ["partially-paid", "expired"])
    .whereRef("invoices.received", ">", "invoices.credited")
    .where("invoices.received", ">", 0)
    .orderBy("orders.placed_at", "desc")
    .limit(MAX_LOOKED_AT)
    .execute()
  if (rows.length === 0) return { ok: true, check: what, message: "none unfinished" }
  return {
    ok: null,
    check: what,
    message: `${rows.length} orders partially paid: ${some(rows)}`,
  }
}

/** Characters that a terminal obeys; e-mails with them are refused now. None is longer than one unit. */
const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => code).filter(
  (code) => code > 0 && (code < 0x20 || code > 0x7e),
)

/** An e-mail with control characters was written by somebody who meant to deceive whoever reads it. */
async function unseenCharacters({ db }: DbContext): Promise<Diagnostic> {
  const what = "emails"
  const found = await db
    .selectFrom("clients")
    .select("id")
    .where((it) => it.or(CONTROLS.map((code) => it("email", "like", `%${String.fromCharCode(code)}%`))))
    .execute()
  if (found.length === 0) return { ok: true, check: what, message: "no control characters" }
  return { ok: null, check: what, message: `${found.length} customer emails contain control characters` }
}

function some(orders: readonly { id: string }[]): string {
  const named = orders.slice(0, 5).map(({ id }) => `order ${id}`)
  return [...named, ...(orders.length > 5 ? ["…"] : [])].join(", ")
}
