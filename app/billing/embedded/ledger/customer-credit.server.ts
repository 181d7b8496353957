import type { ExpressionBuilder } from "kysely"
import { BillingError } from "~/billing/billing"
import type { AccountCreditGrant, GrantedBefore } from "~/billing/customers/customer-admin"
import type { AccountCreditCause } from "~/billing/payments/account-credit-cause"
import type { Instant } from "~/domain/calendar"
import { type Currency, type Money, money } from "~/domain/money/money"
import type { AccountCreditScope } from "~/domain/orders/order"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { AccountCreditMovementRow, InvoiceRow } from "../db/schema/payment-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { recordCreditGranted } from "../webhooks/other-events.server"
import { onItsWayOf } from "./refund-on-its-way.server"

type Invoice = Pick<InvoiceRow, "id" | "client_id" | "currency" | "credited">

type AccountCreditMove = {
  readonly minor: number
  readonly cause: AccountCreditCause
  /** What the used or returned account credit came from, an invoice or a grant; null if unknown. */
  readonly source?: string | null
  readonly at: Instant
}

/**
 * Moves money from an invoice to the customer's account credit in the current transaction; a negative amount moves it
 * back. Throws `WriteConflictError` if another writer changed `credited`.
 */
export async function moveAccountCredit(
  ctx: DbContext,
  invoice: Invoice,
  { minor, cause, source = null, at }: AccountCreditMove,
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
    reason: null,
    grant_key: null,
    at,
  }
  await ctx.db
    .insertInto("credit_movements")
    .values({ id: ctx.newId(), ...movement })
    .execute()
  await addToBalance(ctx, { client_id, currency }, minor)
}

/** Moves several parts one after the other, since each move checks `credited` as the previous one left it. */
async function moveEach(
  ctx: DbContext,
  invoice: Invoice,
  parts: readonly Part[],
  why: Pick<AccountCreditMove, "cause" | "at">,
): Promise<void> {
  let { credited } = invoice
  for (const { source, minor } of parts) {
    await moveAccountCredit(ctx, { ...invoice, credited }, { ...why, source, minor })
    credited += minor
  }
}

/** An amount in minor units of the account credit that came from the invoice or grant `source`. */
export type Part = { readonly source: string | null; readonly minor: number }

/** The sum of parts, in minor units. */
export function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { minor }) => sum + minor, 0)
}

/**
 * Pays an invoice from the customer's account credit within the scope. Returns the amount used, in minor units. Reads
 * the credit again after spending, while the updated balance row is locked. So credit of one order is spent once, even
 * by concurrent orders with copies of the same cookie. Throws `WriteConflictError` if it was overspent.
 */
export async function spendAccountCredit(
  ctx: DbContext,
  invoice: Invoice & Pick<InvoiceRow, "total">,
  { scope, at }: { scope: AccountCreditScope; at: Instant },
): Promise<number> {
  const { client_id: customerId, currency } = invoice
  const held = scope === "none" ? [] : await usableParts(ctx, { customerId, currency, scope })
  return spendParts(ctx, invoice, { parts: firstOf(held, invoice.total), scope, at })
}

/** Spends parts of the account credit that were usable. Returns their sum, in minor units: see `spendAccountCredit`. */
export async function spendParts(
  ctx: DbContext,
  invoice: Invoice,
  { parts, scope, at }: { parts: readonly Part[]; scope: AccountCreditScope; at: Instant },
): Promise<number> {
  if (parts.length === 0) return 0
  const { client_id: customerId, currency } = invoice
  await moveEach(
    ctx,
    invoice,
    parts.map(({ source, minor }) => ({ source, minor: -minor })),
    { cause: "used", at },
  )
  const { total, bySource, unknown } = await accountCreditBySource(ctx, { customerId, currency })
  const spare = scope === "account" ? 0 : unknown
  const isOverspent = parts.some(({ source }) => (bySource.get(source ?? "") ?? 0) + spare < 0)
  if (total < 0 || isOverspent) throw new WriteConflictError(`Credit of client ${customerId}`)
  return sumOf(parts)
}

/**
 * What an invoice whose order ended unpaid has returned of account credit and could spend again: of the same sources, as far as
 * they are usable still, and no more than `limit` in minor units.
 */
export async function returnedParts(
  ctx: DbContext,
  { id, client_id: customerId, currency }: Invoice,
  { scope, limit }: { scope: AccountCreditScope; limit: number },
): Promise<readonly Part[]> {
  if (scope === "none") return []
  const rows = await ctx.db
    .selectFrom("credit_movements")
    .select(["source_invoice_id", "amount"])
    .where("invoice_id", "=", id)
    .where("cause", "=", "returned")
    .execute()
  if (rows.length === 0) return []
  const returned = new Map<string | null, number>()
  for (const { source_invoice_id: source, amount } of rows)
    returned.set(source, (returned.get(source) ?? 0) + Number(amount))
  const usable = await usableParts(ctx, { customerId, currency, scope })
  const again = usable.map(({ source, minor }) => ({
    source,
    minor: Math.min(minor, returned.get(source) ?? 0),
  }))
  return firstOf(
    again.filter(({ minor }) => minor > 0),
    limit,
  )
}

