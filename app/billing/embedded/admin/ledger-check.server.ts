import { sql } from "kysely"
import type { DbContext } from "../db/transaction.server"

/**
 * What of the money and the credits does not come to zero, in words; nothing where all is well. What invoices have
 * received is what was paid, what went to credit is what moved there, what customers hold is the sum of it, and of the
 * resellers' credits every one that is held has been issued.
 */
export async function findImbalances(books: DbContext): Promise<readonly string[]> {
  const found = await Promise.all(accounts.map((it) => it.differing(books)))
  return accounts.flatMap(({ words }, at) => (found[at] ? [`${words}: ${found[at]}`] : []))
}

type Account = { readonly words: string; differing(books: DbContext): Promise<number> }

const accounts: readonly Account[] = [
  {
    words: "invoices that have received something else than was paid for them",
    differing: (books) =>
      counted(
        books,
        sql`invoices where received <>
          coalesce((select sum(amount) from payments where invoice_id = invoices.id), 0)`,
      ),
  },
  {
    words: "invoices that have given something else to credit than was moved",
    differing: (books) =>
      counted(
        books,
        sql`invoices where credited <>
          coalesce((select sum(amount) from credit_movements where invoice_id = invoices.id), 0)`,
      ),
  },
  {
    words: "customers who have another credit than their movements come to",
    differing: (books) =>
      counted(
        books,
        sql`(select client_id, currency from
          (select client_id, currency, amount from credit_movements
           union all select client_id, currency, -balance from credits) as moved
          group by client_id, currency having sum(amount) <> 0) as differing`,
      ),
  },
  {
    words: "accounts of resellers' credits that hold something else than was moved",
    differing: (books) =>
      counted(
        books,
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
