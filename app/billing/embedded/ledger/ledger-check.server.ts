import { sql } from "kysely"
import type { DbContext } from "../db/transaction.server"

/**
 * Checks balances against their ledgers; returns one message per violated invariant, none if all hold. Invariants:
 * received = sum of payments; credited = sum of credit movements of the invoice; account credit = sum of credit
 * movements of the customer; each reseller credit account = sum of its ledger entries.
 */
export async function findImbalances(ctx: DbContext): Promise<readonly string[]> {
  const found = await Promise.all(accounts.map((it) => it.differing(ctx)))
  return accounts.flatMap(({ values: message }, at) => (found[at] ? [`${message}: ${found[at]}`] : []))
}

type Account = { readonly values: string; differing(ctx: DbContext): Promise<number> }

const accounts: readonly Account[] = [
  {
    values: "invoices whose received amount differs from their payments",
    differing: (ctx) =>
      counted(
        ctx,
        sql`invoices where received <>
          coalesce((select sum(amount) from payments where invoice_id = invoices.id), 0)`,
      ),
  },
  {
    values: "invoices whose credited amount differs from the credit ledger",
    differing: (ctx) =>
      counted(
        ctx,
        sql`invoices where credited <>
          coalesce((select sum(amount) from credit_movements where invoice_id = invoices.id), 0)`,
      ),
  },
  {
    values: "customers whose account credit differs from the credit ledger",
    differing: (ctx) =>
      counted(
        ctx,
        sql`(select client_id, currency from
          (select client_id, currency, amount from credit_movements
           union all select client_id, currency, -balance from credits) as moved
          group by client_id, currency having sum(amount) <> 0) as differing`,
      ),
  },
  {
    values: "reseller credit accounts that differ from their ledger",
    differing: (ctx) =>
      counted(
        ctx,
        sql`(select account from
          (select to_account as account, amount from credit_entries
           union all select from_account, -amount from credit_entries
           union all select account, -balance from credit_balances) as moved
          group by account having sum(amount) <> 0) as differing`,
      ),
  },
]

async function counted({ db }: DbContext, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
