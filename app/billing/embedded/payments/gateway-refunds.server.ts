import type { ExpressionBuilder } from "kysely"
import type {
  BegunRefund,
  GatewayRefund,
  GatewayRefundRepository,
  NewGatewayRefund,
} from "~/billing/payments/gateway-refunds"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import { ERASED } from "../customers/erased-email.server"
import type { AttemptRow, GatewayRefundRow } from "../db/schema/payment-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { enqueueJob } from "../jobs/outbox.server"
import { terminate } from "../services/service-state.server"
import { invoiceToRefund, isRefundedMeanwhile } from "./order-refunds.server"
import { hasRefundUnderWay, mostOf, refundableAttempts, refundUpdate } from "./recorded-refund.server"
import { countRefused } from "./refused-refund.server"
import { settlePayment } from "./settlement.server"

/** Refunds that a gateway pays, in the embedded database. */
export function gatewayRefundsOf(ctx: DbContext): GatewayRefundRepository {
  return guarded<GatewayRefundRepository>(ctx, { begin, find, ofOrder, sent, refused, dismiss })
}

async function begin(ctx: DbContext, refund: NewGatewayRefund): Promise<BegunRefund> {
  return inTransaction(ctx, async (tx) => {
    const known = await rowOf(tx, refund.id)
    if (known) return repeated(known)
    const attempts = await refundableAttempts(tx, refund.orderId)
    if (attempts === null) return { kind: "no-such-order" }
    // Of a cancellation at the same time the second reads the first: what is paid back is no account credit.
    await invoiceToRefund(tx, refund.orderId)
    if (await isRefundedMeanwhile(tx, refund.orderId, refund.refundedBefore)) return { kind: "changed" }
    return beginOf(tx, attempts, refund)
  })
}

async function beginOf(
  tx: DbContext,
  attempts: readonly AttemptRow[],
  refund: NewGatewayRefund,
): Promise<BegunRefund> {
  const chosen = chosenAttempt(attempts, refund, await mostOf(tx, refund.orderId, attempts))
  if ("kind" in chosen) return chosen
  if (await hasRefundUnderWay(tx, chosen)) return { kind: "refund-under-way" }
  const { id, at } = refund
  await tx.db.insertInto("gateway_refunds").values(newRow(refund, chosen)).execute()
  await enqueueJob(tx, { topic: "refund", subject: id, at })
  return { kind: "begun", gateway: chosen.gateway }
}

const repeated = ({ gateway, state, detail }: GatewayRefundRow) =>
  ({ kind: "repeated", gateway, state, detail }) as const

type Paid = AttemptRow & { readonly payment_id: string }

/** The payment that has received most at one of the gateways. `max`: what can be refunded of a payment. */
function chosenAttempt(
  attempts: readonly AttemptRow[],
  { amount, gateways }: NewGatewayRefund,
  max: number,
): Paid | Extract<BegunRefund, { received: unknown }> {
  const able = attempts.filter(
    (it): it is Paid => it.payment_id !== null && gateways.some(({ id }) => id === it.gateway),
  )
  const [most] = able
  const received = money(Math.min(most?.received ?? 0, max), amount.currency)
  if (!most || received.minor < amount.minor || most.currency !== amount.currency)
    return { kind: "too-much", received }
  const isWhole = most.received === amount.minor && most.gross === most.received
  const isWholeOnly = gateways.some(({ id, isWholeOnly: whole }) => id === most.gateway && whole)
  return isWholeOnly && !isWhole ? { kind: "whole-only", received } : most
}

function newRow(refund: NewGatewayRefund, attempt: Paid): GatewayRefundRow {
  const { id, orderId, amount, address, reason, endsService, at } = refund
  return {
    id,
    order_id: orderId,
    attempt_id: attempt.id,
    gateway: attempt.gateway,
    payment_id: attempt.payment_id,
    amount: amount.minor,
    currency: amount.currency,
    refunded_before: attempt.gross - attempt.received,
    address,
    reason,
    ends_service: endsService ? 1 : 0,
    at,
    state: "waiting",
    claim_url: null,
    detail: null,
    settled_at: null,
  }
}

