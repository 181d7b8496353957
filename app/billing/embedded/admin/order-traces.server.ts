import { sql } from "kysely"
import type { Diagnostic } from "~/billing/diagnostic"
import { MAX_ATTEMPTS } from "~/billing/payments/payment-repository"
import type { Block } from "~/domain/orders/fraud"
import { paidStatuses } from "~/domain/orders/order-status"
import { ipAddress, isWithin } from "~/http/ip-address.server"
import type { DbContext } from "../db/transaction.server"
import { blocks } from "../fraud/block-list.server"

/** Finds orders that bypassed a check, or left the buyer unable to continue, because of bugs in earlier versions. */
export async function traces(ctx: DbContext): Promise<readonly Diagnostic[]> {
  return [
    await freeOrders(ctx),
    await balancedAccountCredit(ctx),
    await manyPayments(ctx),
    await unfinished(ctx),
    await invisibleCharacters(ctx),
  ]
}

/** Maximum orders per check. The newest are checked, because the operator can still act on them. */
const MAX_LOOKED_AT = 10_000

/** Earlier versions marked free orders as paid before the fraud check. */
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

/** Whether an order came from an address, network or country that was already blocked. */
function isFrom({ kind, value, at }: Block, { address, country, placed_at }: Placed): boolean {
  if (placed_at < at) return false
  if (kind === "country") return value === country
  const from = ipAddress(address)
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

/** In earlier versions, each copy of an unauthenticated session cookie could spend the credit of one order again. */
async function balancedAccountCredit({ db }: DbContext): Promise<Diagnostic> {
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

/** In earlier versions, every change of gateway could create one more payment at a provider. */
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

/** After a partial payment, earlier versions offered the finished payment again, so the rest could not be paid. */
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

/** Control characters, which terminals interpret; new emails with them are rejected. Each is one UTF-16 unit. */
const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => code).filter(
  (code) => code > 0 && (code < 0x20 || code > 0x7e),
)

/** Control characters in an email suggest an attempt to manipulate the terminal that displays it. */
async function invisibleCharacters({ db }: DbContext): Promise<Diagnostic> {
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
