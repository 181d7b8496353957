import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import {
  type Attempt,
  type AttemptRequest,
  MAX_ATTEMPTS,
  type OpenedAttempt,
  TooManyAttempts,
} from "~/billing/payment-repository"
import { type Instant, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money"
import { payableStatuses } from "~/domain/order-status"
import { takesPayment, unsettledStatuses } from "~/domain/payment"
import { nextPollAt } from "~/domain/poll-schedule"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { AttemptRow } from "../db/schema/payment-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { applyTransition } from "../orders/order-transitions.server"
import { appendTimelineEvents } from "../orders/timeline.server"

/**
 * Finds or creates a payment attempt: see `PaymentRepository.findOrCreateAttempt`. Throws `BillingError` "refused" if
 * the order does not exist or is not payable, or if the amount is not positive or has another currency.
 */
export async function findOrCreateAttempt(ctx: DbContext, request: AttemptRequest): Promise<Attempt> {
  return inTransaction(ctx, async (tx) => {
    await checkRequest(tx, request)
    const undecidedOnes = await undecidedAttempts(tx, request)
    const terms = { due: request.amount, takesTopUps: request.takesTopUps ?? false, now: request.at }
    const open = undecidedOnes.map(attemptOf).find((it) => takesPayment(it, terms))
    return open ?? attemptOf(await newAttempt(tx, request, undecidedOnes))
  })
}

/** Records the payment created by the gateway, once per attempt. */
export async function markAttemptOpened(
  ctx: DbContext,
  id: string,
  { paymentId, url, endsAt, at }: OpenedAttempt & { at: Instant },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const opened = await tx.db
      .updateTable("payment_attempts")
      .set({
        payment_id: paymentId,
        url,
        polled_at: at,
        poll_after: nextPollAt(at, at),
        ends_at: endsAt ?? null,
      })
      .where("id", "=", id)
      .where("url", "is", null)
      .returning(["order_id", "gateway"])
      .executeTakeFirst()
    if (!opened) return
    await applyTransition(tx, opened.order_id, "handedOff")
    await appendTimelineEvents(tx, opened.order_id, [{ kind: "handed-off", at, reference: opened.gateway }])
  })
}

/** The latest attempt with the order's current gateway; null if there is none. */
export async function latestAttempt(ctx: DbContext, orderId: string): Promise<Attempt | null> {
  const [row] = await latestRow(ctx, orderId)
  return row ? attemptOf(row) : null
}

const latestRow = precompiledQuery(({ db }, orderId) =>
  db
    .selectFrom("payment_attempts")
    .innerJoin("orders", "orders.id", "payment_attempts.order_id")
    .selectAll("payment_attempts")
    .where("order_id", "=", orderId)
    .whereRef("payment_attempts.gateway", "=", "orders.gateway")
    .orderBy("opened_at", "desc")
    // A literal: with a bound limit SQLite plans the statement again on every run, which takes three times as long.
    .limit(sql.lit(1)),
)

/** Opened, unsettled attempts of an order, oldest first. */
export async function openAttempts({ db }: DbContext, orderId: string): Promise<readonly Attempt[]> {
  const rows = await db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("status", "in", unsettledStatuses)
    .where("url", "is not", null)
    .orderBy("opened_at")
    .execute()
  return rows.map(attemptOf)
}

/** Claims a poll of the gateway; false if another instance has polled since `polledBefore`. */
export async function claimPoll(
  { db }: DbContext,
  id: string,
  { polledBefore, now }: { polledBefore: Instant; now: Instant },
): Promise<boolean> {
  const claimed = await db
    .updateTable("payment_attempts")
    .set({ polled_at: now })
    .where("id", "=", id)
    // A poll in the future was recorded by a wrong clock and counts as stale (`isPollDue`).
    .where((row) => row.or([row("polled_at", "<", polledBefore), row("polled_at", ">", now + MINUTE)]))
    .returning("opened_at")
    .executeTakeFirst()
  if (!claimed) return false
  const poll_after = nextPollAt(claimed.opened_at, now)
  await db.updateTable("payment_attempts").set({ poll_after }).where("id", "=", id).execute()
  return true
}

async function checkRequest({ db }: DbContext, { orderId, amount }: AttemptRequest): Promise<void> {
  const row = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.status", "invoices.currency"])
    .where("orders.id", "=", orderId)
    .executeTakeFirst()
  const taken =
    row && payableStatuses.includes(row.status) && row.currency === amount.currency && amount.minor > 0
  if (!taken)
    throw new BillingError("refused", `Cannot pay order ${orderId}: not payable in this amount or currency`)
}

/** Unsettled attempts of the order with the gateway and coin, oldest first. */
function undecidedAttempts({ db }: DbContext, request: AttemptRequest): Promise<AttemptRow[]> {
  return db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("order_id", "=", request.orderId)
    .where("gateway", "=", request.gateway)
    .where("coin", request.coin === null ? "is" : "=", request.coin)
    .where("status", "in", unsettledStatuses)
    .orderBy("opened_at")
    .execute()
}

async function checkNumber({ db }: DbContext, orderId: string): Promise<void> {
  const { count } = await db
    .selectFrom("payment_attempts")
    .select((row) => row.fn.countAll().as("count"))
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_ATTEMPTS)
    throw new TooManyAttempts(`Cannot pay order ${orderId}: it has ${count} payment attempts`)
}

async function newAttempt(
  ctx: DbContext,
  { orderId, gateway, coin, amount, id, at }: AttemptRequest,
  before: readonly AttemptRow[],
): Promise<AttemptRow> {
  await checkNumber(ctx, orderId)
  const slot = [orderId, gateway, amount.minor, ...(coin === null ? [] : [coin])].join(" ")
  // Frees the slot of attempts read above that accept no more money. An attempt created concurrently keeps its slot, and
  // the insert conflicts.
  const ended = before.filter((it) => it.slot === slot).map((it) => it.id)
  if (ended.length > 0) {
    await ctx.db.updateTable("payment_attempts").set({ slot: null }).where("id", "in", ended).execute()
  }
  const row = await ctx.db
    .insertInto("payment_attempts")
    .values({
      id,
      order_id: orderId,
      gateway,
      coin,
      amount: amount.minor,
      currency: amount.currency,
      slot,
      status: "pending",
      received: 0,
      gross: 0,
      refunded: 0,
      refund_left: null,
      payment_id: null,
      url: null,
      opened_at: at,
      polled_at: at,
      poll_after: nextPollAt(at, at),
      resumed_at: null,
      ends_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new WriteConflictError(`Attempt ${id} of order ${orderId}`)
  return row
}

export function attemptOf(row: AttemptRow): Attempt {
  return {
    id: row.id,
    orderId: row.order_id,
    gateway: row.gateway,
    coin: row.coin,
    amount: money(row.amount, row.currency),
    received: money(row.received, row.currency),
    status: row.status,
    paymentId: row.payment_id,
    url: row.url,
    openedAt: row.opened_at,
    endsAt: row.ends_at,
    polledAt: row.polled_at,
  }
}
