import type { Instant } from "~/domain/calendar"
import type { OrderKind } from "~/domain/order"
import type { DbContext } from "../db/transaction.server"
import { enqueueJob } from "../outbox.server"
import { customerAccount, transfer } from "../reseller-credits/credit-ledger.server"
import { extendTerm } from "../services/service-terms.server"
import { applyRenewal } from "./apply-renewal.server"
import type { NewTimelineEvent } from "./timeline.server"

/**
 * Fulfils a paid order in the current transaction: marks its invoice as paid and enqueues provisioning. Call it once
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
  const { kind } = await ctx.db
    .selectFrom("orders")
    .select("kind")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow()
  await work[kind](ctx, orderId, at)
  return kind === "renewal" ? [{ kind: "renewed", at }] : []
}

type Work = (ctx: DbContext, orderId: string, at: Instant) => Promise<void>

const work: Record<OrderKind, Work> = {
  async plan(ctx, orderId, at) {
    await setUp(ctx, orderId, at)
  },

  async line(ctx, orderId, at) {
    await setUp(ctx, orderId, at)
  },

  async reseller(ctx, orderId, at) {
    const service = await setUp(ctx, orderId, at)
    await grantPlanResellerCredits(ctx, { orderId, at, ...service })
  },

  async upsell(ctx, orderId, at) {
    const { db } = ctx
    const bought = db
      .selectFrom("order_lines")
      .select((row) => row.fn.sum<number>("quantity").as("quantity"))
      .select((row) => row.fn.sum<number>("amount").as("amount"))
      .where("order_id", "=", orderId)
    const target = db.selectFrom("orders").select("service_id").where("id", "=", orderId)
    const { quantity, amount } = await bought.executeTakeFirstOrThrow()
    await db
      .updateTable("services")
      .set((row) => ({
        connections: row("connections", "+", Number(quantity)),
        // They are renewed with the service. An unknown price is found in the orders.
        renewal_price: row("renewal_price", "+", Number(amount)),
        announced_price: row("announced_price", "+", Number(amount)),
      }))
      .where("id", "=", target)
      .execute()
    await enqueueJob(ctx, { topic: "connections", subject: orderId, at })
  },

  async renewal(ctx, orderId, at) {
    await applyRenewal(ctx, orderId, at)
  },
}

/** Starts the term of the order's service and enqueues provisioning. A late payment also reopens a cancelled service. */
async function setUp(ctx: DbContext, orderId: string, at: Instant) {
  const service = await ctx.db
    .updateTable("services")
    .set((row) => ({
      status: row
        .case()
        .when("status", "=", "Cancelled")
        .then("Pending" as const)
        .else(row.ref("status"))
        .end(),
    }))
    .where("order_id", "=", orderId)
    .returning(["id", "product_id", "client_id"])
    .executeTakeFirstOrThrow()
  await extendTerm(ctx, service.id, { cycles: 1, at, event: { kind: "started", detail: { order: orderId } } })
  await enqueueJob(ctx, { topic: "provision", subject: service.id, at })
  return service
}

type Bought = { orderId: string; at: Instant; product_id: string; client_id: string }

/** Grants the reseller credits of a plan. Idempotent per order. */
async function grantPlanResellerCredits(
  ctx: DbContext,
  { orderId, at, product_id, client_id }: Bought,
): Promise<void> {
  const product = await ctx.db
    .selectFrom("products")
    .select("credits")
    .where("id", "=", product_id)
    .executeTakeFirst()
  if (!product?.credits) return
  const accounts = { from: "issued", to: customerAccount(client_id) } as const
  await transfer(ctx, { ...accounts, amount: product.credits, reference: `order ${orderId}`, at })
}
