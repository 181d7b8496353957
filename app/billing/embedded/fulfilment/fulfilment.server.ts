import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { OrderKind } from "~/domain/orders/order"
import type { OrderRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { issueInvoice } from "../documents/issue-documents.server"
import { enqueueJob } from "../jobs/outbox.server"
import type { NewTimelineEvent } from "../orders/timeline.server"
import { extendTerm } from "../services/service-terms.server"
import { applyPlanChange } from "./apply-plan-change.server"
import { applyRenewal } from "./apply-renewal.server"
import {
  addToAccountOpenedSince,
  applyResellerCredits,
  grantPlanCredits,
} from "./apply-reseller-credits.server"
import { applyTopUp } from "./apply-top-up.server"
import { applyUpsell } from "./apply-upsell.server"
import type { Covered } from "./credit-instead.server"

/**
 * Fulfils a paid order in the current transaction: marks its invoice as paid, does what the payment of its kind does, and issues the
 * document of its tax. `isSettled`: payments that were booked before have covered it. Call it once per order, with the
 * transition to `paid`. Returns the timeline events that follow the payment's.
 */
export async function fulfil(
  ctx: DbContext,
  orderId: string,
  at: Instant,
  isSettled = false,
): Promise<readonly NewTimelineEvent[]> {
  await ctx.db
    .updateTable("invoices")
    .set({ status: "paid", paid_at: at })
    .where("order_id", "=", orderId)
    .execute()
  const order = await ctx.db
    .selectFrom("orders")
    .select(["id", "kind", "service_id", "trial_hours", "tax"])
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow()
  const events = await carryOut(ctx, order, { at, granted: null, isLate: true, isSettled })
  await issueInvoice(ctx, order, { at, isSettled })
  return events
}

type PaidOrder = Pick<OrderRow, "id" | "kind" | "service_id" | "trial_hours">

type Fulfilment = Covered & {
  /** Account credit that the settlement of a top-up grants. */
  readonly granted: Money | null
  /** The order may have been cancelled before, and its service with it. */
  readonly isLate: boolean
}

/** Fulfils an order whose invoice is marked as paid in the current transaction: see `fulfil`. */
export async function carryOut(
  ctx: DbContext,
  order: PaidOrder,
  { granted, ...covered }: Fulfilment,
): Promise<readonly NewTimelineEvent[]> {
  const { id: orderId, kind, service_id: serviceId } = order
  if (kind === "topup") return applyTopUp(ctx, orderId, { at: covered.at, granted })
  if (serviceId === null) throw new BillingError("unreadable", `Order ${orderId} has no service`)
  return work[kind](ctx, { ...covered, orderId, serviceId, isTrial: order.trial_hours !== null })
}

type Paid = Omit<Fulfilment, "granted"> & {
  readonly orderId: string
  readonly serviceId: string
  /** The order is one of a free trial, which has no cycles. */
  readonly isTrial: boolean
}

type Work = (ctx: DbContext, paid: Paid) => Promise<readonly NewTimelineEvent[]>

/**
 * What the payment of an order does, with the timeline events that follow it. External billing renews and changes its services itself,
 * once the payment is recorded there.
 */
const work: Record<Exclude<OrderKind, "topup">, Work> = {
  plan: setUp,
  line: setUp,

  async reseller(ctx, paid) {
    const added = await addToAccountOpenedSince(ctx, paid)
    if (added) return added
    await setUp(ctx, paid)
    await grantPlanCredits(ctx, paid.orderId, paid.at)
    return []
  },

  "reseller-credits": applyResellerCredits,

  upsell: (ctx, paid) => applyUpsell(ctx, paid.orderId, paid),
  renewal: (ctx, paid) => (ctx.terms ? applyRenewal(ctx, paid.orderId, paid) : settleExternally(ctx, paid)),
  "plan-change": (ctx, paid) =>
    ctx.terms ? applyPlanChange(ctx, paid.orderId, paid) : settleExternally(ctx, paid),
}

async function settleExternally(ctx: DbContext, { orderId, at }: Paid): Promise<readonly never[]> {
  await enqueueJob(ctx, { topic: "renewal", subject: orderId, at })
  return []
}

/** Starts the term of the order's service and enqueues provisioning. A late payment also reopens a cancelled service. */
async function setUp(
  ctx: DbContext,
  { orderId, serviceId, at, isLate, isTrial }: Paid,
): Promise<readonly never[]> {
  if (isLate) await reopen(ctx, serviceId)
  const event = { kind: isTrial ? "trial-started" : "started", detail: { order: orderId } } as const
  await extendTerm(ctx, serviceId, { cycles: isTrial ? 0 : 1, at, event })
  await enqueueJob(ctx, { topic: "provision", subject: serviceId, at })
  return []
}

async function reopen({ db }: DbContext, serviceId: string): Promise<void> {
  await db
    .updateTable("services")
    .set({ status: "Pending" })
    .where("id", "=", serviceId)
    .where("status", "=", "Cancelled")
    .execute()
}