/**
 * Returns the account credit used for an invoice to its sources, no more than `limit` in minor units. Returns the amount in minor
 * units.
 */
export async function returnAccountCredit(
  ctx: DbContext,
  invoice: Invoice,
  { at, limit = Number.POSITIVE_INFINITY }: { readonly at: Instant; readonly limit?: number },
): Promise<number> {
  const rows = await ctx.db
    .selectFrom("credit_movements")
    .select(["source_invoice_id", "amount"])
    .where("invoice_id", "=", invoice.id)
    .where("cause", "in", ["used", "returned"])
    .orderBy("at")
    .orderBy("id")
    .execute()
  const used = new Map<string | null, number>()
  for (const { source_invoice_id: source, amount } of rows)
    used.set(source, (used.get(source) ?? 0) - Number(amount))
  const held = [...used].map(([source, minor]) => ({ source, minor })).filter(({ minor }) => minor > 0)
  const parts = firstOf(held, limit)
  await moveEach(ctx, invoice, parts, { cause: "returned", at })
  return sumOf(parts)
}

type CustomerCurrency = { readonly customerId: string; readonly currency: Currency }

/** Usable account credit of a customer within a scope, at least zero. */
export async function usableAccountCredit(
  ctx: DbContext,
  owner: CustomerCurrency & { scope: AccountCreditScope },
): Promise<Money> {
  const parts = owner.scope === "none" ? [] : await usableParts(ctx, owner)
  return money(sumOf(parts), owner.currency)
}

/** Usable parts of the account credit, oldest first; their sum never exceeds the balance. */
async function usableParts(
  ctx: DbContext,
  { scope, ...owner }: CustomerCurrency & { scope: AccountCreditScope },
): Promise<Part[]> {
  // The external billing would ask for the full price all the same.
  if (ctx.isCreditExternal) return []
  const { total, bySource, unknown } = await accountCreditBySource(ctx, owner)
  if (scope === "account") return firstOf(partsOf(bySource), total)
  const source = await invoiceOf(ctx, owner.customerId, scope)
  // Credit used before sources were recorded may have come from this order, so it reduces the amount.
  const minor = Math.min(total, (bySource.get(source ?? "") ?? 0) + unknown)
  return source !== null && minor > 0 ? [{ source, minor }] : []
}

function partsOf(bySource: ReadonlyMap<string, number>): Part[] {
  return [...bySource].map(([source, minor]) => ({ source, minor })).filter(({ minor }) => minor > 0)
}

/** The first parts up to `limit` in total, in minor units; the last part is cut. */
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

/** Sum of the account credit used for the invoice of the query and not returned, in minor units; at most zero, or null. */
export function usedCreditOf({ selectFrom }: ExpressionBuilder<Tables, "invoices">) {
  return selectFrom("credit_movements")
    .select((of) => of.fn.sum<number | null>("credit_movements.amount").as("amount"))
    .whereRef("credit_movements.invoice_id", "=", "invoices.id")
    .where("credit_movements.cause", "in", ["used", "returned"])
}

/**
 * Sum of what refunds have given as account credit of payments of the query's invoice, in minor units, less what the gateway has paid back
 * of it since; null: none.
 */
export function refundedToCreditOf({ selectFrom }: ExpressionBuilder<Tables, "invoices">) {
  return selectFrom("credit_movements")
    .select((of) => of.fn.sum<number | null>("credit_movements.amount").as("amount"))
    .whereRef("credit_movements.invoice_id", "=", "invoices.id")
    .where("credit_movements.cause", "=", "refunded")
}

/** What refunds have given as account credit of an order's payments, as above, and without what the gateway has paid back of it. */
export async function refundedToCredit(
  { db }: DbContext,
  orderId: string,
): Promise<{ readonly left: number; readonly given: number }> {
  const row = await db
    .selectFrom("invoices")
    .select((of) => [
      refundedToCreditOf(of).as("left"),
      refundedToCreditOf(of).where("credit_movements.amount", ">", 0).as("given"),
    ])
    .where("order_id", "=", orderId)
    .executeTakeFirst()
  return { left: Number(row?.left ?? 0), given: Number(row?.given ?? 0) }
}

/** Account credit used for an order and not returned, in minor units. */
export async function usedAccountCredit({ db }: DbContext, orderId: string): Promise<number> {
  const row = await db
    .selectFrom("invoices")
    .select((of) => usedCreditOf(of).as("amount"))
    .where("order_id", "=", orderId)
    .executeTakeFirst()
  return -Number(row?.amount ?? 0)
}

/** Invoice id of the order named by the scope; null if the order is another customer's. */
async function invoiceOf(
  { db }: DbContext,
  customerId: string,
  scope: AccountCreditScope,
): Promise<string | null> {
  const row = await db
    .selectFrom("invoices")
    .select("id")
    .where("order_id", "=", scope.slice("order ".length))
    .where("client_id", "=", customerId)
    .executeTakeFirst()
  return row?.id ?? null
}

