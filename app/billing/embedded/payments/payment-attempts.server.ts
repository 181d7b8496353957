import { BillingError } from "~/billing/billing"
import {
  type Attempt,
  type AttemptRequest,
  MAX_ATTEMPTS,
  type OpenedAttempt,
  type PaymentState,
  TooManyAttempts,
} from "~/billing/payments/payment-repository"
import { type Instant, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { payableStatuses } from "~/domain/orders/order-status"
import { takesPayment, unsettledStatuses } from "~/domain/payments/payment"
import { nextPollAt } from "~/domain/payments/poll-schedule"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { precompiledQuery, precompiledQueryBy } from "../db/precompiled-query.server"
import type { AttemptRow } from "../db/schema/payment-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { applyTransition } from "../fulfilment/order-transitions.server"
import { onItsWayOf } from "../ledger/refund-on-its-way.server"
import { appendTimelineEvents } from "../orders/timeline.server"

/**
 * Finds or creates a payment attempt: see `PaymentRepository.findOrCreateAttempt`. Throws `BillingError` "refused" if
 * the order does not exist or is not payable, or if the amount is not positive or has another currency.
 */
export async function findOrCreateAttempt(ctx: DbContext, request: AttemptRequest): Promise<Attempt> {
  return inTransaction(ctx, async (tx) => {
    const attempts = await attemptsOf(tx, request)
    const undecidedOnes = attempts.filter((it) => isUndecided(it, request))
    const terms = { due: request.amount, takesTopUps: request.takesTopUps ?? false, now: request.at }
    const open = undecidedOnes.map(attemptOf).find((it) => takesPayment(it, terms))
    return open ?? attemptOf(await newAttempt(tx, request, attempts))
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

/** How far an order has come: see `PaymentRepository.paymentState`. */
export async function paymentState(ctx: DbContext, orderId: string): Promise<PaymentState | null> {
  const [row] = await stateRow(ctx, orderId)
  if (!row) return null
  const { order_status, total, invoice_received, on_its_way, credited, events } = row
  const currency = row.invoice_currency
  return {
    status: order_status,
    total: money(total, currency),
    received: money(invoice_received - Number(on_its_way ?? 0), currency),
    credited: money(credited, currency),
    events: Number(events),
    attempt: isAttempt(row) ? attemptOf(row) : null,
  }
}

const stateRow = precompiledQuery(({ db }, orderId) =>
  db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .leftJoin("payment_attempts", (join) =>
      join
        .onRef("payment_attempts.order_id", "=", "orders.id")
        .onRef("payment_attempts.gateway", "=", "orders.gateway")
        .on(({ eb, or }) =>
          or([eb("payment_attempts.url", "is not", null), eb("orders.status", "=", "placed")]),
        ),
    )
    .selectAll("payment_attempts")
    .select(["orders.status as order_status", "invoices.total", "invoices.credited"])
    .select(["invoices.received as invoice_received", "invoices.currency as invoice_currency"])
    .select((of) => onItsWayOf(of).where("invoices.status", "=", "unpaid").as("on_its_way"))
    .select(({ selectFrom }) =>
      selectFrom("order_events")
        .select(({ fn }) => fn.countAll().as("events"))
        .whereRef("order_events.order_id", "=", "orders.id")
        .as("events"),
    )
    .where("orders.id", "=", orderId)
    .orderBy("payment_attempts.opened_at", "desc")
    .limit(1),
)

/** The latest attempt with the order's current gateway, see `PaymentRepository.latestAttempt`. */
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
    .where(({ eb, or }) => or([eb("url", "is not", null), eb("orders.status", "=", "placed")]))
    .orderBy("opened_at", "desc")
    .limit(1),
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
  ctx: DbContext,
  { id, openedAt }: Pick<Attempt, "id" | "openedAt">,
  { polledBefore, now }: { polledBefore: Instant; now: Instant },
): Promise<boolean> {
  const pollAfter = nextPollAt(openedAt, now)
  const claimed = await claim(ctx, { id, now, pollAfter, polledBefore, wrongFrom: now + MINUTE })
  return claimed.length > 0
}

type Claim = {
  readonly id: string
  readonly now: Instant
  readonly pollAfter: Instant
  readonly polledBefore: Instant
  readonly wrongFrom: Instant
}

const claim = precompiledQueryBy<Claim, { id: string }>(
  { id: "text", now: "integer", pollAfter: "integer", polledBefore: "integer", wrongFrom: "integer" },
  ({ db }, { id, now, pollAfter, polledBefore, wrongFrom }) =>
    db
      .updateTable("payment_attempts")
      .set({ polled_at: now, poll_after: pollAfter })
      .where("id", "=", id)
      // A poll in the future was recorded by a wrong clock and counts as stale (`isPollDue`).
      .where((row) => row.or([row("polled_at", "<", polledBefore), row("polled_at", ">", wrongFrom)]))
      .returning("id"),
)

/** All attempts of the order, oldest first, which are at most `MAX_ATTEMPTS`. Throws if it cannot be paid like this. */
async function attemptsOf(
  ctx: DbContext,
  { orderId, amount }: AttemptRequest,
): Promise<readonly AttemptRow[]> {
  const rows = await rowsOfOrder(ctx, orderId)
  const [row] = rows
  const isPayable = row && payableStatuses.includes(row.order_status)
  if (!isPayable || row.invoice_currency !== amount.currency || amount.minor <= 0)
    throw new BillingError("refused", `Cannot pay order ${orderId}: not payable in this amount or currency`)
  return rows.flatMap((it) => (isAttempt(it) ? [it] : []))
}

const rowsOfOrder = precompiledQuery(({ db }, orderId) =>
  db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .leftJoin("payment_attempts", "payment_attempts.order_id", "orders.id")
    .selectAll("payment_attempts")
    .select(["orders.status as order_status", "invoices.currency as invoice_currency"])
    .where("orders.id", "=", orderId)
    .orderBy("payment_attempts.opened_at"),
)

/** Without an attempt the columns of the joined table are null. */
function isAttempt(row: { [Column in keyof AttemptRow]: AttemptRow[Column] | null }): row is AttemptRow {
  return row.id !== null
}

/** Whether an attempt is unsettled, with the requested gateway and coin. */
function isUndecided({ gateway, coin, status }: AttemptRow, request: AttemptRequest): boolean {
  return gateway === request.gateway && coin === request.coin && unsettledStatuses.includes(status)
}

async function newAttempt(
  ctx: DbContext,
  { orderId, gateway, coin, amount, id, at }: AttemptRequest,
  before: readonly AttemptRow[],
): Promise<AttemptRow> {
  if (before.length >= MAX_ATTEMPTS)
    throw new TooManyAttempts(`Cannot pay order ${orderId}: it has ${before.length} payment attempts`)
  const slot = [orderId, gateway, amount.minor, ...(coin === null ? [] : [coin])].join(" ")
  // Frees the slot of attempts read above that accept no more money. An attempt created concurrently keeps its slot, and
  // the insert conflicts.
  const ended = before.filter((it) => it.slot === slot).map((it) => it.id)
  if (ended.length > 0) {
    await ctx.db.updateTable("payment_attempts").set({ slot: null }).where("id", "in", ended).execute()
  }
  return insertAttempt(ctx, { id, orderId, gateway, coin, amount, at, slot })
}

type NewAttempt = Omit<AttemptRequest, "takesTopUps"> & Pick<AttemptRow, "slot">

/** Inserts an attempt that has received nothing, in the current transaction. Throws `WriteConflictError` if its slot is taken. */
export async function insertAttempt(
  { db }: DbContext,
  { id, orderId, gateway, coin, amount, at, slot }: NewAttempt,
): Promise<AttemptRow> {
  const row = await db
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
    returnedAt: row.resumed_at,
  }
}
