import { type ExpressionBuilder, sql } from "kysely"
import type { Chargeback } from "~/billing/orders/order-admin"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { OperatorAction } from "~/domain/operators/operator"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import type { Tables } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"

type OrderChargeback = Omit<Chargeback, "isOpen"> & { readonly orderId: string }

/** What a gateway has taken back of an order by itself: what is open, or else what somebody has dealt with. Null: nothing is missing. */
export async function chargebackOf(ctx: DbContext, orderId: string): Promise<Chargeback | null> {
  const [open] = byOrder(await openRows(ctx).where("order_events.order_id", "=", orderId).execute())
  if (open) return { ...open, isOpen: true }
  const [former] = byOrder(await takenBack(ctx).where("order_events.order_id", "=", orderId).execute())
  return former ? { ...former, isOpen: false } : null
}

/** Open chargebacks since an instant, the longest waiting first, those of an order as one. */
export async function openChargebacks(
  ctx: DbContext,
  { since, limit }: { readonly since: Instant; readonly limit: number },
): Promise<readonly OrderChargeback[]> {
  const rows = await openRows(ctx)
    .where("order_events.at", ">=", since)
    .orderBy("order_events.at")
    .limit(limit)
    .execute()
  return byOrder(rows)
}

/** As long as nobody has dealt with it: the service goes on, and no operator has recorded that it is settled. */
function openRows(ctx: DbContext) {
  return takenBack(ctx)
    .where((row) =>
      row.or([row("services.status", "is", null), row("services.status", "in", ["Pending", "Active"])]),
    )
    .where((row) => row.not(row.exists(dismissed(row))))
}

/**
 * What a gateway has taken back of a paid order without a refund from here, and has not given again. Account credit that a top-up has
 * bought is taken back with its payment, so nothing goes on.
 */
function takenBack({ db }: DbContext) {
  return (
    db
      .selectFrom("order_events")
      .innerJoin("orders", "orders.id", "order_events.order_id")
      .innerJoin("invoices", "invoices.order_id", "orders.id")
      .leftJoin("services", "services.id", "orders.service_id")
      .select(["order_events.order_id", "order_events.at", "order_events.amount", "invoices.currency"])
      .select((row) => row.fn.coalesce(gatewayOf(row), row.ref("orders.gateway")).as("gateway"))
      // The literal condition of the partial index.
      .where(sql<boolean>`order_events.kind = 'refunded'`)
      .where("order_events.reference", "not like", `${OPERATOR_REFERENCE}%`)
      .where("orders.kind", "!=", "topup")
      .where("invoices.status", "=", "paid")
      .where(isMoneyMissing)
      .where((row) => row.not(row.exists(begunHere(row))))
  )
}

type Row = Awaited<ReturnType<ReturnType<typeof takenBack>["execute"]>>[number]

function byOrder(rows: readonly Row[]): readonly OrderChargeback[] {
  return [...Map.groupBy(rows, ({ order_id }) => order_id)].map(([orderId, events]) => ({
    orderId,
    at: Math.min(...events.map(({ at }) => at)),
    amount: money(
      events.reduce((sum, { amount }) => sum - Number(amount ?? 0), 0),
      events[0]?.currency ?? "EUR",
    ),
    gateway: events[0]?.gateway ?? null,
  }))
}

type Events = ExpressionBuilder<Tables, "order_events" | "orders" | "invoices">

/** The gateway of the movement that the event is about. */
function gatewayOf({ selectFrom }: Events) {
  return selectFrom("payments")
    .select("payments.gateway")
    .whereRef("payments.invoice_id", "=", "invoices.id")
    .whereRef("payments.booked_at", "=", "order_events.at")
    .whereRef("payments.amount", "=", "order_events.amount")
    .limit(1)
}

/** Less is there than the price, whoever has received it: a surplus that goes back leaves the order paid. */
function isMoneyMissing(row: Events) {
  const outside = row
    .selectFrom("outside_payments")
    .select((of) => of.fn.coalesce(of.fn.sum<number>("outside_payments.amount"), of.lit(0)).as("outside"))
    .whereRef("outside_payments.invoice_id", "=", "invoices.id")
  const received = row("invoices.received", "-", row.ref("invoices.credited"))
  return row(row(received, "+", outside), "<", row.ref("invoices.total"))
}

/** A refund that an operator has asked the gateway for, and that the gateway has reported before its answer was booked. */
function begunHere({ selectFrom, ref }: Events) {
  return selectFrom("gateway_refunds")
    .select("gateway_refunds.id")
    .whereRef("gateway_refunds.order_id", "=", "order_events.order_id")
    .where("gateway_refunds.state", "in", ["waiting", "sent"])
    .whereRef("gateway_refunds.at", "<=", "order_events.at")
    .where((row) => row(row("gateway_refunds.amount", "+", ref("order_events.amount")), "=", 0))
    .where((row) =>
      row.or([
        row("gateway_refunds.settled_at", "is", null),
        row("gateway_refunds.settled_at", ">=", ref("order_events.at")),
      ]),
    )
}

const DISMISSAL: OperatorAction = "dismiss-chargeback"

/** The audit log says that an operator has recorded it as settled. */
function dismissed({ selectFrom }: Events) {
  return selectFrom("audit_log")
    .select("audit_log.position")
    .where("audit_log.subject", "=", sql<string>`'order ' || order_events.order_id`)
    .where("audit_log.action", "=", DISMISSAL)
    .where("audit_log.outcome", "=", "done")
    .whereRef("audit_log.at", ">=", "order_events.at")
}