type AccountCredit = { total: number; bySource: ReadonlyMap<string, number>; unknown: number }

/**
 * A customer's account credit in a currency, in minor units, without what a gateway is paying back: the refund takes it back when it is
 * sent. `total` is negative after a refund of credit already spent. `bySource`: remaining credit by source (an invoice, or what an
 * operator has granted), oldest first. `unknown`: credit spent without a recorded source, at most zero.
 */
async function accountCreditBySource(ctx: DbContext, owner: CustomerCurrency): Promise<AccountCredit> {
  const { total, bySource, unknown } = await movedCredit(ctx, owner)
  const held = partsOf(bySource)
  const reserved = await reservedFor(
    ctx,
    held.flatMap(({ source }) => source ?? []),
  )
  const left = new Map(bySource)
  let free = total
  for (const { source, minor } of held) {
    const goesBack = Math.min(minor, reserved.get(source ?? "") ?? 0)
    free -= goesBack
    if (source !== null) left.set(source, minor - goesBack)
  }
  return { total: free, bySource: left, unknown }
}

/** What gateways are paying back of invoices, by the invoice, in minor units. */
async function reservedFor(
  { db }: DbContext,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("invoices")
    .select(["id", (of) => onItsWayOf(of).as("on_its_way")])
    .where("id", "in", invoiceIds)
    .execute()
  return new Map(rows.map(({ id, on_its_way }) => [id, Number(on_its_way)]))
}

/** The account credit by its movements. */
async function movedCredit(
  { db }: DbContext,
  { customerId, currency }: CustomerCurrency,
): Promise<AccountCredit> {
  const rows = await db
    .selectFrom("credit_movements")
    .select(["id", "invoice_id", "cause", "source_invoice_id", "amount"])
    .where("client_id", "=", customerId)
    .where("currency", "=", currency)
    .orderBy("at")
    .orderBy("id")
    .execute()
  const bySource = new Map<string, number>()
  let [total, unknown] = [0, 0]
  for (const row of rows) {
    const source = sourceOf(row)
    const amount = Number(row.amount)
    total += amount
    if (source === null) unknown += amount
    else bySource.set(source, (bySource.get(source) ?? 0) + amount)
  }
  return { total, bySource, unknown }
}

type Sourced = Pick<AccountCreditMovementRow, "id" | "invoice_id" | "cause" | "source_invoice_id">

/** Null: spent before sources were recorded. */
function sourceOf({ id, invoice_id, cause, source_invoice_id }: Sourced): string | null {
  if (cause === "used" || cause === "returned") return source_invoice_id
  return invoice_id ?? id
}

/** Account credit of a customer, one amount per currency. */
export async function accountCreditOf({ db }: DbContext, clientId: string): Promise<readonly Money[]> {
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

/** Adds credit that no payment has bought: see `CustomerAdmin.grantAccountCredit`. */
export async function grantAccountCredit(
  ctx: DbContext,
  clientId: string,
  { key, amount, reason, at, grantedBefore }: AccountCreditGrant,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const isGiven = await giveAccountCredit(tx, clientId, { key, amount, reason, at, cause: "granted" })
    if (isGiven && grantedBefore) await checkGranted(tx, clientId, { amount, ...grantedBefore })
    if (isGiven) await recordCreditGranted(tx, clientId, { amount, at })
    return isGiven
  })
}

/** Read after granting, while the updated balance row is locked: of two grants at once the second reads the first. */
async function checkGranted(
  { db }: DbContext,
  clientId: string,
  { amount, since, minor }: GrantedBefore & Pick<AccountCreditGrant, "amount">,
): Promise<void> {
  const { granted } = await db
    .selectFrom("credit_movements")
    .select((row) => row.fn.sum<number | null>("amount").as("granted"))
    .where("client_id", "=", clientId)
    .where("cause", "=", "granted")
    .where("currency", "=", amount.currency)
    .where("at", ">", since)
    .executeTakeFirstOrThrow()
  if (Number(granted ?? 0) > minor + amount.minor)
    throw new BillingError("refused", "Account credit was granted at the same time.")
}

type AccountCreditGift = AccountCreditGrant & {
  readonly cause: Extract<AccountCreditCause, "granted" | "refunded">
}

/** Adds credit that comes from no invoice, in the current transaction. False if the key was used before: nothing is added. */
export async function giveAccountCredit(
  ctx: DbContext,
  clientId: string,
  { key, amount, reason, at, cause }: AccountCreditGift,
): Promise<boolean> {
  const given = await ctx.db
    .insertInto("credit_movements")
    .values({
      id: ctx.newId(),
      client_id: clientId,
      invoice_id: null,
      cause,
      source_invoice_id: null,
      amount: amount.minor,
      currency: amount.currency,
      reason,
      grant_key: key,
      at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst()
  if (given) await addToBalance(ctx, { client_id: clientId, currency: amount.currency }, amount.minor)
  return given !== undefined
}