async function find(ctx: DbContext, id: string): Promise<GatewayRefund | null> {
  const row = await rowOf(ctx, id)
  return row ? refundOf(row) : null
}

function rowOf({ db }: DbContext, id: string): Promise<GatewayRefundRow | undefined> {
  return db.selectFrom("gateway_refunds").selectAll().where("id", "=", id).executeTakeFirst()
}

async function ofOrder({ db }: DbContext, orderId: string): Promise<readonly GatewayRefund[]> {
  const rows = await db
    .selectFrom("gateway_refunds")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("at")
    .execute()
  return rows.map(refundOf)
}

/**
 * The gateway may have reported the refund before: its total is what it was when the refund began, and this refund, so that
 * whichever report comes second changes nothing.
 */
async function sent(
  ctx: DbContext,
  id: string,
  { claimUrl, at }: { claimUrl: string | null; at: Instant },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await settled(tx, id, { state: "sent", claim_url: claimUrl, settled_at: at })
    if (!row) return
    const attempt = await tx.db
      .selectFrom("payment_attempts")
      .selectAll()
      .where("id", "=", row.attempt_id)
      .executeTakeFirstOrThrow()
    const update = refundUpdate(attempt, { key: id, refunded: row.refunded_before + row.amount })
    const reference = `${OPERATOR_REFERENCE}${row.reason}`
    await settlePayment(tx, { gateway: row.gateway, update, at, tolerance: 0, reference })
    if (row.ends_service === 1) await endService(tx, row, at)
  })
}

async function endService(
  ctx: DbContext,
  { order_id, reason }: GatewayRefundRow,
  at: Instant,
): Promise<void> {
  const { service_id: serviceId } = await ctx.db
    .selectFrom("orders")
    .select("service_id")
    .where("id", "=", order_id)
    .executeTakeFirstOrThrow()
  if (serviceId !== null) await terminate(ctx, serviceId, { owner: "operator", reason, at })
}

async function refused(
  ctx: DbContext,
  id: string,
  { detail, at }: { detail: string; at: Instant },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await settled(tx, id, { state: "refused", detail, settled_at: at })
    if (row) await countRefused(tx, row.order_id, at)
  })
}

async function dismiss({ db }: DbContext, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("gateway_refunds")
    .set({ state: "dismissed" })
    .where("id", "=", id)
    .where("state", "=", "refused")
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

type Change = Pick<GatewayRefundRow, "state" | "settled_at"> & Partial<GatewayRefundRow>

/** A customer who was erased while the refund waited has no address any more. */
async function settled({ db }: DbContext, id: string, change: Change): Promise<GatewayRefundRow | undefined> {
  return db
    .updateTable("gateway_refunds")
    .set((row) => ({
      ...change,
      address: row.case().when(isOfErased(row)).then(null).else(row.ref("address")).end(),
    }))
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .returningAll()
    .executeTakeFirst()
}

function isOfErased({ exists, selectFrom }: ExpressionBuilder<Tables, "gateway_refunds">) {
  return exists(
    selectFrom("orders")
      .innerJoin("clients", "clients.id", "orders.client_id")
      .select("orders.id")
      .whereRef("orders.id", "=", "gateway_refunds.order_id")
      .where("clients.email", "=", ERASED),
  )
}

function refundOf({ amount, currency, ...row }: GatewayRefundRow): GatewayRefund {
  return {
    id: row.id,
    orderId: row.order_id,
    gateway: row.gateway,
    paymentId: row.payment_id,
    amount: money(amount, currency),
    address: row.address,
    reason: row.reason,
    endsService: row.ends_service === 1,
    at: row.at,
    state: row.state,
    claimUrl: row.claim_url,
    detail: row.detail,
  }
}
