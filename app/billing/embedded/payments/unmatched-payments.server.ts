import { type ExpressionBuilder, sql } from "kysely"
import { isRefusedByBilling } from "~/billing/billing"
import type { UnappliedReport } from "~/billing/payments/payment-repository"
import type {
  UnmatchedAssigned,
  UnmatchedAssigning,
  UnmatchedClosing,
  UnmatchedPayment,
  UnmatchedPayments,
  UnmatchedSettling,
} from "~/billing/payments/unmatched-payments"
import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import { balanceAfter, remaining } from "~/domain/payments/attempt-balance"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { UnmatchedPaymentRow } from "../db/schema/payment-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { grantAccountCredit } from "../ledger/customer-credit.server"
import { insertAttempt } from "./payment-attempts.server"
import { settlePayment } from "./settlement.server"

/** Payments that match no order, in the embedded database. */
export function unmatchedPaymentsOf(ctx: DbContext): UnmatchedPayments {
  return guarded<UnmatchedPayments>(ctx, { list, find, close, assign })
}

/**
 * Keeps one row for the payment of an unapplied report, in the current transaction. One that was handled is open again if more
 * money arrives, or if it was assigned and the gateway pays it back; one whose money the gateway has returned before is not open any
 * more.
 */
export async function noteUnmatched(tx: DbContext, report: UnappliedReport, at: Instant): Promise<void> {
  const paymentKey = report.attemptId ?? report.eventKey
  const row = await tx.db
    .selectFrom("unmatched_payments")
    .selectAll()
    .where("gateway", "=", report.gateway)
    .where("payment_key", "=", paymentKey)
    .executeTakeFirst()
  if (row) return noteAgain(tx, row, { report, at })
  const amounts = amountsAfter(nothing, report)
  if (report.update && amounts.gross === 0) return
  const { gateway, attemptId, paymentId = null, reason, detail } = report
  const inserted = await tx.db
    .insertInto("unmatched_payments")
    .values({
      id: tx.newId(),
      gateway,
      payment_key: paymentKey,
      payment_id: paymentId,
      attempt_id: attemptId,
      reason,
      detail,
      ...amounts,
      handled: 0,
      count: 1,
      first_at: at,
      at,
      state: openUnless(amounts.gross > 0 && remainingOf(amounts) === 0),
      order_id: null,
      client_id: null,
      reference: null,
      operator: null,
      operator_reason: null,
      handled_at: null,
    })
    .onConflict((conflict) => conflict.columns(["gateway", "payment_key"]).doNothing())
    .returning("id")
    .executeTakeFirst()
  if (!inserted) throw new WriteConflictError(`Unmatched payment ${gateway} ${paymentKey}`)
}

const openUnless = (isReturned: boolean) => (isReturned ? "returned" : "open")

type Again = { readonly report: UnappliedReport; readonly at: Instant }

async function noteAgain(tx: DbContext, row: UnmatchedPaymentRow, { report, at }: Again): Promise<void> {
  const amounts = amountsAfter(row, report)
  const state = stateAfter(row, amounts)
  const { detail, paymentId = null } = report
  await changeRow(tx, row, {
    ...amounts,
    state,
    detail,
    at,
    payment_id: paymentId ?? row.payment_id,
    count: row.count + 1,
  })
}

function stateAfter(row: UnmatchedPaymentRow, amounts: Amounts) {
  const { state, handled, gross: before } = row
  const open = remainingOf(amounts) - handled
  if (open > 0 && amounts.gross > before) return "open"
  if (open < 0 && isAssigned(row)) return "open"
  return state === "open" ? openUnless(amounts.gross > 0 && open <= 0) : state
}

function isAssigned({ order_id, client_id }: UnmatchedPaymentRow): boolean {
  return order_id !== null || client_id !== null
}

type Amounts = Pick<UnmatchedPaymentRow, "currency" | "gross" | "refunded" | "refund_left">

const nothing: Amounts = { currency: null, gross: 0, refunded: 0, refund_left: null }

/** A report in another currency than those before is not added up with them. */
function amountsAfter(amounts: Amounts, { update }: UnappliedReport): Amounts {
  const { currency, gross, refunded, refund_left: left } = amounts
  if (!update || (currency !== null && currency !== update.received.currency)) return amounts
  const after = balanceAfter({ gross, refunded, left }, update)
  return {
    currency: update.received.currency,
    gross: after.gross,
    refunded: after.refunded,
    refund_left: after.left,
  }
}

function remainingOf({ gross, refunded, refund_left: left }: Amounts): number {
  return remaining({ gross, refunded, left })
}

