import type { Instant } from "~/domain/calendar"
import type { ServiceStatus } from "~/domain/services/service"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { UpsellRow } from "../db/schema/term-rows"
import type { DbContext } from "../db/transaction.server"
import { enqueueJob } from "../jobs/outbox.server"
import type { NewTimelineEvent } from "../orders/timeline.server"
import { addToNextPlan, nextPlan, priceInNextPlan } from "../services/next-plan.server"
import { isAsRead } from "../services/next-step.server"
import { knownServiceRow, lockService } from "../services/service-row.server"
import { appendServiceEvent } from "../services/service-terms.server"
import { type Covered, creditInstead } from "./credit-instead.server"

/**
 * Notes the plan of a service whose extra connections are ordered, in the current transaction, and again when an order on hold is
 * released at the price of that time. An external billing changes its services itself.
 */
export async function noteUpsell(ctx: DbContext, orderId: string, serviceId: string): Promise<void> {
  if (!ctx.terms) return
  const { product_id, cycle, term_anchor } = await knownServiceRow(ctx, serviceId)
  const plan = { product_id, cycle, term_anchor }
  await ctx.db
    .insertInto("upsells")
    .values({ order_id: orderId, ...plan, applied_at: null })
    .onConflict((conflict) => conflict.column("order_id").doUpdateSet(plan))
    .execute()
}

/**
 * Adds the connections of a paid order to its service, in the current transaction. If the service has ended or has another plan than
 * the one that they were priced for, it stays as it is, and what was paid becomes account credit. Returns the timeline events that
 * follow the payment's.
 */
export async function applyUpsell(
  tx: DbContext,
  orderId: string,
  { serviceId, at, isSettled }: Covered & { readonly serviceId: string },
): Promise<readonly NewTimelineEvent[]> {
  // A plan that is being chosen to follow has the price of these connections, or gets it below.
  await lockService(tx, serviceId)
  const row = await knownServiceRow(tx, serviceId)
  if (tx.terms && !(await isAsOrdered(tx, orderId, row))) return creditInstead(tx, orderId, { at, isSettled })
  await addConnections(tx, orderId, { row, at })
  await tx.db.updateTable("upsells").set({ applied_at: at }).where("order_id", "=", orderId).execute()
  await enqueueJob(tx, { topic: "connections", subject: orderId, at })
  return []
}

/** Statuses of services that have ended. One that is being set up again gets its connections afterwards. */
const ended: readonly ServiceStatus[] = ["Terminated", "Cancelled"]

/** Paying terms of the plan that follows has given a service another anchor. */
async function isAsOrdered({ db }: DbContext, orderId: string, row: ServiceRow): Promise<boolean> {
  if (ended.includes(row.status)) return false
  const ordered = await db
    .selectFrom("upsells")
    .selectAll()
    .where("order_id", "=", orderId)
    .executeTakeFirst()
  return ordered === undefined || isOfPlan(ordered, row)
}

function isOfPlan({ product_id, cycle, term_anchor }: UpsellRow, row: ServiceRow): boolean {
  return product_id === row.product_id && cycle === row.cycle && term_anchor === row.term_anchor
}

type Applying = { readonly row: ServiceRow; readonly at: Instant }

async function addConnections(tx: DbContext, orderId: string, { row, at }: Applying): Promise<void> {
  const { id } = row
  const bought = tx.db
    .selectFrom("order_lines")
    .select((of) => of.fn.sum<number>("quantity").as("quantity"))
    .select((of) => of.fn.sum<number>(of.fn.coalesce("listed", "amount")).as("amount"))
    .where("order_id", "=", orderId)
  const { quantity, amount } = await bought.executeTakeFirstOrThrow()
  const connections = Number(quantity)
  const next = await nextPlan(tx, id)
  const inNext = next && (await priceInNextPlan(tx, row, { next, connections, at }))
  // Paid terms of the plan that follows have given the service its price.
  const renewed = next?.startsAt != null && inNext ? inNext.minor : Number(amount)
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set((of) => ({
      connections: of("connections", "+", connections),
      // They are renewed with the service. An unknown price is found in the orders.
      renewal_price: of("renewal_price", "+", renewed),
      announced_price: of("announced_price", "+", renewed),
    }))
    .where("id", "=", id)
    .where(isAsRead(row))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Connections of service ${id}`)
  if (next) await addToNextPlan(tx, id, { price: inNext, at })
  const detail = { order: orderId, connections: row.connections + connections }
  await appendServiceEvent(tx, id, { kind: "connections", at, detail })
}
