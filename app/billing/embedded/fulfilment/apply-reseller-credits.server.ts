import type { Instant } from "~/domain/calendar"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { OrderRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { completeOrder } from "../orders/complete-order.server"
import type { NewTimelineEvent } from "../orders/timeline.server"
import { customerAccount, lockBalance, transfer } from "../reseller-credits/credit-ledger.server"
import { resellerAccounts } from "../reseller-credits/reseller-accounts.server"
import { tellCredits } from "../reseller-credits/sold-credits.server"
import { lockService } from "../services/service-row.server"
import { type Covered, creditInstead } from "./credit-instead.server"

type PaidPlan = Covered & { readonly orderId: string }

/**
 * Adds the credits of a paid plan to the account that it was ordered for, in the current transaction. If that has ended since, to another
 * one in the scope of the order; without one they would make no line, and what was paid becomes account credit. Returns the timeline
 * events that follow the payment's.
 */
export async function applyResellerCredits(tx: DbContext, paid: PaidPlan): Promise<Events> {
  const { orderId } = paid
  const order = await planOrder(tx, orderId)
  const account = await lockAccount(tx, order, (ids) => ids.find((id) => id === order.service_id) ?? ids[0])
  return account === null ? creditInstead(tx, orderId, paid) : addCredits(tx, paid, account)
}

/**
 * Does the same for a paid plan that was to open an account, if the buyer has got one since it was ordered: both were ordered before
 * one of them was paid. The service that it would have set up is deleted. Null, without a change: it opens an account.
 */
export async function addToAccountOpenedSince(tx: DbContext, paid: PaidPlan): Promise<Events | null> {
  const { orderId } = paid
  const order = await planOrder(tx, orderId)
  if (!tx.terms || order.adds_credits === null) return null
  // Of two plans that are paid at once, the second waits here and then finds the account of the first.
  await lockBalance(tx, customerAccount(order.client_id))
  const account = await lockAccount(tx, order, (ids) => ids.find((id) => id !== order.service_id))
  if (account === null) return null
  await tx.db.deleteFrom("services").where("order_id", "=", orderId).execute()
  return addCredits(tx, paid, account)
}

type Events = readonly NewTimelineEvent[]

async function addCredits(tx: DbContext, { orderId, at }: PaidPlan, account: string): Promise<Events> {
  await tx.db
    .updateTable("orders")
    .set({ kind: "reseller-credits", service_id: account })
    .where("id", "=", orderId)
    .execute()
  await grantPlanCredits(tx, orderId, at)
  await tellCredits(tx, account, at)
  await completeOrder(tx, orderId)
  return [{ kind: "provisioned", at }]
}

type PlanOrder = Pick<OrderRow, "client_id" | "access_scope" | "password_id" | "service_id" | "adds_credits">

function planOrder({ db }: DbContext, orderId: string): Promise<PlanOrder> {
  return db
    .selectFrom("orders")
    .select(["client_id", "access_scope", "password_id", "service_id", "adds_credits"])
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow()
}

type Choice = (accounts: readonly string[]) => string | undefined

/** The account that a plan adds its credits to, which cannot end before this transaction does. Null: there is none. */
async function lockAccount(tx: DbContext, order: PlanOrder, choice: Choice): Promise<string | null> {
  const chosen = choice(await resellerAccounts(tx, order))
  if (chosen === undefined) return null
  await lockService(tx, chosen)
  if (choice(await resellerAccounts(tx, order)) !== chosen)
    throw new WriteConflictError(`Reseller's account ${chosen}`)
  return chosen
}

/** Grants the credits that a reseller plan had when it was ordered, in the current transaction. Idempotent per order. */
export async function grantPlanCredits(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
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
