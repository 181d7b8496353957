import type { BillingStats } from "~/billing/billing-stats"
import type { Instant } from "~/domain/calendar"
import { type OrderStatus, orderStatuses } from "~/domain/orders/order-status"
import type { DbContext } from "../db/transaction.server"
import { brakeOn } from "../dunning/brake.server"
import { isFree } from "../jobs/outbox.server"
import { paidAtOfFew } from "../orders/paid-at.server"

/** Maximum count per query: an unbounded count would read the whole table for each scrape of the metrics. */
const MAX = 10_000

/** Reads the figures for the metrics, see `BillingStats`. Every query uses an index and is limited. */
export async function figures(ctx: DbContext, now: Instant, since: Instant): Promise<BillingStats> {
  const [orders, paidSince, waiting, parked, dueSince, brake, stepDueSince] = await Promise.all([
    ordersSince(ctx, since),
    paidFirst(ctx),
    jobsIn(ctx, "waiting"),
    jobsIn(ctx, "parked"),
    dueFirst(ctx, now),
    brakeOn(ctx),
    stepDueFirst(ctx, now),
  ])
  const jobs = { waiting, parked }
  return { orders, paidSince, jobs, dueSince, brakeSince: brake?.at ?? null, stepDueSince }
}

async function ordersSince(ctx: DbContext, since: Instant): Promise<BillingStats["orders"]> {
  const counts = await Promise.all(
    orderStatuses.map(async (status) => [status, await ordersIn(ctx, status, since)] as const),
  )
  return Object.fromEntries(counts) as Record<OrderStatus, number>
}

async function ordersIn({ db }: DbContext, status: OrderStatus, since: Instant): Promise<number> {
  const some = db
    .selectFrom("orders")
    .select("status")
    .where("status", "=", status)
    .where("placed_at", ">=", since)
    .limit(MAX)
  return counted(
    await db
      .selectFrom(some.as("some"))
      .select((row) => row.fn.countAll().as("count"))
      .executeTakeFirst(),
  )
}

/** There are few rows in this status: orders leave it as soon as they are provisioned. */
async function paidFirst({ db }: DbContext): Promise<Instant | null> {
  const row = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select("invoices.paid_at")
    .where("orders.status", "=", "paid")
    .where("invoices.paid_at", "is not", null)
    .orderBy(paidAtOfFew)
    .limit(1)
    .executeTakeFirst()
  return row?.paid_at ?? null
}

async function jobsIn({ db }: DbContext, state: "waiting" | "parked"): Promise<number> {
  const some = db.selectFrom("outbox").select("state").where("state", "=", state).limit(MAX)
  return counted(
    await db
      .selectFrom(some.as("some"))
      .select((row) => row.fn.countAll().as("count"))
      .executeTakeFirst(),
  )
}

async function dueFirst({ db }: DbContext, now: Instant): Promise<Instant | null> {
  const row = await db
    .selectFrom("outbox")
    .select("due")
    .where("state", "=", "waiting")
    .where("due", "<=", now)
    .where(isFree(now))
    .orderBy("due")
    .limit(1)
    .executeTakeFirst()
  return row?.due ?? null
}

async function stepDueFirst({ db }: DbContext, now: Instant): Promise<Instant | null> {
  const row = await db
    .selectFrom("services")
    .select("next_step_at")
    .where("next_step_at", "<=", now)
    .orderBy("next_step_at")
    .limit(1)
    .executeTakeFirst()
  return row?.next_step_at ?? null
}

/** Kysely types a count as string, number or bigint, depending on the engine. */
function counted(row: { count: string | number | bigint } | undefined): number {
  return Number(row?.count ?? 0)
}
