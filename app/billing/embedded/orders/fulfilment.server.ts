import type { Instant } from "~/domain/calendar"
import type { OrderKind } from "~/domain/order"
import type { DbContext } from "../db/transaction.server"
import { enqueueJob } from "../outbox.server"
import { customerAccount, transfer } from "../reseller-credits/credit-ledger.server"

/** What a paid order leads to, once: its invoice is paid, and what it is for is to be set up. */
export async function fulfil(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
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
    await grantPlanCredits(ctx, { orderId, at, ...service })
  },

  async upsell(ctx, orderId, at) {
    const { db } = ctx
    const bought = db
      .selectFrom("order_lines")
      .select((row) => row.fn.sum<number>("quantity").as("quantity"))
      .where("order_id", "=", orderId)
    const target = db.selectFrom("orders").select("service_id").where("id", "=", orderId)
    const { quantity } = await bought.executeTakeFirstOrThrow()
    await db
      .updateTable("services")
      .set((row) => ({ connections: row("connections", "+", Number(quantity)) }))
      .where("id", "=", target)
      .execute()
    await enqueueJob(ctx, { topic: "connections", subject: orderId, at })
  },
}

/** The service an order makes is to be set up, also when the order had been given up. */
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
  await enqueueJob(ctx, { topic: "provision", subject: service.id, at })
  return service
}

type Bought = { orderId: string; at: Instant; product_id: string; client_id: string }

/** A reseller's plan brings credits, once. */
async function grantPlanCredits(
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
