import { BillingError } from "~/billing/billing"
import type { ResellerCreditGrant } from "~/billing/reseller-admin"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { storedOf } from "../privacy/erasure.server"
import {
  customerAccount,
  GRANT,
  grantedCredits,
  resellerCreditBalance,
  resellerCreditBalances,
  transfer,
} from "../reseller-credits/credit-ledger.server"

export type ResellerListed = {
  readonly email: string
  /** Number of active reseller plans. */
  readonly active: number
  readonly balance: number
}

/** Lists customers with a reseller plan, by email, with their reseller credits. */
export async function resellers(ctx: DbContext): Promise<readonly ResellerListed[]> {
  const rows = await ctx.db
    .selectFrom("clients")
    .innerJoin("services", "services.client_id", "clients.id")
    .select(["clients.id", "clients.email"])
    .select((row) => row.fn.countAll<number>().filterWhere("services.status", "=", "Active").as("active"))
    .where("services.kind", "=", "reseller")
    .groupBy(["clients.id", "clients.email"])
    .orderBy("clients.email")
    .execute()
  const balances = await resellerCreditBalances(
    ctx,
    rows.map(({ id }) => customerAccount(id)),
  )
  return rows.map(({ id, email, active }) => ({
    email,
    active: Number(active),
    balance: balances.get(customerAccount(id)) ?? 0,
  }))
}

/** See `ResellerAdmin.grantResellerCredits`. */
export async function grantResellerCredits(
  ctx: DbContext,
  { customerId, grantedBefore, ...grant }: ResellerCreditGrant,
): Promise<number | null> {
  if ((await storedOf(ctx, [customerId])).length === 0) return null
  const account = customerAccount(customerId)
  return inTransaction(ctx, async (tx) => {
    await transfer(tx, { ...grant, from: "issued", to: account, reference: `${GRANT}${ctx.newId()}` })
    // Read while the balance is locked: of two grants at once the second reads the first.
    if (grantedBefore !== undefined && (await grantedCredits(tx, account)) > grantedBefore + grant.amount)
      throw new BillingError("refused", "Credits were granted at the same time.")
    return resellerCreditBalance(tx, account)
  })
}
