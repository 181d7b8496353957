import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money"
import type { OrderKind } from "~/domain/order"
import type { OrderRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { issueInvoice } from "../documents/issue-documents.server"
import { enqueueJob } from "../outbox.server"
import { customerAccount, transfer } from "../reseller-credits/credit-ledger.server"
import { extendTerm } from "../services/service-terms.server"
import { applyPlanChange } from "./apply-plan-change.server"
import { applyRenewal } from "./apply-renewal.server"
import { applyTopUp } from "./apply-top-up.server"
import { applyUpsell } from "./apply-upsell.server"
import type { NewTimelineEvent } from "./timeline.server"

/**
 * Fulfils a paid order in the current transaction: marks its invoice as paid, enqueues provisioning and issues the
 * document of its tax. Call it once
 * per order, with the transition to `paid`. Returns the timeline events that follow the payment's.
 */
export async function fulfil(
  ctx: DbContext,
  orderId: string,
  at: Instant,
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
  const events = await carryOut(ctx, order, { at, granted: null, isLate: true, isSettled: false })
  await issueInvoice(ctx, order, { at, isSettled: false })
  return events
}

type PaidOrder = Pick<OrderRow, "id" | "kind" | "service_id" | "trial_hours">

type Fulfilment = {
  readonly at: Instant
  /** Account credit that the settlement of a top-up grants. */
  readonly granted: Money | null
  /** The order may have been cancelled before, and its service with it. */
  readonly isLate: boolean
  /** A payment was booked on the invoice; otherwise account credit or the operator has covered the total. */
  readonly isSettled: boolean
}

/** Fulfils an order whose invoice is marked as paid in the current transaction: see `fulfil`. */
export async function carryOut(
  ctx: DbContext,
  order: PaidOrder,
  { at, granted, isLate, isSettled }: Fulfilment,
): Promise<readonly NewTimelineEvent[]> {
  const { id, kind, service_id: serviceId } = order
  if (kind === "topup") return applyTopUp(ctx, id, { at, granted })
  if (serviceId === null) throw new BillingError("unreadable", `Order ${id} has no service`)
  if (kind === "upsell") return applyUpsell(ctx, id, { serviceId, at, isSettled })
  // External billing renews and changes its services itself, once it is told of the payment.
  if (kind === "plan-change" && ctx.terms) return applyPlanChange(ctx, id, { at, isSettled })
  if (kind === "renewal" && ctx.terms) return applyRenewal(ctx, id, { at, isSettled })
  await work[kind](ctx, { orderId: id, serviceId, at, isLate, isTrial: order.trial_hours !== null })
  return []
}

type Paid = Pick<Fulfilment, "at" | "isLate"> & {
  readonly orderId: string
  readonly serviceId: string
  /** The order is one of a free trial, which has no cycles. */
  readonly isTrial: boolean
}

type Work = (ctx: DbContext, paid: Paid) => Promise<void>

const work: Record<Exclude<OrderKind, "topup" | "upsell">, Work> = {
  plan: setUp,
  line: setUp,

  async reseller(ctx, paid) {
    await setUp(ctx, paid)
    await grantPlanResellerCredits(ctx, paid)
  },

  renewal: settleExternally,
  "plan-change": settleExternally,
}

async function settleExternally(ctx: DbContext, { orderId, at }: Paid): Promise<void> {
  await enqueueJob(ctx, { topic: "renewal", subject: orderId, at })
}

/** Starts the term of the order's service and enqueues provisioning. A late payment also reopens a cancelled service. */
async function setUp(ctx: DbContext, { orderId, serviceId, at, isLate, isTrial }: Paid): Promise<void> {
  if (isLate) await reopen(ctx, serviceId)
  const event = { kind: isTrial ? "trial-started" : "started", detail: { order: orderId } } as const
  await extendTerm(ctx, serviceId, { cycles: isTrial ? 0 : 1, at, event })
  await enqueueJob(ctx, { topic: "provision", subject: serviceId, at })
}

async function reopen({ db }: DbContext, serviceId: string): Promise<void> {
  await db
    .updateTable("services")
    .set({ status: "Pending" })
    .where("id", "=", serviceId)
    .where("status", "=", "Cancelled")
    .execute()
}

/** Grants the reseller credits that a plan had when it was ordered. Idempotent per order. */
async function grantPlanResellerCredits(ctx: DbContext, { orderId, at }: Paid): Promise<void> {
  const ordered = await ctx.db
    .selectFrom("orders")
    .innerJoin("services", "services.id", "orders.service_id")
    .leftJoin("products", "products.id", "services.product_id")
    // Orders from before the credits were kept have those of the catalogue.
    .select((row) => row.fn.coalesce("orders.credits", "products.credits").as("credits"))
    .select("orders.client_id")
    .where("orders.id", "=", orderId)
    .executeTakeFirst()
  if (!ordered?.credits) return
  const accounts = { from: "issued", to: customerAccount(ordered.client_id) } as const
  await transfer(ctx, { ...accounts, amount: ordered.credits, reference: `order ${orderId}`, at })
}
