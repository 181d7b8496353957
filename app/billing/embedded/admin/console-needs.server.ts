import { type ExpressionBuilder, sql } from "kysely"
import type { NeedQuery } from "~/billing/console-overview"
import { isAnyOffered } from "~/billing/payments/gateway-drains"
import { MAIL_SENT_WITHIN, PROVISIONED_WITHIN } from "~/domain/alert-periods"
import { DAY, dayIn } from "~/domain/calendar"
import { byUrgency, NEED_COUNT_LIMIT, type Need, STEP_LATE_AFTER } from "~/domain/console-need"
import { money } from "~/domain/money"
import { paidStatuses, unpaidFinalStatuses } from "~/domain/order-status"
import { taxOwedBack as owedBackOf } from "~/domain/order-tax"
import type { Tables } from "../db/schema/schema"
import { parseOrderTax } from "../db/stored-tax.server"
import type { DbContext } from "../db/transaction.server"
import { paidAtOfFew } from "../orders/paid-at.server"
import { gatewayDrains } from "../payments/gateway-drains.server"
import { openUnmatched } from "../payments/unmatched-payments.server"
import { openApprovals } from "./approvals.server"

/** What is listed of each kind. */
const LISTED = 20
const REPORTS_OF = 14 * DAY
/** Older holds and parked jobs without a decision are found in the lists only. */
const HELD_OF = 30 * DAY

type Found = Omit<Need, "takenBy">

/** What waits for an operator, the most urgent first: see `ConsoleOverview.needs`. */
export async function needs(ctx: DbContext, query: NeedQuery): Promise<readonly Need[]> {
  const found = (
    await Promise.all([
      noGateway(ctx, query),
      notProvisioned(ctx, query),
      refusedRefunds(ctx, query),
      unknownOrders(ctx, query),
      negativeCredit(ctx, query),
      taxOwedBack(ctx),
      onHold(ctx, query),
      toConfirm(ctx, query),
      unmatchedMoney(ctx),
      parkedJobs(ctx),
      unsentMail(ctx, query),
      pausedWebhooks(ctx),
      callbacksRejected(ctx, query),
      lateSteps(ctx, query),
    ])
  ).flat()
  const takers = await takersOf(ctx)
  const gateways = query.down.map(gatewayDown)
  return [...found, ...gateways, ...unknownFields(query), ...missingRates(query)]
    .map((it) => ({ ...it, takenBy: takers.get(it.key) ?? null }))
    .sort(byUrgency)
}

async function notProvisioned({ db }: DbContext, { now }: NeedQuery): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .leftJoin("outbox", (join) =>
      join.onRef("outbox.subject", "=", "orders.service_id").on("outbox.topic", "=", "provision"),
    )
    .select(["orders.id", "invoices.paid_at", "invoices.total", "invoices.currency"])
    .select(["outbox.tries", "outbox.reason"])
    .where("orders.status", "=", "paid")
    .where(paidAtOfFew, "<=", now - PROVISIONED_WITHIN)
    .orderBy(paidAtOfFew)
    .limit(LISTED)
    .execute()
  return rows.map(({ id, paid_at, total, currency, tries, reason }) => ({
    key: `order ${id}`,
    kind: "not-provisioned",
    since: paid_at ?? now,
    orderId: id,
    amount: money(total, currency),
    detail: reason,
    count: tries ?? 0,
  }))
}

async function onHold({ db }: DbContext, { now }: NeedQuery): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.id", "orders.placed_at", "invoices.total", "invoices.currency"])
    .where("orders.status", "=", "fraud")
    .where("orders.placed_at", ">=", now - HELD_OF)
    .where("orders.decision", "is", null)
    .orderBy("orders.placed_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, placed_at, total, currency }) => ({
    key: `order ${id}`,
    kind: "on-hold",
    since: placed_at,
    orderId: id,
    amount: money(total, currency),
    detail: null,
    count: 1,
  }))
}

/** Until an operator dismisses it, or the order gets another refund, through a gateway or by hand. */
async function refusedRefunds({ db }: DbContext, { now }: NeedQuery): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("gateway_refunds")
    .selectAll()
    .where("state", "=", "refused")
    .where("settled_at", ">=", now - REPORTS_OF)
    .where((row) => row.not(row.exists(laterRefund(row))))
    .where((row) => row.not(row.exists(laterRepayment(row))))
    .orderBy("settled_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, order_id, amount, currency, settled_at, gateway, detail }) => ({
    key: `refund ${id}`,
    kind: "refund-refused",
    since: settled_at ?? now,
    orderId: order_id,
    amount: money(amount, currency),
    detail: `${gateway}: ${detail}`,
    count: 1,
  }))
}

