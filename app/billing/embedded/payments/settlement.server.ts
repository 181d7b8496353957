import type { AccountCreditCause } from "~/billing/payments/account-credit-cause"
import type { PaymentUpdateResult } from "~/billing/payments/payment-repository"
import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import { isResellerPlan } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import {
  acceptsPayment,
  isCovered,
  type OpenInvoice,
  type Settlement,
  settle,
  type Terms,
  updateOfAttempt,
} from "~/domain/orders/settlement"
import { remaining } from "~/domain/payments/attempt-balance"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { type PaymentStatus, type PaymentUpdate, unsettledStatuses } from "~/domain/payments/payment"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { precompiledQueryBy } from "../db/precompiled-query.server"
import type { OrderRow } from "../db/schema/order-rows"
import type { AttemptRow, InvoiceRow } from "../db/schema/payment-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { correctInvoice, issueInvoice } from "../documents/issue-documents.server"
import { carryOut } from "../fulfilment/fulfilment.server"
import { applyToRead, latePaymentEvents, type Transition } from "../fulfilment/order-transitions.server"
import { moveAccountCredit, refundedToCreditOf, usedCreditOf } from "../ledger/customer-credit.server"
import { insertLedgerEntry } from "../ledger/ledger.server"
import { isPaidByOperator } from "../ledger/paid-by-operator.server"
import { onItsWay, onItsWayOfUnpaid } from "../ledger/refund-on-its-way.server"
import { appendTimelineEvents, type NewTimelineEvent } from "../orders/timeline.server"
import { giveBackPlanCredits, takeBackPlanCredits } from "../reseller-credits/refunded-plan.server"
import { endHolds } from "./payments-in-flight.server"
import { withReturnedCredit } from "./returned-credit.server"

type AttemptUpdate = {
  readonly gateway: GatewayId
  readonly update: PaymentUpdate
  readonly at: Instant
  readonly tolerance: number
  /** Reference on the timeline; absent: the transaction, or the gateway. */
  readonly reference?: string
}

/** Settlement: applies a payment update in one transaction, see `PaymentRepository.recordPaymentUpdate`. */
export async function recordPaymentUpdate(
  ctx: DbContext,
  attemptUpdate: AttemptUpdate,
): Promise<PaymentUpdateResult> {
  return inTransaction(ctx, (tx) => settlePayment(tx, attemptUpdate))
}

/** Applies a payment update in the current transaction. */
export async function settlePayment(ctx: DbContext, report: AttemptUpdate): Promise<PaymentUpdateResult> {
  const read = await findAttempt(ctx, report)
  if (!read) return { kind: "unknown-attempt" }
  const { attempt, order } = read
  const orderId = order.id

  const { at } = report
  const payable = acceptsPayment(order.status, order.deadline, at)
  const terms = { payable, tolerance: report.tolerance }
  const open = await toOpenInvoice(ctx, read)
  const before = known(attempt)
  const attemptUpdate = { ...report, update: updateOfAttempt(open, before, report.update, terms) }
  const settleWith = (credited: Money) => settle({ ...open, credited }, before, attemptUpdate.update, terms)
  const settled = settleWith(open.credited)
  if (settled === "refused") return { kind: "currency-mismatch", orderId }
  const status = { before: attempt.status, after: settled.attempt.status }
  if (!(await recordEvent(ctx, attemptUpdate, status))) return { kind: "duplicate", orderId }

  const completed = await withReturnedCredit(ctx, settled, { order, invoice: read.invoice, at }, settleWith)
  const { settlement, invoice } = completed
  await writeAttempt(ctx, attempt, settlement)
  await noteEnd(ctx, attempt, attemptUpdate)
  const moved = settlement.orderEvent && (await applyToRead(ctx, order, settlement.orderEvent))
  const isPaid = moved?.to === "paid"
  await writeInvoice(ctx, invoice, { settlement, paidAt: isPaid ? at : null, goesBack: read.goesBack })
  const granted = grantedBy(open, settlement)
  const fulfilled = isPaid ? await fulfil(ctx, order, { at, granted }) : []
  const cause = causeOf({ payable, granted })
  const booked = isPaid ? await creditedOf(ctx, invoice, settlement) : invoice
  await writeMoney(ctx, settlement, { attempt, invoice: booked, attemptUpdate, cause, open })
  await issueDocuments(ctx, { ...read, invoice }, { settlement, isPaid, at })
  await followCredits(ctx, { order, invoice, open }, { settlement, terms, at })
  const events = timelineEventsOf(settlement, moved, { ...attemptUpdate, isGranted: granted !== null })
  await appendTimelineEvents(ctx, orderId, [...completed.events, ...events, ...fulfilled])
  if (endsFlight.includes(attemptUpdate.update.status)) await endHolds(ctx, orderId, at)
  return { kind: "applied", orderId, event: settlement.event, isPaid }
}

