import { sql } from "kysely"
import type {
  EntryPlace,
  EntryRange,
  ResellerDetails,
  ResellerEntry,
  ResellerLine,
  ResellerListItem,
  ResellerRange,
} from "~/billing/reseller-admin"
import { customersByEmail } from "../customers/former-emails.server"
import type { DbContext } from "../db/transaction.server"
import { extendedBy, movementOf } from "../reseller-credits/credit-history.server"
import {
  customerAccount,
  grantedCredits,
  resellerCreditBalances,
} from "../reseller-credits/credit-ledger.server"

/** Written out, as in the index of resellers, which no parameter would match. */
const isResellerPlan = sql<boolean>`services.kind = 'reseller'`

/** See `ResellerAdmin.listResellers`. */
export async function listResellers(
  ctx: DbContext,
  range: ResellerRange,
): Promise<readonly ResellerListItem[]> {
  const ids = range.email === undefined ? await idsInRange(ctx, range) : await idsNamed(ctx, range)
  return itemsOf(ctx, ids)
}

/** See `ResellerAdmin.reseller`. */
export async function reseller(ctx: DbContext, id: string): Promise<ResellerDetails | null> {
  const found = await ctx.db
    .selectFrom("services")
    .select("client_id")
    .where("client_id", "=", id)
    .where(isResellerPlan)
    .limit(1)
    .execute()
  const [item] = await itemsOf(
    ctx,
    found.map(({ client_id }) => client_id),
  )
  return item ? { ...item, granted: await grantedCredits(ctx, customerAccount(id)) } : null
}

async function idsInRange({ db }: DbContext, { after, before, limit }: ResellerRange): Promise<string[]> {
  const rows = await db
    .selectFrom("services")
    .select("client_id")
    .distinct()
    .where(isResellerPlan)
    .$if(after !== undefined, (query) => query.where("client_id", ">", after ?? ""))
    .$if(before !== undefined, (query) => query.where("client_id", "<", before ?? ""))
    .orderBy("client_id", before === undefined ? "asc" : "desc")
    .limit(limit)
    .execute()
  return rows.map(({ client_id }) => client_id)
}

async function idsNamed(ctx: DbContext, { email = "", isWhole, limit }: ResellerRange): Promise<string[]> {
  return customersByEmail(ctx, { text: email, isWhole, ofResellers: true, limit })
}

/** In the order of the ids that were given. */
async function itemsOf(ctx: DbContext, ids: readonly string[]): Promise<ResellerListItem[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db
    .selectFrom("clients")
    .innerJoin("services", "services.client_id", "clients.id")
    .innerJoin("orders", "orders.id", "services.order_id")
    .select(["clients.id", "clients.email"])
    .select((row) => [
      row.fn
        .countAll<string | number>()
        .filterWhere(sql<boolean>`services.kind = 'reseller' and services.status = 'Active'`)
        .as("active"),
      row.fn.countAll<string | number>().filterWhere("orders.kind", "=", "line").as("lines"),
    ])
    .where("clients.id", "in", ids)
    .groupBy(["clients.id", "clients.email"])
    .execute()
  const balances = await resellerCreditBalances(ctx, ids.map(customerAccount))
  const items = new Map(
    rows.map(({ id, email, active, lines }): [string, ResellerListItem] => {
      const credits = balances.get(customerAccount(id)) ?? 0
      return [id, { id, email, activePlans: Number(active), lines: Number(lines), credits }]
    }),
  )
  return ids.flatMap((id) => items.get(id) ?? [])
}

/** See `ResellerAdmin.resellerEntries`. A query per side of the ledger uses its index, one query with OR does not. */
export async function resellerEntries(
  ctx: DbContext,
  id: string,
  range: EntryRange,
): Promise<readonly ResellerEntry[]> {
  const account = customerAccount(id)
  const sides = await Promise.all(
    (["from_account", "to_account"] as const).map((side) =>
      entries(ctx, range).where(side, "=", account).execute(),
    ),
  )
  const rows = sides
    .flat()
    .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
    .slice(0, range.limit)
  const found = rows.map((row) => ({ row, movement: movementOf(row, row.to_account === account ? 1 : -1) }))
  const orderIds = found.flatMap(({ movement }) => movement.reference ?? [])
  const extended = await extendedBy(
    ctx,
    found.map(({ movement }) => movement),
  )
  const names = await namesOf(ctx, "order_id", orderIds)
  const ofLines = await namesOf(ctx, "id", [...extended.values()].flat())
  const nameOf = (reference: string) =>
    extended.get(reference)?.map((line) => ofLines.get(line)) ?? [names.get(reference)]
  return found.map(({ row, movement: { cause, amount, reference } }) => ({
    id: row.id,
    at: row.at,
    cause,
    amount,
    reason: row.reason,
    orderId: reference,
    customerName: (reference !== null && namesText(nameOf(reference))) || null,
  }))
}

function entries({ db }: DbContext, { from, until, beyond, limit }: EntryRange) {
  return db
    .selectFrom("credit_entries")
    .selectAll()
    .$if(from !== undefined, (query) => query.where("at", ">=", from ?? 0))
    .$if(until !== undefined, (query) => query.where("at", "<", until ?? 0))
    .$if(beyond !== undefined, (query) =>
      query.where("at", "<=", beyond?.at ?? 0).where(behind("at", beyond)),
    )
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
}

function behind(at: string, beyond: EntryPlace | undefined) {
  const place = sql`(${sql.ref(at)}, id)`
  return sql<boolean>`${place} < (${beyond?.at ?? 0}, ${beyond?.id ?? ""})`
}

const namesText = (names: readonly (string | undefined)[]) => names.filter(Boolean).join(", ")

/** What resellers call the customers of lines, by the line's id or the number of its order. */
async function namesOf(
  { db }: DbContext,
  key: "id" | "order_id",
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom("services")
    .select(["id", "order_id", "notes"])
    .where(key, "in", keys)
    .execute()
  return new Map(rows.map((row) => [row[key], row.notes]))
}

/** See `ResellerAdmin.resellerLines`. */
export async function resellerLines(
  { db }: DbContext,
  id: string,
  { beyond, limit }: { readonly beyond?: EntryPlace | undefined; readonly limit: number },
): Promise<readonly ResellerLine[]> {
  return db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .select(["services.id", "services.notes as customerName", "services.username", "services.status"])
    .select(["services.created_at as createdAt", "services.paid_until as paidUntil"])
    .where("services.client_id", "=", id)
    .where("orders.kind", "=", "line")
    .$if(beyond !== undefined, (query) =>
      query.where(
        sql<boolean>`(services.created_at, services.id) < (${beyond?.at ?? 0}, ${beyond?.id ?? ""})`,
      ),
    )
    .orderBy("services.created_at", "desc")
    .orderBy("services.id", "desc")
    .limit(limit)
    .execute()
}
