import type { Instant } from "~/domain/calendar"
import type { DbContext } from "../db/transaction.server"
import { insertEntry, lockBalance, type Transfer, transfer } from "./credit-ledger.server"
import { creditsOwed } from "./owed-credits.server"
import { planRounds, roundReference } from "./plan-rounds.server"
import { tellCredits } from "./sold-credits.server"

/**
 * Takes back the credits of a reseller plan whose payment was paid back as a whole, in the current transaction: as many as the
 * reseller still has. The rest is owed (`creditsOwed`), so the refund has an entry also if none is left. Idempotent until the plan
 * is paid again.
 */
export async function takeBackPlanCredits(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
  const rounds = await planRounds(ctx, orderId)
  const [first, last] = [rounds[0], rounds.at(-1)]
  if (!first || last?.taken !== null) return
  const { account: from, granted } = first
  // A line that is created meanwhile waits, and finds what is left.
  const amount = Math.min(granted, await lockBalance(ctx, from))
  const reference = roundReference("refund", orderId, rounds.length)
  await enter(ctx, orderId, { from, to: "issued", amount, reference, at })
}

/**
 * Gives the credits of a reseller plan again that was paid back and is paid again, in the current transaction. Of those that lines
 * have used, none is owed any more.
 */
export async function giveBackPlanCredits(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
  const rounds = await planRounds(ctx, orderId)
  const [first, taken] = [rounds[0], rounds.at(-1)?.taken]
  if (!first || !taken) return
  const { account: to, granted } = first
  // A line that is cancelled meanwhile waits, and finds what is owed.
  await lockBalance(ctx, to)
  const amount = granted - Math.min(granted - taken.amount, await owedFor(ctx, orderId))
  const reference = roundReference("order", orderId, rounds.length + 1)
  await enter(ctx, orderId, { from: "issued", to, amount, reference, at })
}

/** What the customer of an order owes of credits. */
async function owedFor(ctx: DbContext, orderId: string): Promise<number> {
  const { client_id } = await ctx.db
    .selectFrom("orders")
    .select("client_id")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow()
  const { refunds, settled } = await creditsOwed(ctx, client_id)
  return Math.max(0, refunds.reduce((sum, { amount }) => sum + amount, 0) - settled)
}

async function enter(ctx: DbContext, orderId: string, request: Transfer): Promise<void> {
  const isNew = request.amount > 0 ? await transfer(ctx, request) : await insertEntry(ctx, request)
  // An external billing tells its panel itself.
  if (isNew && ctx.terms) await tellAccount(ctx, orderId, request.at)
}

async function tellAccount(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
  const { service_id } = await ctx.db
    .selectFrom("orders")
    .select("service_id")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow()
  if (service_id !== null) await tellCredits(ctx, service_id, at)
}