/** Carries out an order that this payment has completed, as it was before. */
async function fulfil(
  ctx: DbContext,
  order: Found["order"],
  { at, granted }: { readonly at: Instant; readonly granted: Money | null },
): Promise<readonly NewTimelineEvent[]> {
  const isLate = !payableStatuses.includes(order.status)
  // A free trial has no payment.
  return carryOut(ctx, { ...order, trial_hours: null }, { at, granted, isLate, isSettled: true })
}

type Booked = { readonly settlement: Settlement; readonly isPaid: boolean; readonly at: Instant }

/** The invoice of a payment that completes the order; afterwards a credit note for what a refund takes back of it. */
async function issueDocuments(
  ctx: DbContext,
  { attempt, invoice, order }: Found,
  { settlement, isPaid, at }: Booked,
): Promise<void> {
  const { movement, surplus } = settlement
  if (!movement) return
  const payment = { by: attempt.gateway, at }
  if (!isPaid) return correctInvoice(ctx, order, { minor: changeOfSale(invoice, settlement), payment })
  await issueInvoice(ctx, order, { at, isSettled: true })
  // A report may be of a payment and of its refund.
  const refunded = settlement.attempt.balance.refunded - attempt.refunded
  const missing = invoice.total - (settlement.invoiceReceived.minor - invoice.credited - surplus.minor)
  if (refunded > 0) await correctInvoice(ctx, order, { minor: -Math.min(refunded, missing), payment })
}

/** What a movement changes of what a sale was paid with: neither account credit nor what was on its way back when it was paid. */
function changeOfSale(
  { total, received, credited }: InvoiceRow,
  { invoiceReceived, surplus }: Settlement,
): number {
  const inTotal = (minor: number) => Math.min(total, minor)
  return inTotal(invoiceReceived.minor - credited - surplus.minor) - inTotal(received - credited)
}

type Sold = Pick<Found, "order" | "invoice"> & { readonly open: OpenInvoice }

type Counted = Omit<Booked, "isPaid"> & { readonly terms: Terms }

/**
 * Takes the credits of a reseller plan back after a refund that leaves nothing of what it was paid with, and gives them again after a
 * payment that covers it again.
 */
async function followCredits(
  ctx: DbContext,
  { order, invoice: { credited }, open }: Sold,
  { settlement: { movement, surplus, invoiceReceived }, terms, at }: Counted,
): Promise<void> {
  // What an operator has received is not among the payments.
  if (!isResellerPlan(order) || open.paidByOperator) return
  const net = invoiceReceived.minor - credited - surplus.minor
  const change = (movement?.minor ?? 0) - surplus.minor
  if (change < 0 && net <= 0) await takeBackPlanCredits(ctx, order.id, at)
  if (change > 0 && isCovered(open, net, terms)) await giveBackPlanCredits(ctx, order.id, at)
}

/** What does not apply any more has become account credit, before the surplus does. */
async function creditedOf({ db }: DbContext, read: InvoiceRow, { surplus }: Settlement): Promise<InvoiceRow> {
  if (surplus.minor === 0) return read
  const { credited } = await db
    .selectFrom("invoices")
    .select("credited")
    .where("id", "=", read.id)
    .executeTakeFirstOrThrow()
  return { ...read, credited }
}

/** Account credit that a payment grants by completing a top-up; null: it completes none. */
function grantedBy({ isTopUp }: OpenInvoice, { orderEvent, surplus }: Settlement): Money | null {
  return isTopUp && orderEvent === "paid" ? surplus : null
}

type Received = { readonly payable: boolean; readonly granted: Money | null }

function causeOf({ payable, granted }: Received): AccountCreditCause {
  if (granted !== null) return "topup"
  return payable ? "surplus" : "late"
}

/** Reports after which a payment is not in flight any more. A payment that completes the order has applied it. */
const endsFlight: readonly PaymentStatus[] = ["failed", "expired", "refunded"]

type Found = {
  readonly attempt: AttemptRow
  readonly invoice: InvoiceRow
  readonly order: Pick<
    OrderRow,
    "id" | "kind" | "status" | "service_id" | "promo_key" | "deadline" | "tax" | "credit_scope"
  >
  /** Account credit that the invoice has used, in minor units. */
  readonly usedCredit: number
  /** What of its payments a refund has given as account credit, in minor units. */
  readonly refundedToCredit: number
  /** What gateways are paying back of it, in minor units. */
  readonly goesBack: number
}