/** Throws `WriteConflictError` if another writer has changed the row since it was read. */
async function changeRow(
  { db }: DbContext,
  { id, count, state, handled }: UnmatchedPaymentRow,
  changes: Partial<UnmatchedPaymentRow>,
): Promise<void> {
  const changed = await db
    .updateTable("unmatched_payments")
    .set(changes)
    .where("id", "=", id)
    .where("count", "=", count)
    .where("state", "=", state)
    .where("handled", "=", handled)
    .returning("id")
    .executeTakeFirst()
  if (!changed) throw new WriteConflictError(`Unmatched payment ${id}`)
}

async function list(
  ctx: DbContext,
  { isOpen, limit }: { readonly isOpen: boolean; readonly limit: number },
): Promise<readonly UnmatchedPayment[]> {
  const rows = await (isOpen ? openRows(ctx) : handledRows(ctx)).limit(limit).execute()
  return rows.map(unmatchedOf)
}

/** The literal conditions of the partial indexes. */
function openRows(ctx: DbContext) {
  return selected(ctx)
    .where(sql<boolean>`unmatched_payments.state = 'open'`)
    .orderBy("unmatched_payments.first_at")
    .orderBy("unmatched_payments.id")
}

function handledRows(ctx: DbContext) {
  return selected(ctx)
    .where(sql<boolean>`unmatched_payments.state <> 'open'`)
    .orderBy("unmatched_payments.at", "desc")
    .orderBy("unmatched_payments.id", "desc")
}

/** Open payments that match no order, the longest waiting first. */
export async function openUnmatched(ctx: DbContext, limit: number): Promise<readonly UnmatchedPayment[]> {
  return list(ctx, { isOpen: true, limit })
}

async function find(ctx: DbContext, id: string): Promise<UnmatchedPayment | null> {
  const row = await selected(ctx).where("unmatched_payments.id", "=", id).executeTakeFirst()
  return row ? unmatchedOf(row) : null
}

function selected({ db }: DbContext) {
  return db
    .selectFrom("unmatched_payments")
    .selectAll("unmatched_payments")
    .select((row) => reportedOrder(row).as("reported_order_id"))
}

function reportedOrder({ selectFrom }: ExpressionBuilder<Tables, "unmatched_payments">) {
  return selectFrom("payment_attempts")
    .select("payment_attempts.order_id")
    .whereRef("payment_attempts.id", "=", "unmatched_payments.attempt_id")
}

function close(ctx: DbContext, { state, reference, ...settling }: UnmatchedClosing): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const row = await openRow(tx, settling)
    if (!row) return false
    const isTakenBack = (openAmount(row)?.minor ?? 0) < 0
    const assigned = isTakenBack ? { order_id: row.order_id, client_id: row.client_id } : {}
    await settleRow(tx, row, { ...settling, ...assigned, state, reference })
    return true
  })
}

async function assign(ctx: DbContext, assigning: UnmatchedAssigning): Promise<UnmatchedAssigned> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const row = await openRow(tx, assigning)
      if (!row) return { kind: "changed" }
      const booked = await book(tx, row, assigning)
      if (booked.kind === "assigned") await settleAssigned(tx, row, assigning)
      return booked
    })
  } catch (error) {
    const isGrant = "customerId" in assigning.to
    if (!isGrant || !isRefusedByBilling(error)) throw error
    // The customer was granted more meanwhile.
    return { kind: "changed" }
  }
}

function book(
  tx: DbContext,
  row: UnmatchedPaymentRow,
  { to, ...assigning }: UnmatchedAssigning,
): Promise<UnmatchedAssigned> {
  if ("orderId" in to) return bookForOrder(tx, row, { ...assigning, ...to })
  return bookAsCredit(tx, row, { ...assigning, ...to })
}

function settleAssigned(
  tx: DbContext,
  row: UnmatchedPaymentRow,
  { to, amount, ...settling }: UnmatchedAssigning,
): Promise<void> {
  const target = "orderId" in to ? { order_id: to.orderId } : { client_id: to.customerId }
  const currency = row.currency ?? amount.currency
  return settleRow(tx, row, { ...settling, ...target, state: "assigned", currency, booked: amount.minor })
}

