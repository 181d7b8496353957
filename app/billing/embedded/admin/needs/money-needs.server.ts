import { type ExpressionBuilder, sql } from "kysely"
import type { NeedQuery } from "~/billing/console-overview"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { paidStatuses } from "~/domain/orders/order-status"
import { taxOwedBack as owedBackOf } from "~/domain/orders/order-tax"
import type { Tables } from "../../db/schema/schema"
import { parseOrderTax } from "../../db/stored-tax.server"
import type { DbContext } from "../../db/transaction.server"
import { openChargebacks } from "../../payments/chargebacks.server"
import { openUnmatched } from "../../payments/unmatched-payments.server"
import { type FoundNeed, LISTED } from "./found-need"

const REPORTS_OF = 14 * DAY

/** Older ones are on their orders only. */
const CHARGEBACKS_OF = 180 * DAY

/** Money of paid orders that gateways have taken back by themselves: until somebody has dealt with it, see `openChargebacks`. */
export async function chargebacks(ctx: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
  const open = await openChargebacks(ctx, { since: now - CHARGEBACKS_OF, limit: LISTED })
  return open.map(({ orderId, at, amount, gateway }) => ({
    key: `chargeback ${orderId}`,
    kind: "chargeback",
    since: at,
    orderId,
    amount,
    detail: gateway,
    count: 1,
  }))
}

/** Refunds that a gateway has refused: until an operator dismisses it, or the order gets another refund, through a gateway or by hand. */
export async function refusedRefunds({ db }: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
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

/** A refund has taken back account credit that was spent before: what was bought with it is not paid. */
export async function negativeCredit({ db }: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
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

/** A business was confirmed after it had paid with tax: until something of the order is paid back. */
export async function taxOwedBack({ db }: DbContext): Promise<readonly FoundNeed[]> {
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

/** Payments that belong to no order, and those that were taken back from one. */
export async function unmatchedMoney(ctx: DbContext): Promise<readonly FoundNeed[]> {
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
