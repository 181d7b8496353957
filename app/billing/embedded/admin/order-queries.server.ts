import type { CallbackListed, OrderDetails } from "~/billing/orders/order-admin"
import type { Attempt } from "~/billing/payments/payment-repository"
import { money } from "~/domain/money/money"
import type { DbContext } from "../db/transaction.server"
import { accountCreditOf } from "../ledger/customer-credit.server"
import { creditMovementsOf, ledgerEntriesOf } from "../ledger/ledger.server"
import { order } from "../orders/orders.server"
import { timeline } from "../orders/timeline.server"
import { chargebackOf } from "../payments/chargebacks.server"
import { coinReferencesOf } from "../payments/coin-references.server"
import { orderRefundsOf, refundableOf, refundedOf } from "../payments/order-refunds.server"
import { attemptOf } from "../payments/payment-attempts.server"
import { RECORDED_REFUND } from "../payments/recorded-refund.server"
import { unappliedOf } from "../payments/unapplied-reports.server"
import { service } from "../services/services.server"
import { notesOf, tagsOf } from "./order-notes.server"

/** All stored data of one order; null for an unknown id. */
export async function showOrder(ctx: DbContext, id: string): Promise<OrderDetails | null> {
  const found = await order(ctx, id)
  if (!found) return null
  return {
    order: found,
    ...(await ordererOf(ctx, id)),
    service: await service(ctx, found.serviceId),
    attempts: await attemptsOf(ctx, id),
    callbacks: await callbacksOf(ctx, id),
    movements: await ledgerEntriesOf(ctx, id),
    creditMovements: await creditMovementsOf(ctx, id),
    refunds: await orderRefundsOf(ctx, id),
    refundable: await refundableOf(ctx, id),
    refunded: await refundedOf(ctx, id),
    chargeback: await chargebackOf(ctx, id),
    coinReferences: await coinReferencesOf(ctx, id),
    unapplied: await unappliedOf(ctx, id),
    accountCredit: await accountCreditOf(ctx, found.customerId),
    timeline: await timeline(ctx, id),
    notes: await notesOf(ctx, id),
    tags: await tagsOf(ctx, id),
  }
}

function ordererOf({ db }: DbContext, orderId: string) {
  return db
    .selectFrom("orders")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .select(["clients.email", "orders.address", "orders.affiliate_id as affiliateId"])
    .where("orders.id", "=", orderId)
    .executeTakeFirstOrThrow()
}

async function attemptsOf({ db }: DbContext, orderId: string): Promise<readonly Attempt[]> {
  const rows = await db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("opened_at")
    .execute()
  return rows.map(attemptOf)
}

/** An order has at most `MAX_ATTEMPTS` attempts; the limit bounds the reports of a gateway that repeats itself. */
const MAX_CALLBACKS = 200

async function callbacksOf({ db }: DbContext, orderId: string): Promise<readonly CallbackListed[]> {
  const rows = await db
    .selectFrom("gateway_events")
    .innerJoin("payment_attempts", "payment_attempts.id", "gateway_events.attempt_id")
    .select(["gateway_events.at", "gateway_events.gateway", "gateway_events.status"])
    .select(["gateway_events.amount", "gateway_events.currency", "gateway_events.transaction_id"])
    .where("payment_attempts.order_id", "=", orderId)
    .where("gateway_events.event_key", "not like", `${RECORDED_REFUND}%`)
    .orderBy("gateway_events.at")
    .limit(MAX_CALLBACKS)
    .execute()
  return rows.map(({ at, gateway, status, amount, currency, transaction_id }) => ({
    at,
    gateway,
    status,
    received: money(amount, currency),
    transactionId: transaction_id,
  }))
}
