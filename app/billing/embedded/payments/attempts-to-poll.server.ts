import { setImmediate } from "node:timers/promises"
import { sql } from "kysely"
import type { Attempt } from "~/billing/payment-repository"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { LATE_PAYMENT_GRACE } from "~/domain/order"
import { unsettledStatuses } from "~/domain/payment"
import { FAR_FUTURE } from "~/domain/poll-schedule"
import type { AttemptRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"
import { attemptOf } from "./payment-attempts.server"

type PollBatch = { readonly gateway: GatewayId; readonly now: Instant; readonly limit: number }

/**
 * Opened, unsettled attempts that are due for polling: see `PaymentRepository.attemptsDueForPolling`. Attempts whose
 * order is past the late-payment grace get a poll date in the far future, so that later sweeps do not read them again.
 */
export async function attemptsDueForPolling(ctx: DbContext, batch: PollBatch): Promise<readonly Attempt[]> {
  for (;;) {
    const due = await dueAttempts(ctx, batch)
    const isExpired = ({ deadline }: Due) => deadline <= batch.now - LATE_PAYMENT_GRACE
    await excludeFromPolling(ctx, due.filter(isExpired))
    const duePolls = due.filter((row) => !isExpired(row))
    if (duePolls.length > 0 || due.length < batch.limit) return duePolls.map(attemptOf)
    await setImmediate()
  }
}

type Due = AttemptRow & { readonly deadline: Instant }

/** Literals, because the condition of the partial index has literals: parameters would not match it. */
const open = unsettledStatuses.map((status) => sql.lit(status))

function dueAttempts({ db }: DbContext, { gateway, now, limit }: PollBatch): Promise<Due[]> {
  return db
    .selectFrom("payment_attempts")
    .innerJoin("orders", "orders.id", "payment_attempts.order_id")
    .selectAll("payment_attempts")
    .select("orders.deadline")
    .where("payment_attempts.status", "in", open)
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