/** An attempt with its order and invoice. */
async function findAttempt(ctx: DbContext, { gateway, update }: AttemptUpdate): Promise<Found | null> {
  const [row] = await rowOfAttempt(ctx, { id: update.attemptId, gateway })
  if (!row) return null
  return {
    attempt: row,
    order: {
      id: row.order_id,
      kind: row.kind,
      status: row.order_status,
      service_id: row.service_id,
      promo_key: row.promo_key,
      deadline: row.deadline,
      tax: row.tax,
      credit_scope: row.credit_scope,
    },
    invoice: {
      id: row.invoice_id,
      order_id: row.order_id,
      client_id: row.client_id,
      status: row.invoice_status,
      total: row.total,
      received: row.invoice_received,
      credited: row.credited,
      currency: row.invoice_currency,
      created_at: row.created_at,
      paid_at: row.paid_at,
    },
    usedCredit: -Number(row.used_credit ?? 0),
    refundedToCredit: Number(row.refunded_to_credit ?? 0),
    goesBack: Number(row.on_its_way ?? 0),
  }
}

const rowOfAttempt = precompiledQueryBy(
  { id: "text", gateway: "text" },
  ({ db }, { id, gateway }: { id: string; gateway: GatewayId }) =>
    db
      .selectFrom("payment_attempts")
      .innerJoin("orders", "orders.id", "payment_attempts.order_id")
      .innerJoin("invoices", "invoices.order_id", "orders.id")
      .selectAll("payment_attempts")
      .select(["orders.kind", "orders.service_id", "orders.promo_key", "orders.deadline", "orders.tax"])
      .select(["orders.status as order_status", "orders.credit_scope"])
      .select(["invoices.id as invoice_id", "invoices.client_id", "invoices.status as invoice_status"])
      .select(["invoices.total", "invoices.credited", "invoices.created_at", "invoices.paid_at"])
      .select(["invoices.received as invoice_received", "invoices.currency as invoice_currency"])
      .select((of) => [usedCreditOf(of).as("used_credit"), refundedToCreditOf(of).as("refunded_to_credit")])
      .select((of) => onItsWayOfUnpaid(of).as("on_its_way"))
      .where("payment_attempts.id", "=", id)
      .where("payment_attempts.gateway", "=", gateway),
)

async function toOpenInvoice(ctx: DbContext, found: Found): Promise<OpenInvoice> {
  const { invoice, order, usedCredit, refundedToCredit, goesBack } = found
  const { order_id, total, received, credited, currency, status } = invoice
  return {
    total: money(total, currency),
    received: money(received, currency),
    credited: money(credited, currency),
    surplus: money(Math.max(0, credited + usedCredit), currency),
    refundedToCredit: money(refundedToCredit, currency),
    onItsWay: money(goesBack, currency),
    paid: status === "paid",
    isTopUp: order.kind === "topup",
    paidByOperator: status === "paid" && (await isPaidByOperator(ctx, order_id)),
  }
}

/**
 * An instance of an older version, which does not know the balance, updates `received` only: then that column counts.
 */
function known({ status, received, gross, refunded, refund_left: left, amount, currency }: AttemptRow) {
  const written = { gross, refunded, left }
  const max = Math.max(gross, received)
  const balance =
    remaining(written) === received ? written : { gross: max, refunded: max - received, left: null }
  return { status, balance, amount: money(amount, currency) }
}

/**
 * Records the gateway event; false if it was recorded before. A status that the provider, asked for the payment, names again counts
 * as new if another report has replaced it since.
 */
async function recordEvent(
  ctx: DbContext,
  attemptUpdate: AttemptUpdate,
  status: { readonly before: PaymentStatus; readonly after: PaymentStatus },
): Promise<boolean> {
  const isNew = await insertEvent(ctx, attemptUpdate)
  return isNew || (attemptUpdate.update.isFetched === true && status.before !== status.after)
}

/** False if the key of the event was recorded before. */
async function insertEvent({ db }: DbContext, { gateway, update, at }: AttemptUpdate): Promise<boolean> {
  const noted = await db
    .insertInto("gateway_events")
    .values({
      gateway,
      event_key: update.eventKey,
      attempt_id: update.attemptId,
      status: update.status,
      amount: update.received.minor,
      currency: update.received.currency,
      transaction_id: update.transactionId,
      at,
    })
    .onConflict((conflict) => conflict.columns(["gateway", "event_key"]).doNothing())
    .returning("event_key")
    .executeTakeFirst()
  return noted !== undefined
}

