import { setImmediate } from "node:timers/promises"
import { sql } from "kysely"
import type { Instant } from "~/domain/calendar"
import { paidStatuses, payableStatuses } from "~/domain/orders/order-status"
import { ERASED } from "../customers/erased-email.server"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { customerAccount } from "../reseller-credits/credit-ledger.server"
import { erase } from "./erasure.server"

/** Customers per query: small, since a SQLite query blocks the event loop. */
const BATCH = 250

type RetentionRequest = {
  readonly before: Instant
  readonly limit: number
  /** `keep` with external billing: a customer may have purchases there and sign in here to see them. */
  readonly passwords: "erase" | "keep"
}

/**
 * Customers examined per run. The next run continues at the stored cursor, and after the last customer at the first.
 */
const MAX_PER_RUN = 20 * BATCH

const CURSOR = "retention"

/**
 * Retention: erases inactive customers without purchases, see `Customers.eraseInactiveCustomers`. Their last order is
 * at or before `before`; they have no payments, no account credit entries and no reseller credits.
 */
export async function eraseInactiveCustomers(ctx: DbContext, request: RetentionRequest): Promise<number> {
  const from = await cursor(ctx)
  const { found, place } = await search(ctx, from ?? "", request)
  if (found.length === 0 && place === from) return 0
  return inTransaction(ctx, async (tx) => {
    await placeBookmark(tx, place)
    return forget(tx, found, request)
  })
}

type Found = { readonly found: readonly string[]; readonly place: string | null }

/** Inactive customers after the id `from`, and the id to continue after (`place`; null: from the start). */
async function search(ctx: DbContext, from: string, { before, limit }: RetentionRequest): Promise<Found> {
  const found: string[] = []
  let place = from
  for (let examined = 0; examined < MAX_PER_RUN; examined += BATCH) {
    const ids = await clientsAfter(ctx, place)
    const these = new Set(await forgettable(ctx, ids, before))
    found.push(...ids.filter((id) => these.has(id)))
    await setImmediate()
    const last = found[limit - 1]
    if (last !== undefined) return { found: found.slice(0, limit), place: last }
    if (ids.length < BATCH) return { found, place: null }
    place = ids.at(-1) ?? place
  }
  return { found, place }
}

async function cursor({ db }: DbContext): Promise<string | null> {
  const row = await db.selectFrom("cursors").select("place").where("name", "=", CURSOR).executeTakeFirst()
  return row?.place ?? null
}

async function placeBookmark({ db }: DbContext, place: string | null): Promise<void> {
  if (place === null) return void (await db.deleteFrom("cursors").where("name", "=", CURSOR).execute())
  await db
    .insertInto("cursors")
    .values({ name: CURSOR, place })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ place }))
    .execute()
}

/** Checks the customers again in the transaction, and once more after the erasure: a new order prevents it. */
async function forget(
  tx: DbContext,
  ids: readonly string[],
  { before, passwords }: RetentionRequest,
): Promise<number> {
  const still = await forgettable(tx, ids, before)
  await erase(tx, still, passwords)
  if (await orderedSince(tx, still, before))
    throw new WriteConflictError("Customer placed an order during erasure")
  return still.length
}

async function clientsAfter({ db }: DbContext, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom("clients")
    .select("id")
    .where("id", ">", id)
    .orderBy("id")
    .limit(BATCH)
    .execute()
  return rows.map((row) => row.id)
}

async function forgettable({ db }: DbContext, ids: readonly string[], before: Instant): Promise<string[]> {
  if (ids.length === 0) return []
  const orders = db
    .selectFrom("orders")
    .select("client_id")
    .where("client_id", "in", ids)
    .where((row) =>
      row.or([
        row("placed_at", ">", before),
        // An expression: by the bare columns SQLite would read all orders of these statuses, and not those of the customers.
        row(sql<string>`coalesce(status, '')`, "in", [...paidStatuses, ...payableStatuses]),
      ]),
    )
  const rows = await db
    .selectFrom("clients")
    .select("id")
    .where("id", "in", ids)
    .where("email", "!=", ERASED)
    .where("created_at", "<=", before)
    .where("id", "not in", orders)
    .where("id", "not in", db.selectFrom("payments").select("client_id").where("client_id", "in", ids))
    .where(
      "id",
      "not in",
      db.selectFrom("credit_movements").select("client_id").where("client_id", "in", ids),
    )
    .execute()
  const held = await holders(db, ids)
  return rows.map(({ id }) => id).filter((id) => !held.has(id))
}

/** Ids of customers with reseller credits. */
async function holders(db: DbContext["db"], ids: readonly string[]): Promise<ReadonlySet<string>> {
  const accounts = new Map(ids.map((id) => [customerAccount(id), id]))
  const rows = await db
    .selectFrom("credit_balances")
    .select("account")
    .where("account", "in", [...accounts.keys()])
    .where("balance", "!=", 0)
    .execute()
  return new Set(rows.flatMap(({ account }) => accounts.get(account) ?? []))
}

async function orderedSince({ db }: DbContext, ids: readonly string[], before: Instant): Promise<boolean> {
  if (ids.length === 0) return false
  const order = await db
    .selectFrom("orders")
    .select("id")
    .where("client_id", "in", ids)
    .where("placed_at", ">", before)
    .executeTakeFirst()
  return order !== undefined
}
