import type { Instant } from "~/domain/calendar"
import { type Currency, type Money, money } from "~/domain/money"
import type { CreditScope } from "~/domain/order"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { CreditCause, InvoiceRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"

type Invoice = Pick<InvoiceRow, "id" | "client_id" | "currency" | "credited">

type CreditMove = {
  readonly minor: number
  readonly cause: CreditCause
  /** The invoice that had brought what is used here or returned. */
  readonly source?: string | null
  readonly at: Instant
}

/** Moves money from an invoice to its client's credit, or with a negative amount back, inside a transaction. */
export async function moveCredit(
  ctx: DbContext,
  invoice: Invoice,
  { minor, cause, source = null, at }: CreditMove,
): Promise<void> {
  const { id, client_id, currency, credited } = invoice
  const { numUpdatedRows } = await ctx.db
    .updateTable("invoices")
    .set({ credited: credited + minor })
    .where("id", "=", id)
    .where("credited", "=", credited)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Credit of invoice ${id}`)
  const movement = {
    client_id,
    invoice_id: id,
    cause,
    source_invoice_id: source,
    amount: minor,
    currency,
    at,
  }
  await ctx.db
    .insertInto("credit_movements")
    .values({ id: ctx.newId(), ...movement })
    .execute()
  await addToBalance(ctx, { client_id, currency }, minor)
}

/** One amount of credit after the other, so that each starts from what the one before has left on the invoice. */
async function moveEach(
  ctx: DbContext,
  invoice: Invoice,
  parts: readonly Part[],
  why: Pick<CreditMove, "cause" | "at">,
): Promise<void> {
  let { credited } = invoice
  for (const { source, minor } of parts) {
    await moveCredit(ctx, { ...invoice, credited }, { ...why, source, minor })
    credited += minor
  }
}

/** So much of the credit that an invoice (`source`) has brought. */
type Part = { readonly source: string | null; readonly minor: number }

/**
 * Pays an invoice from its client's credit, as far as that goes and as the scope allows; answers how much that is, in
 * minor units. Looked at once more when it is spent: the row of the balance makes others wait, so that what an order has
 * brought is spent once, however many copies of a browser's cookie ask for it.
 */
export async function spendCredit(
  ctx: DbContext,
  invoice: Invoice & Pick<InvoiceRow, "total">,
  { scope, at }: { scope: CreditScope; at: Instant },
): Promise<number> {
  const { client_id: customerId, currency } = invoice
  const held = scope === "none" ? [] : await usableParts(ctx, { customerId, currency, scope })
  const parts = firstOf(held, invoice.total)
  if (parts.length === 0) return 0
  await moveEach(
    ctx,
    invoice,
    parts.map(({ source, minor }) => ({ source, minor: -minor })),
    { cause: "used", at },
  )
  const { total, bySource, unknown } = await creditOnAccount(ctx, { customerId, currency })
  const spare = scope === "account" ? 0 : unknown
  const isOverspent = parts.some(({ source }) => (bySource.get(source ?? "") ?? 0) + spare < 0)
  if (total < 0 || isOverspent) throw new WriteConflictError(`Credit of client ${customerId}`)
  return parts.reduce((sum, { minor }) => sum + minor, 0)
}

/** An order comes to nothing: the credit that was to pay it goes back to where it came from. Answers how much that is. */
export async function returnCredit(ctx: DbContext, invoice: Invoice, at: Instant): Promise<number> {
  const rows = await ctx.db
    .selectFrom("credit_movements")
    .select(["source_invoice_id", "amount"])
    .where("invoice_id", "=", invoice.id)
    .where("cause", "in", ["used", "returned"])
    .execute()
  const used = new Map<string | null, number>()
  for (const { source_invoice_id: source, amount } of rows)
    used.set(source, (used.get(source) ?? 0) - Number(amount))
  const parts = [...used].map(([source, minor]) => ({ source, minor })).filter(({ minor }) => minor > 0)
  await moveEach(ctx, invoice, parts, { cause: "returned", at })
  return parts.reduce((sum, { minor }) => sum + minor, 0)
}

type Account = { readonly customerId: string; readonly currency: Currency }

/** What may be used of a client's credit: never below zero. */
export async function usableCredit(
  ctx: DbContext,
  account: Account & { scope: CreditScope },
): Promise<Money> {
  const parts = account.scope === "none" ? [] : await usableParts(ctx, account)
  return money(
    parts.reduce((sum, { minor }) => sum + minor, 0),
    account.currency,
  )
}

/** What may be used, the oldest first: never more than the account holds. */
async function usableParts(
  ctx: DbContext,
  { scope, ...account }: Account & { scope: CreditScope },
): Promise<Part[]> {
  const { total, bySource, unknown } = await creditOnAccount(ctx, account)
  if (scope === "account") return firstOf(partsOf(bySource), total)
  const source = await invoiceOf(ctx, account.customerId, scope)
  // What was spent before anybody wrote down from where may have been this order's.
  const minor = Math.min(total, (bySource.get(source ?? "") ?? 0) + unknown)
  return source !== null && minor > 0 ? [{ source, minor }] : []
}

function partsOf(bySource: ReadonlyMap<string, number>): Part[] {
  return [...bySource].map(([source, minor]) => ({ source, minor })).filter(({ minor }) => minor > 0)
}

/** The first parts, up to a sum. */
function firstOf(parts: readonly Part[], limit: number): Part[] {
  const taken: Part[] = []
  let left = limit
  for (const { source, minor } of parts) {
    if (left <= 0) break
    taken.push({ source, minor: Math.min(minor, left) })
    left -= minor
  }
  return taken
}

/** What an invoice has been paid with from its client's credit and has not given back, in minor units. */
export async function creditUsed({ db }: DbContext, invoiceId: string): Promise<number> {
  const row = await db
    .selectFrom("credit_movements")
    .select((of) => of.fn.sum<number | null>("amount").as("amount"))
    .where("invoice_id", "=", invoiceId)
    .where("cause", "in", ["used", "returned"])
    .executeTakeFirst()
  return -Number(row?.amount ?? 0)
}

/** The invoice of the order that a scope names, if that order is the customer's. */
async function invoiceOf({ db }: DbContext, customerId: string, scope: CreditScope): Promise<string | null> {
  const row = await db
    .selectFrom("invoices")
    .select("id")
    .where("order_id", "=", scope.slice("order ".length))
    .where("client_id", "=", customerId)
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * A client's credit in a currency, in minor units: all of it (below zero: what was refunded after it had been spent),
 * and what is left of each invoice's, the oldest first. `unknown`, at most zero: what was spent without a source.
 */
async function creditOnAccount(
  { db }: DbContext,
  { customerId, currency }: Account,
): Promise<{ total: number; bySource: ReadonlyMap<string, number>; unknown: number }> {
  const rows = await db
    .selectFrom("credit_movements")
    .select(["invoice_id", "cause", "source_invoice_id", "amount"])
    .where("client_id", "=", customerId)
    .where("currency", "=", currency)
    .orderBy("at")
    .orderBy("id")
    .execute()
  const bySource = new Map<string, number>()
  let [total, unknown] = [0, 0]
  for (const { invoice_id, cause, source_invoice_id, amount } of rows) {
    const source = cause === "used" || cause === "returned" ? source_invoice_id : invoice_id
    total += Number(amount)
    if (source === null) unknown += Number(amount)
    else bySource.set(source, (bySource.get(source) ?? 0) + Number(amount))
  }
  return { total, bySource, unknown }
}

/** What a client has to his credit, one amount per currency. */
export async function creditOf({ db }: DbContext, clientId: string): Promise<readonly Money[]> {
  const rows = await db.selectFrom("credits").selectAll().where("client_id", "=", clientId).execute()
  return rows.map(({ balance, currency }) => money(Number(balance), currency))
}

async function addToBalance(
  { db }: DbContext,
  { client_id, currency }: Pick<Invoice, "client_id" | "currency">,
  minor: number,
): Promise<void> {
  await db
    .insertInto("credits")
    .values({ client_id, currency, balance: minor })
    .onConflict((conflict) =>
      conflict
        .columns(["client_id", "currency"])
        .doUpdateSet((row) => ({ balance: row("credits.balance", "+", row.ref("excluded.balance")) })),
    )
    .execute()
}