async function writeAttempt({ db }: DbContext, read: AttemptRow, { attempt }: Settlement): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("payment_attempts")
    .set({
      status: attempt.status,
      received: remaining(attempt.balance),
      gross: attempt.balance.gross,
      refunded: attempt.balance.refunded,
      refund_left: attempt.balance.left,
      ...(!unsettledStatuses.includes(attempt.status) && { slot: null }),
    })
    .where("id", "=", read.id)
    .where("status", "=", read.status)
    .where("received", "=", read.received)
    .where("gross", "=", read.gross)
    .where("refunded", "=", read.refunded)
    .where("refund_left", read.refund_left === null ? "is" : "=", read.refund_left)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Attempt ${read.id}`)
}

/** Records that the gateway accepts no more money for the attempt: the rest needs a new attempt. */
async function noteEnd(
  { db }: DbContext,
  { id, ends_at }: AttemptRow,
  { update, at }: AttemptUpdate,
): Promise<void> {
  if (!update.ended || (ends_at !== null && ends_at <= at)) return
  await db.updateTable("payment_attempts").set({ ends_at: at, slot: null }).where("id", "=", id).execute()
}

/** Throws `WriteConflictError` if a refund began since the invoice was read. An update that changes nothing locks it. */
async function checkOnItsWay(ctx: DbContext, { id, order_id }: InvoiceRow, goesBack: number): Promise<void> {
  await ctx.db
    .updateTable("invoices")
    .set((row) => ({ received: row.ref("received") }))
    .where("id", "=", id)
    .execute()
  if ((await onItsWay(ctx, order_id)) !== goesBack)
    throw new WriteConflictError(`Refund of order ${order_id}`)
}

type InvoiceChange = {
  readonly settlement: Settlement
  /** When the order became paid by this settlement; null: it has not. */
  readonly paidAt: Instant | null
} & Pick<Found, "goesBack">

/** Unless another transaction has changed since it was read what the settlement follows from. */
async function writeInvoice(
  ctx: DbContext,
  read: InvoiceRow,
  { settlement, paidAt, goesBack }: InvoiceChange,
): Promise<void> {
  if (!settlement.movement) return
  // Before its first payment nothing can go back.
  if (paidAt !== null && read.received > 0) await checkOnItsWay(ctx, read, goesBack)
  const { numUpdatedRows } = await ctx.db
    .updateTable("invoices")
    .set({
      received: settlement.invoiceReceived.minor,
      ...(paidAt !== null && { status: "paid" as const, paid_at: paidAt }),
    })
    .where("id", "=", read.id)
    // The e-mail of the order may have been corrected meanwhile.
    .where("client_id", "=", read.client_id)
    // A sweep, a cancellation or the operator may have decided about the money meanwhile.
    .where("status", "=", read.status)
    .where("received", "=", read.received)
    .where("credited", "=", read.credited)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Invoice ${read.id}`)
}

type BookedUpdate = {
  readonly attempt: AttemptRow
  readonly invoice: InvoiceRow
  readonly attemptUpdate: AttemptUpdate
  readonly cause: AccountCreditCause
  readonly open: OpenInvoice
}

async function writeMoney(
  ctx: DbContext,
  { movement, surplus }: Settlement,
  { attempt, invoice, attemptUpdate, cause, open }: BookedUpdate,
): Promise<void> {
  const { update, at } = attemptUpdate
  if (movement) {
    const { transactionId } = update
    await insertLedgerEntry(ctx, { amount: movement, transactionId }, { attempt, invoice, at })
  }
  // What was refunded as account credit is taken back last.
  const others = open.surplus.minor - open.refundedToCredit.minor
  const minor = Math.max(surplus.minor, -Math.max(0, others))
  if (minor !== 0) await moveAccountCredit(ctx, invoice, { minor, cause, at })
  const rest = surplus.minor - minor
  const left = { ...invoice, credited: invoice.credited + minor }
  if (rest !== 0) await moveAccountCredit(ctx, left, { minor: rest, cause: "refunded", at })
}

/**
 * Timeline events of a settlement. A payment that completes an invoice and exceeds it yields two events. `isGranted`: what it
 * grants is no overpayment.
 */
function timelineEventsOf(
  settlement: Settlement,
  moved: Transition | null,
  { gateway, update, at, isGranted, ...given }: AttemptUpdate & { isGranted: boolean },
): NewTimelineEvent[] {
  const { event, movement, surplus } = settlement
  const reference = given.reference ?? update.transactionId ?? gateway
  return [
    ...(moved ? latePaymentEvents(moved, at) : []),
    ...(event && event !== "overpaid" ? [{ kind: event, at, amount: movement, reference }] : []),
    ...(surplus.minor > 0 && event !== "credited" && !isGranted
      ? [{ kind: "overpaid" as const, at, amount: surplus, reference }]
      : []),
  ]
}
