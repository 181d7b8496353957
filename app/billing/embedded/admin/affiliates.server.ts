import { paidStatuses } from "~/domain/orders/order-status"
import type { DbContext } from "../db/transaction.server"

export type AffiliateListed = {
  readonly id: string
  /** Clicks, counted once per visitor and day. */
  readonly clicks: number
  readonly orders: number
  /** Number of those orders that have a paid status. A free trial is not paid. */
  readonly paid: number
}

/** Lists all affiliates with their clicks and orders, in numeric order of their ids. */
export async function affiliates(ctx: DbContext): Promise<readonly AffiliateListed[]> {
  const clicks = new Map((await clicked(ctx)).map((row) => [row.id, row.clicks]))
  const orders = new Map((await ordered(ctx)).map((row) => [row.id, row]))
  const ids = [...new Set([...clicks.keys(), ...orders.keys()])]
  return ids
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((id) => ({
      id,
      clicks: clicks.get(id) ?? 0,
      orders: orders.get(id)?.orders ?? 0,
      paid: orders.get(id)?.paid ?? 0,
    }))
}

function clicked({ db }: DbContext): Promise<{ id: string; clicks: number }[]> {
  return db
    .selectFrom("affiliate_clicks")
    .select("affiliate_id as id")
    .select((row) => row.fn.countAll<number>().as("clicks"))
    .groupBy("affiliate_id")
    .execute()
}

function ordered({ db }: DbContext): Promise<{ id: string; orders: number; paid: number }[]> {
  return db
    .selectFrom("orders")
    .select("affiliate_id as id")
    .select((row) => [
      row.fn.countAll<number>().as("orders"),
      row.fn
        .countAll<number>()
        .filterWhere("status", "in", paidStatuses)
        .filterWhere("trial_hours", "is", null)
        .as("paid"),
    ])
    .where("affiliate_id", "is not", null)
    .groupBy("affiliate_id")
    .$narrowType<{ id: string }>()
    .execute()
}
