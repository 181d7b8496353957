import { BillingError, TrialRefusedError } from "~/billing/billing"
import type { NewOrder } from "~/billing/orders/new-order"
import type { Trials, TriedBy } from "~/billing/orders/trials"
import type { Instant } from "~/domain/calendar"
import { type NewTrial, TRIAL_CLAIMS_KEPT, trialMarks } from "~/domain/catalogue/trial"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"

type Claiming = Pick<NewOrder, "quote" | "at"> & { readonly trial: NewTrial }

/**
 * Notes by which marks a person has a free trial, in the transaction of its order: of two at once, the second waits for the first
 * and is refused. Throws `TrialRefusedError` if a mark was used before, and `BillingError` "refused" if the order is not free.
 */
export async function claimTrial(
  tx: DbContext,
  orderId: string,
  { trial, quote, at }: Claiming,
): Promise<void> {
  if (quote.total.minor !== 0) throw new BillingError("refused", "Invalid quote: a trial is free")
  // In one order of the marks: two transactions cannot wait for each other.
  const rows = trialMarks.flatMap((mark) => {
    const hash = trial.claims[mark]
    return hash === undefined ? [] : [{ mark, hash, order_id: orderId, claimed_at: at }]
  })
  if (rows.length === 0) throw new BillingError("refused", "A trial needs a mark of its person")
  const claimed = await tx.db
    .insertInto("trial_claims")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning("mark")
    .execute()
  const taken = rows.map(({ mark }) => mark).filter((mark) => !claimed.some((it) => it.mark === mark))
  if (taken.length > 0) throw new TrialRefusedError(taken)
}

/** Trials of a database. */
export function trialsOf(ctx: DbContext): Trials {
  return guarded<Trials>(ctx, { claimMailbox, forgiveTrial, deleteOldClaims })
}

async function claimMailbox({ db }: DbContext, of: TriedBy, mailbox: string): Promise<void> {
  const claims = db
    .selectFrom("trial_claims")
    .innerJoin("orders", "orders.id", "trial_claims.order_id")
    .select(["order_id", "claimed_at"])
    .where("mark", "=", "email")
    .orderBy("claimed_at", "desc")
  const claim = await ("orderId" in of
    ? claims.where("orders.id", "=", of.orderId)
    : claims.where("orders.client_id", "=", of.customerId)
  ).executeTakeFirst()
  if (!claim) return
  await db
    .insertInto("trial_claims")
    .values({ ...claim, mark: "email", hash: mailbox })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function forgiveTrial(ctx: DbContext, mailbox: string): Promise<boolean> {
  return inTransaction(ctx, async ({ db }) => {
    const forgiven = await db
      .deleteFrom("trial_claims")
      .where("mark", "=", "email")
      .where("hash", "=", mailbox)
      .returning("order_id")
      .executeTakeFirst()
    if (!forgiven) return false
    // An erased customer's other marks name no order: they are forgotten after their time.
    if (forgiven.order_id !== null)
      await db.deleteFrom("trial_claims").where("order_id", "=", forgiven.order_id).execute()
    return true
  })
}

async function deleteOldClaims({ db }: DbContext, now: Instant): Promise<void> {
  for (const mark of trialMarks)
    await db
      .deleteFrom("trial_claims")
      .where("mark", "=", mark)
      .where("claimed_at", "<=", now - TRIAL_CLAIMS_KEPT[mark])
      .execute()
}