function laterRefund({ selectFrom }: ExpressionBuilder<Tables, "gateway_refunds">) {
  return selectFrom("gateway_refunds as later")
    .select("later.id")
    .whereRef("later.order_id", "=", "gateway_refunds.order_id")
    .whereRef("later.at", ">", "gateway_refunds.at")
}

function laterRepayment({ selectFrom }: ExpressionBuilder<Tables, "gateway_refunds">) {
  return selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .select("payments.id")
    .whereRef("invoices.order_id", "=", "gateway_refunds.order_id")
    .whereRef("payments.booked_at", ">=", "gateway_refunds.settled_at")
    .where("payments.amount", "<", 0)
}

/**
 * What was paid for an order that external billing has no more, as after it was restored from a backup, and that is never provisioned:
 * until it is refunded. What became account credit is the customer's.
 */
async function unknownOrders({ db }: DbContext, { now }: NeedQuery): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("external_orders")
    .innerJoin("orders", "orders.id", "external_orders.order_id")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.id", "orders.placed_at", "invoices.currency"])
    .select((row) => row("invoices.received", "-", row.ref("invoices.credited")).as("balance"))
    .select((row) => endOfOrder(row).as("ended_at"))
    .where("external_orders.state", "=", "unknown")
    .where("orders.status", "in", unpaidFinalStatuses)
    .where("orders.placed_at", ">=", now - HELD_OF)
    .whereRef("invoices.received", ">", "invoices.credited")
    .orderBy("orders.placed_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, placed_at, currency, balance, ended_at }) => ({
    key: `order ${id}`,
    kind: "unknown-order",
    since: Number(ended_at ?? placed_at),
    orderId: id,
    amount: money(Number(balance), currency),
    detail: null,
    count: 1,
  }))
}

function endOfOrder({ selectFrom }: ExpressionBuilder<Tables, "orders">) {
  return selectFrom("order_events")
    .select((row) => row.fn.max("order_events.at").as("at"))
    .whereRef("order_events.order_id", "=", "orders.id")
    .where("order_events.kind", "in", ["cancelled", "expired", "flagged"])
}

/** A refund has taken back account credit that was spent before: what was bought with it is not paid. */
async function negativeCredit({ db }: DbContext, { now }: NeedQuery): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("credits")
    .select(["credits.client_id", "credits.currency", "credits.balance"])
    .select((row) => [
      lastTaken(row, "orders.id").as("order_id"),
      lastTaken(row, "credit_movements.at").as("at"),
    ])
    // The literal condition of the partial index.
    .where(sql<boolean>`balance < 0`)
    .orderBy("credits.client_id")
    .limit(LISTED)
    .execute()
  return rows.map(({ client_id, currency, balance, order_id, at }) => ({
    key: `credit ${client_id} ${currency}`,
    kind: "negative-credit",
    customerId: client_id,
    since: Number(at ?? now),
    orderId: order_id === null ? null : String(order_id),
    amount: money(balance, currency),
    detail: null,
    count: 1,
  }))
}

/** A business was confirmed after it had paid with tax: until something of the order is paid back. */
async function taxOwedBack({ db }: DbContext): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.id", "orders.tax", "orders.tax_corrected_at", "invoices.currency"])
    // The literal condition of the partial index.
    .where(sql<boolean>`tax_corrected_at is not null`)
    .where("orders.status", "in", paidStatuses)
    .where((row) => row.not(row.exists(repaidSinceCorrection(row))))
    .where((row) => row.not(row.exists(refundedSinceCorrection(row))))
    .orderBy("orders.tax_corrected_at")
    .limit(LISTED)
    .execute()
  return rows.flatMap(({ id, tax, tax_corrected_at, currency }) => {
    const stored = parseOrderTax(tax)
    const owed = stored ? owedBackOf(stored) : 0
    if (owed === 0 || tax_corrected_at === null) return []
    return [
      {
        key: `tax ${id}`,
        kind: "tax-owed-back" as const,
        since: tax_corrected_at,
        orderId: id,
        amount: money(owed, currency),
        detail: stored?.buyer.business?.taxNumber ?? null,
        count: 1,
      },
    ]
  })
}

