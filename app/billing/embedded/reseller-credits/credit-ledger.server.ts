import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { ResellerCreditAccount } from "../db/schema/credit-rows"
import type { DbContext } from "../db/transaction.server"

export type Transfer = {
  readonly from: ResellerCreditAccount
  readonly to: ResellerCreditAccount
  /** Positive integer; a reversal swaps the accounts. */
  readonly amount: number
  /** Unique cause of the transfer: a repeated reference moves nothing. */
  readonly reference: string
  readonly reason?: string | null
  readonly at: Instant
}

/** The ledger account of a customer's reseller credits. */
export const customerAccount = (customerId: string): ResellerCreditAccount => `held ${customerId}`

/**
 * Transfers reseller credits between two accounts in the current transaction (double-entry: one ledger entry, two
 * balances; the sum of all balances is always zero). Idempotent: false if the reference was used before. Throws
 * `BillingError` "refused" for an invalid amount, and if the customer's balance is too low.
 */
export async function transfer(ctx: DbContext, request: Transfer): Promise<boolean> {
  const { from, to, amount } = request
  if (!Number.isSafeInteger(amount) || amount <= 0)
    throw new BillingError("refused", "Invalid credit amount: must be a positive integer")
  if (!(await insertEntry(ctx, request))) return false
  // Lock rows in account order, so that concurrent transfers cannot deadlock.
  const changes = [
    { account: from, by: -amount },
    { account: to, by: amount },
  ].sort((a, b) => (a.account < b.account ? -1 : 1))
  for (const { account, by } of changes) await change(ctx, account, by)
  return true
}

/** Appends an entry alone, which changes no balance. False if the reference was used before. */
export async function insertEntry(
  { db, newId }: DbContext,
  { from, to, amount, reference, reason = null, at }: Transfer,
): Promise<boolean> {
  const noted = await db
    .insertInto("credit_entries")
    .values({ id: newId(), from_account: from, to_account: to, amount, reference, reason, at })
    .onConflict((conflict) => conflict.column("reference").doNothing())
    .returning("id")
    .executeTakeFirst()
  return noted !== undefined
}

/** What the reference of a grant of the operator begins with. */
export const GRANT = "operator "

/** Credits that operators have granted to an account. */
export async function grantedCredits({ db }: DbContext, account: ResellerCreditAccount): Promise<number> {
  const { granted } = await db
    .selectFrom("credit_entries")
    .select((row) => row.fn.sum<number | null>("amount").as("granted"))
    .where("to_account", "=", account)
    .where("reference", "like", `${GRANT}%`)
    .executeTakeFirstOrThrow()
  return Number(granted ?? 0)
}

/** Balance of an account; that of `issued` is negative, the counterpart of all customers' balances. */
export async function resellerCreditBalance(ctx: DbContext, account: ResellerCreditAccount): Promise<number> {
  return (await resellerCreditBalances(ctx, [account])).get(account) ?? 0
}

/** Balances of accounts; an account without ledger entries is missing in the map. */
export async function resellerCreditBalances(
  { db }: DbContext,
  accounts: readonly ResellerCreditAccount[],
): Promise<ReadonlyMap<ResellerCreditAccount, number>> {
  if (accounts.length === 0) return new Map()
  const rows = await db.selectFrom("credit_balances").selectAll().where("account", "in", accounts).execute()
  return new Map(rows.map(({ account, balance }) => [account, balance]))
}

/** Locks the balance of an account until the end of the current transaction, and returns it. */
export async function lockBalance(ctx: DbContext, account: ResellerCreditAccount): Promise<number> {
  await insertBalance(ctx, account)
  const { balance } = await ctx.db
    .updateTable("credit_balances")
    .set((row) => ({ balance: row.ref("balance") }))
    .where("account", "=", account)
    .returning("balance")
    .executeTakeFirstOrThrow()
  return balance
}

async function insertBalance({ db }: DbContext, account: ResellerCreditAccount): Promise<void> {
  await db
    .insertInto("credit_balances")
    .values({ account, balance: 0 })
    .onConflict((conflict) => conflict.column("account").doNothing())
    .execute()
}

async function change(ctx: DbContext, account: ResellerCreditAccount, by: number): Promise<void> {
  const { db } = ctx
  await insertBalance(ctx, account)
  const mayOwe = account === "issued" || by > 0
  const { numUpdatedRows } = await db
    .updateTable("credit_balances")
    .set((row) => ({ balance: row("balance", "+", by) }))
    .where("account", "=", account)
    .$if(!mayOwe, (update) => update.where("balance", ">=", -by))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new BillingError("refused", "Not enough reseller credits")
}