/** Settles a payment attempt of its own, as a report of the gateway for this order would. */
async function bookForOrder(
  tx: DbContext,
  row: UnmatchedPaymentRow,
  { orderId, amount, reason, at, tolerance }: Omit<UnmatchedAssigning, "to"> & { readonly orderId: string },
): Promise<UnmatchedAssigned> {
  const { gateway, first_at, payment_id: transactionId } = row
  const order = await tx.db
    .selectFrom("invoices")
    .select("currency")
    .where("order_id", "=", orderId)
    .executeTakeFirst()
  if (order?.currency !== amount.currency) return { kind: "no-such-order" }
  const attemptId = tx.newId()
  await insertAttempt(tx, { id: attemptId, orderId, gateway, coin: null, amount, at: first_at, slot: null })
  const settled = await settlePayment(tx, {
    gateway,
    update: { eventKey: keyOf(row), attemptId, status: "paid", received: amount, transactionId },
    at,
    tolerance,
    reference: `${OPERATOR_REFERENCE}${reason}`,
  })
  return { kind: "assigned", isPaid: settled.kind === "applied" && settled.event === "paid" }
}

async function bookAsCredit(
  tx: DbContext,
  row: UnmatchedPaymentRow,
  {
    customerId,
    grantedBefore,
    amount,
    reason,
    at,
  }: Omit<UnmatchedAssigning, "to"> & Extract<UnmatchedAssigning["to"], { customerId: string }>,
): Promise<UnmatchedAssigned> {
  await grantAccountCredit(tx, customerId, { key: keyOf(row), amount, reason, at, grantedBefore })
  return { kind: "assigned", isPaid: false }
}

/** The same until it is settled. */
function keyOf({ id, handled }: UnmatchedPaymentRow): string {
  return `assigned ${id} ${handled}`
}

/** The payment that account credit with this key came from (`keyOf`); null: an operator has granted it. */
export function unmatchedIn(grantKey: string | null): string | null {
  const [, id] = /^assigned (\S{1,64}) \d{1,16}$/.exec(grantKey ?? "") ?? []
  return id ?? null
}

/** The row of a payment that is open with the amount that the operator has seen. */
async function openRow(
  { db }: DbContext,
  { id, expected }: UnmatchedSettling,
): Promise<UnmatchedPaymentRow | undefined> {
  const row = await db
    .selectFrom("unmatched_payments")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "open")
    .executeTakeFirst()
  const open = row && openAmount(row)
  const isSeen = open?.minor === expected?.minor && open?.currency === expected?.currency
  return isSeen ? row : undefined
}

type Settled = UnmatchedSettling &
  Pick<UnmatchedPaymentRow, "state"> &
  Partial<Pick<UnmatchedPaymentRow, "reference" | "order_id" | "client_id" | "currency">> & {
    /** What was booked, of a payment whose reports do not say how much. */
    readonly booked?: number
  }

async function settleRow(
  tx: DbContext,
  row: UnmatchedPaymentRow,
  { state, reference = null, operator, reason, at, ...settled }: Settled,
): Promise<void> {
  const { order_id = null, client_id = null, currency = row.currency, booked = 0 } = settled
  await changeRow(tx, row, {
    state,
    reference,
    order_id,
    client_id,
    currency,
    operator,
    at,
    operator_reason: reason,
    handled_at: at,
    // What its reports do not say, the operator has: later reports are compared with that.
    gross: row.gross > 0 ? row.gross : booked,
    handled: row.gross > 0 ? remainingOf(row) : booked,
  })
}

/** Null: the reports do not say how much. Below zero: the gateway has paid back what was assigned. */
function openAmount(row: UnmatchedPaymentRow): Money | null {
  const { gross, currency, handled } = row
  if (gross === 0 || currency === null) return null
  const open = remainingOf(row) - handled
  return money(isAssigned(row) ? open : Math.max(0, open), currency)
}

function handledAmount({ handled, currency }: UnmatchedPaymentRow): Money | null {
  return handled > 0 && currency !== null ? money(handled, currency) : null
}

function unmatchedOf(row: UnmatchedPaymentRow & { reported_order_id: string | null }): UnmatchedPayment {
  const { operator, handled_at: handledAt } = row
  const isHandled = row.state !== "open" && operator !== null && handledAt !== null
  return {
    id: row.id,
    gateway: row.gateway,
    paymentId: row.payment_id,
    attemptId: row.attempt_id,
    reason: row.reason,
    detail: row.detail,
    amount: row.state === "open" ? openAmount(row) : handledAmount(row),
    count: row.count,
    firstAt: row.first_at,
    at: row.at,
    state: row.state,
    reportedOrderId: row.reported_order_id,
    takenBackFrom:
      row.state === "open" && (openAmount(row)?.minor ?? 0) < 0
        ? { orderId: row.order_id, customerId: row.client_id }
        : null,
    handling: isHandled
      ? {
          orderId: row.order_id,
          customerId: row.client_id,
          reference: row.reference,
          operator,
          reason: row.operator_reason ?? "",
          at: handledAt,
        }
      : null,
  }
}