function repaidSinceCorrection({ selectFrom }: ExpressionBuilder<Tables, "orders" | "invoices">) {
  return selectFrom("payments")
    .select("payments.id")
    .whereRef("payments.invoice_id", "=", "invoices.id")
    .whereRef("payments.booked_at", ">=", "orders.tax_corrected_at")
    .where("payments.amount", "<", 0)
}

/** As account credit, or of what the operator has received outside the gateways. */
function refundedSinceCorrection({ selectFrom }: ExpressionBuilder<Tables, "orders">) {
  return selectFrom("order_refunds")
    .select("order_refunds.id")
    .whereRef("order_refunds.order_id", "=", "orders.id")
    .whereRef("order_refunds.at", ">=", "orders.tax_corrected_at")
}

/** Of the last movement that has lowered the account credit of a customer. */
function lastTaken(
  { selectFrom }: ExpressionBuilder<Tables, "credits">,
  column: "orders.id" | "credit_movements.at",
) {
  return selectFrom("credit_movements")
    .innerJoin("invoices", "invoices.id", "credit_movements.invoice_id")
    .innerJoin("orders", "orders.id", "invoices.order_id")
    .select(column)
    .whereRef("credit_movements.client_id", "=", "credits.client_id")
    .whereRef("credit_movements.currency", "=", "credits.currency")
    .where("credit_movements.amount", "<", 0)
    .where("credit_movements.cause", "not in", ["used"])
    .orderBy("credit_movements.at", "desc")
    .limit(1)
}

async function toConfirm(ctx: DbContext, { now }: NeedQuery): Promise<readonly Found[]> {
  const found = await openApprovals(ctx, now, LISTED)
  return found.map(({ id, action, orderId, customerId, amount, at }) => ({
    key: `approval ${id}`,
    customerId,
    kind: "to-confirm",
    since: at,
    orderId,
    amount,
    detail: action,
    count: 1,
  }))
}

async function unmatchedMoney(ctx: DbContext): Promise<readonly Found[]> {
  const open = await openUnmatched(ctx, LISTED)
  return open.map(({ id, gateway, detail, count, firstAt, at, reportedOrderId, amount, takenBackFrom }) => ({
    key: `payment ${id}`,
    kind: takenBackFrom ? "money-paid-back" : "unmatched-money",
    since: takenBackFrom ? at : firstAt,
    orderId: takenBackFrom ? takenBackFrom.orderId : reportedOrderId,
    customerId: takenBackFrom?.customerId ?? null,
    amount,
    detail: `${gateway}: ${detail}`,
    count,
  }))
}

/** Jobs of orders are listed with their orders. */
async function parkedJobs({ db }: DbContext): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("outbox")
    .select(["id", "topic", "put_off_at", "tries", "reason"])
    .where("state", "=", "parked")
    // The literal condition of the partial index.
    .where(sql<boolean>`tries > 0`)
    .where("topic", "!=", "provision")
    .orderBy("put_off_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, topic, put_off_at, tries, reason }) => ({
    key: `job ${id}`,
    kind: "parked-job",
    since: put_off_at,
    orderId: null,
    amount: null,
    detail: reason === null ? topic : `${topic}: ${reason}`,
    count: tries,
  }))
}

async function unsentMail({ db }: DbContext, { now }: NeedQuery): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("mails")
    .select(["id", "created_at"])
    // The literal condition of the partial index.
    .where(sql<boolean>`tries > 0 and state in ('waiting', 'sending')`)
    .where("created_at", "<=", now - MAIL_SENT_WITHIN)
    .orderBy("created_at")
    .limit(NEED_COUNT_LIMIT)
    .execute()
  const [oldest] = rows
  if (!oldest) return []
  const job = await db
    .selectFrom("outbox")
    .select("reason")
    .where("topic", "in", ["mail", "sign-in-mail"])
    .where("subject", "=", oldest.id)
    .executeTakeFirst()
  return [
    {
      key: "mail",
      kind: "unsent-mail",
      since: oldest.created_at,
      orderId: null,
      amount: null,
      detail: job?.reason ?? null,
      count: rows.length,
    },
  ]
}

