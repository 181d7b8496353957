import { setImmediate } from "node:timers/promises"
import { BillingError } from "~/billing/billing"
import type { OrderThereRow } from "~/billing/embedded/db/schema/external-order-rows"
import type { Instant } from "~/domain/calendar"
import type { Order } from "~/domain/order"
import { bought, givenUp } from "~/domain/order-status"
import { NEVER, nextAsking } from "~/domain/poll-schedule"
import type { Beside } from "./context.server"
import { rowOf } from "./ensure-external-order.server"
import { lookThere } from "./find-external-order.server"
import { ownedThere } from "./order-mapping.server"

/** Tells them that an order has come to nothing, if they have it. Its row remembers that they know. */
export async function closeThere({ books, backoffice }: Beside, order: Order): Promise<void> {
  const row = await rowOf(books, order.id)
  if (row?.state !== "made") return
  const there = ownedThere(order, row)
  await (order.status === "fraud" ? backoffice.fraudOrder(there) : backoffice.cancelOrder(there))
  await books.db
    .updateTable("external_orders")
    .set({ state: "closed" })
    .where("order_id", "=", order.id)
    .execute()
}

/**
 * Looks how orders stand there that are open here, the longest not looked at first: what staff have marked as paid is
 * paid, what they have cancelled is cancelled unless money has come. Those that have come to nothing here are
 * cancelled there, if that could not be said before. Answers how many have changed here.
 */
export async function takeOver(beside: Beside, now: Instant, most: number): Promise<number> {
  let changed = 0
  for (const row of await toAskAbout(beside, now, most)) {
    const outcome = await tried(beside, row, now)
    // Whoever does not answer is not asked a hundred times more in this turn.
    if (outcome === "unavailable") break
    if (outcome === "changed") changed++
  }
  return changed
}

async function tried(beside: Beside, row: OrderThereRow, now: Instant) {
  try {
    return (await taken(beside, row, now)) ? "changed" : "same"
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    beside.log.warn({ orderId: row.order_id, kind: error.kind }, "the billing system gave no answer")
    return error.kind
  }
}

async function toAskAbout(beside: Beside, now: Instant, most: number): Promise<readonly OrderThereRow[]> {
  return [...(await made(beside, now, most)), ...(await lost(beside, now, most))].slice(0, most)
}

/** What has been bought is decided: it is put aside as it is met, and not gone through at every turn. */
async function made(
  { books: { db } }: Beside,
  now: Instant,
  most: number,
): Promise<readonly OrderThereRow[]> {
  for (;;) {
    const due = await dueRows(db, "made", now).select("orders.status").limit(most).execute()
    const done = due.filter(({ status }) => bought.includes(status)).map((row) => row.order_id)
    if (done.length > 0)
      await db
        .updateTable("external_orders")
        .set({ poll_after: NEVER })
        .where("order_id", "in", done)
        .execute()
    const open = due.filter((row) => !done.includes(row.order_id))
    if (open.length > 0 || due.length < most) return open
    await setImmediate()
  }
}

/** Begun to be made, and nobody has come back to learn whether it was. */
function lost({ books: { db } }: Beside, now: Instant, most: number): Promise<OrderThereRow[]> {
  return dueRows(db, "wanted", now)
    .where("external_orders.tries", ">", 0)
    .where("orders.status", "in", givenUp)
    .limit(most)
    .execute()
}

function dueRows(db: Beside["books"]["db"], state: OrderThereRow["state"], now: Instant) {
  return db
    .selectFrom("external_orders")
    .innerJoin("orders", "orders.id", "external_orders.order_id")
    .selectAll("external_orders")
    .where("external_orders.state", "=", state)
    .where("external_orders.poll_after", "<=", now)
    .orderBy("external_orders.poll_after")
}

async function taken(beside: Beside, row: OrderThereRow, now: Instant): Promise<boolean> {
  const { ours, backoffice, books } = beside
  const order = await ours.billing.order(row.order_id)
  if (!order) return false
  await books.db
    .updateTable("external_orders")
    .set({ poll_after: nextAsking(order.placedAt, now) })
    .where("order_id", "=", order.id)
    .execute()
  if (givenUp.includes(order.status)) {
    if (row.state === "wanted") await lookThere(beside, order.id)
    await closeThere(beside, (await ours.billing.order(order.id)) ?? order)
    return false
  }
  const { state } = await backoffice.standing(ownedThere(order, row))
  const event = eventOf[state]
  if (!event || (event !== "paid" && order.received.minor > 0)) return false
  const moved = await ours.billing.moveOrder(order.id, event, now)
  beside.log.info({ orderId: order.id, state, status: moved?.status }, "decided in the billing system")
  return moved?.status !== order.status
}

const eventOf = { open: null, paid: "paid", cancelled: "aborted", fraud: "aborted" } as const
