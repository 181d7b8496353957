import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { CreditAccount } from "../db/schema/credit-rows"
import type { DbContext } from "../db/transaction.server"

export type Transfer = {
  readonly from: CreditAccount
  readonly to: CreditAccount
  /** Above zero: what goes back goes from the other account. */
  readonly amount: number
  /** What causes it; the same cause moves credits once. */
  readonly reference: string
  readonly reason?: string | null
  readonly at: Instant
}

/** The account in which a customer holds his credits. */
export const customerAccount = (customerId: string): CreditAccount => `held ${customerId}`

/**
 * Moves credits from one account to another, inside a transaction: one entry, both balances, so that all accounts
 * together are always zero. False when the same cause has moved them before. Throws `BillingError` "refused" for an
 * amount that is none, and for more than a customer holds.
 */
export async function transfer(ctx: DbContext, request: Transfer): Promise<boolean> {
  const { from, to, amount, reference, reason = null, at } = request
  if (!Number.isSafeInteger(amount) || amount <= 0)
    throw new BillingError("refused", "An amount of credits is a whole number above zero")
  const noted = await ctx.db
    .insertInto("credit_entries")
    .values({ id: ctx.newId(), from_account: from, to_account: to, amount, reference, reason, at })
    .onConflict((conflict) => conflict.column("reference").doNothing())
    .returning("id")
    .executeTakeFirst()
  if (!noted) return false
  // In one order everywhere, so that transfers wait for each other rather than block each other.
  const changes = [
    { account: from, by: -amount },
    { account: to, by: amount },
  ].sort((a, b) => (a.account < b.account ? -1 : 1))
  for (const { account, by } of changes) await change(ctx, account, by)
  return true
}

/** What an account holds; what is issued is held by others, and so below zero. */
export async function creditBalance(ctx: DbContext, account: CreditAccount): Promise<number> {
  return (await creditBalances(ctx, [account])).get(account) ?? 0
}

/** What several accounts hold; those that never held anything are not among them. */
export async function creditBalances(
  { db }: DbContext,
  accounts: readonly CreditAccount[],
): Promise<ReadonlyMap<CreditAccount, number>> {
  if (accounts.length === 0) return new Map()
  const rows = await db.selectFrom("credit_balances").selectAll().where("account", "in", accounts).execute()
  return new Map(rows.map(({ account, balance }) => [account, balance]))
}

async function change({ db }: DbContext, account: CreditAccount, by: number): Promise<void> {
  await db
    .insertInto("credit_balances")
    .values({ account, balance: 0 })
    .onConflict((conflict) => conflict.column("account").doNothing())
    .execute()
  const mayOwe = account === "issued" || by > 0
  const { numUpdatedRows } = await db
    .updateTable("credit_balances")
    .set((row) => ({ balance: row("balance", "+", by) }))
    .where("account", "=", account)
    .$if(!mayOwe, (update) => update.where("balance", ">=", -by))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new BillingError("refused", "There are not so many credits")
}