/** What an operator has paused is meant to wait. Of the receiver's URL only the host: the rest may be secret. */
async function pausedWebhooks({ db }: DbContext): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .select(["id", "url", "pause_reason", "paused_at", "created_at"])
    .where("state", "=", "paused")
    .where("pause_reason", "!=", "operator")
    .orderBy("paused_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, url, pause_reason, paused_at, created_at }) => ({
    key: `webhook ${id}`,
    kind: "webhook-paused",
    since: paused_at ?? created_at,
    orderId: null,
    amount: null,
    detail: `${new URL(url).host}: ${pause_reason === "gone" ? "answered 410" : "no success for 3 days"}`,
    count: 1,
  }))
}

/** They are counted by day. The first ones of a day are stored with their time, but for those without a request. */
async function callbacksRejected(
  { db }: DbContext,
  { yesterday, timeZone }: NeedQuery,
): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("refused_callbacks")
    .selectAll()
    .where("day", ">=", yesterday)
    .orderBy("day")
    .limit(LISTED)
    .execute()
  if (rows.length === 0) return []
  const stored = await db
    .selectFrom("rejected_callbacks")
    .select(["gateway", "reason", "at"])
    .where("at", ">=", Date.parse(yesterday) - DAY)
    .orderBy("at", "desc")
    .execute()
  // The first of each day is the last one to be set.
  const first = new Map(
    stored.map((it) => [`${it.gateway} ${dayIn(timeZone, Number(it.at))} ${it.reason}`, Number(it.at)]),
  )
  return rows.map(({ gateway, day, reason, count }) => ({
    key: `callbacks ${gateway} ${day} ${reason}`,
    kind: "rejected-callbacks",
    since: first.get(`${gateway} ${day} ${reason}`) ?? Date.parse(day),
    orderId: null,
    amount: null,
    detail: `${gateway}: ${reason}`,
    count: Number(count),
  }))
}

async function lateSteps({ db }: DbContext, { now }: NeedQuery): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom("services")
    .select("next_step_at")
    .where("next_step_at", "<=", now - STEP_LATE_AFTER)
    .orderBy("next_step_at")
    .limit(NEED_COUNT_LIMIT)
    .execute()
  const since = rows[0]?.next_step_at
  if (!since) return []
  return [
    {
      key: "late-steps",
      kind: "late-steps",
      since,
      orderId: null,
      amount: null,
      detail: null,
      count: rows.length,
    },
  ]
}

/** All that are enabled are drained: no visitor can buy. Since the last one was. */
async function noGateway(ctx: DbContext, { enabledGateways: enabled }: NeedQuery): Promise<readonly Found[]> {
  if (enabled.length === 0) return []
  const drains = await gatewayDrains(ctx)
  if (isAnyOffered(enabled, drains)) return []
  const since = Math.max(...drains.filter((it) => enabled.includes(it.gateway)).map((it) => it.since))
  const [kind, detail] = ["no-gateway" as const, enabled.join(", ")]
  return [{ key: kind, kind, since, orderId: null, amount: null, detail, count: enabled.length }]
}

function gatewayDown({ id, since }: NeedQuery["down"][number]): Found {
  return {
    key: `gateway ${id}`,
    kind: "gateway-down",
    since,
    orderId: null,
    amount: null,
    detail: id,
    count: 1,
  }
}

function unknownFields({ unknownShopFields, now: since }: NeedQuery): readonly Found[] {
  if (unknownShopFields.length === 0) return []
  const [kind, detail] = ["shop-file" as const, unknownShopFields.join(", ")]
  return [{ key: kind, kind, since, orderId: null, amount: null, detail, count: unknownShopFields.length }]
}

function missingRates({ currenciesWithoutRate, now: since }: NeedQuery): readonly Found[] {
  if (currenciesWithoutRate.length === 0) return []
  const [kind, detail] = ["exchange-rate" as const, currenciesWithoutRate.join(", ")]
  return [
    { key: kind, kind, since, orderId: null, amount: null, detail, count: currenciesWithoutRate.length },
  ]
}

async function takersOf({ db }: DbContext): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("taken_needs")
    .innerJoin("operators", "operators.id", "taken_needs.operator_id")
    .select(["need", "email"])
    .execute()
  return new Map(rows.map(({ need, email }) => [need, email]))
}
