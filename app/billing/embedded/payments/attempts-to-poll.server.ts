import { setImmediate } from "node:timers/promises"
import { sql } from "kysely"
import type { Attempt } from "~/billing/payments/payment-repository"
import type { Instant } from "~/domain/calendar"
import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { endedStatuses, type PaymentStatus, unsettledStatuses } from "~/domain/payments/payment"
import { FAR_FUTURE } from "~/domain/payments/poll-schedule"
import type { AttemptRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"
import { attemptOf } from "./payment-attempts.server"

type PollBatch = { readonly gateway: GatewayId; readonly now: Instant; readonly limit: number }

/**
 * Opened attempts that are due for polling: see `PaymentRepository.attemptsDueForPolling`. Attempts whose order is past the
 * late-payment grace get a poll date in the far future, so that later sweeps do not read them again.
 */
export async function attemptsDueForPolling(ctx: DbContext, batch: PollBatch): Promise<readonly Attempt[]> {
  const open = await duePolls(ctx, { ...batch, statuses: unsettledStatuses })
  const limit = batch.limit - open.length
  const ended = limit > 0 ? await duePolls(ctx, { ...batch, limit, statuses: endedStatuses }) : []
  return [...open, ...ended].map(attemptOf)
}

type Polls = PollBatch & { readonly statuses: readonly PaymentStatus[] }

async function duePolls(ctx: DbContext, polls: Polls): Promise<readonly Due[]> {
  for (;;) {
    const due = await dueAttempts(ctx, polls)
    const isExpired = ({ deadline }: Due) => deadline <= polls.now - LATE_PAYMENT_GRACE
    await excludeFromPolling(ctx, due.filter(isExpired))
    const rest = due.filter((row) => !isExpired(row))
    if (rest.length > 0 || due.length < polls.limit) return rest
    await setImmediate()
  }
}

type Due = AttemptRow & { readonly deadline: Instant }

function dueAttempts({ db }: DbContext, { gateway, now, limit, statuses }: Polls): Promise<Due[]> {
  // Literals, because the conditions of the partial indexes have literals: parameters would not match them.
  const literals = statuses.map((status) => sql.lit(status))
  return db
    .selectFrom("payment_attempts")
    .innerJoin("orders", "orders.id", "payment_attempts.order_id")
    .selectAll("payment_attempts")
    .select("orders.deadline")
    .where("payment_attempts.status", "in", literals)
    .where("url", "is not", null)
    .where("payment_attempts.gateway", "=", gateway)
    .where("poll_after", "<=", now)
    .orderBy("poll_after")
    .limit(limit)
    .execute()
}

/** Excludes attempts from the sweep. A visit of the buyer still polls them. */
async function excludeFromPolling({ db }: DbContext, attempts: readonly Due[]): Promise<void> {
  if (attempts.length === 0) return
  const ids = attempts.map(({ id }) => id)
  await db.updateTable("payment_attempts").set({ poll_after: FAR_FUTURE }).where("id", "in", ids).execute()
}
