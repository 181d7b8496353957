import type { Instant } from "~/domain/calendar"
import type { Order, OrderKind } from "~/domain/order"
import { next, type OrderEvent, type OrderStatus } from "~/domain/order-status"
import type { TimelineKind } from "~/domain/timeline"
import { atOnce, type Books } from "../books.server"
import { heldBy, transfer } from "../credits/credit-ledger.server"
import { Overtaken } from "../engines/failure.server"
import { promiseJob } from "../outbox.server"
import { givePromotionBack } from "../promotions.server"
import { order } from "./orders.server"
import { type Telling, tell } from "./timeline.server"

/** What is told of an event. */
const toldOf: Record<OrderEvent, TimelineKind> = {
  handedOff: "handed-off",
  partlyPaid: "partly-paid",
  paid: "paid",
  provisioned: "provisioned",
  aborted: "cancelled",
  deadlinePassed: "expired",
  flagged: "flagged",
}

type Happening = {
  readonly event: OrderEvent
  readonly at: Instant
  /** For the operator: why, or by whom. */
  readonly reference?: string | null
}

/** Marks an unpaid order as suspicious: see `Visits.fraudOrder`. */
export async function flagOrder(
  books: Books,
  id: string,
  { reason, at }: { reason: string; at: Instant },
): Promise<void> {
  await moveOrder(books, id, { event: "flagged", at, reference: reason })
}

/** Carries out an event with all that follows from it: see `Billing.moveOrder`. */
export async function moveOrder(
  books: Books,
  id: string,
  { event, at, reference = null }: Happening,
): Promise<Order | null> {
  return atOnce(books, async (inside) => {
    const moved = await carryOut(inside, id, event)
    if (moved) await followUp(inside, id, { moved, event, at, reference })
    return order(inside, id)
  })
}

async function followUp(
  books: Books,
  id: string,
  { moved, event, at, reference }: Happening & { moved: Move },
): Promise<void> {
  if (givenUp.includes(moved.to)) await release(books, id)
  if (moved.to === "paid") await fulfil(books, id, at)
  await tell(books, id, [...lateness(moved, at), { kind: toldOf[event], at, reference: reference ?? null }])
}

/** Orders that come to nothing. */
const givenUp: readonly OrderStatus[] = ["cancelled", "expired", "fraud"]

export type Move = { readonly from: OrderStatus; readonly to: OrderStatus }

/**
 * Moves an order's status as the table says, inside a transaction; null when the event changes nothing from
 * where the order is. Throws `Overtaken` when somebody else moved it meanwhile.
 */
export async function carryOut({ db }: Books, id: string, event: OrderEvent): Promise<Move | null> {
  const row = await db.selectFrom("orders").select("status").where("id", "=", id).executeTakeFirst()
  const to = row && next(row.status, event)
  if (!to) return null
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set({ status: to })
    .where("id", "=", id)
    .where("status", "=", row.status)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Overtaken(`Order ${id}`)
  return { from: row.status, to }
}

/** What a paid order leads to, once: its invoice is paid, and what it is for is to be set up. */
export async function fulfil(books: Books, orderId: string, at: Instant): Promise<void> {
  await books.db
    .updateTable("invoices")
    .set({ status: "paid", paid_at: at })
    .where("order_id", "=", orderId)
    .execute()
  const { kind } = await books.db
    .selectFrom("orders")
    .select("kind")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow()
  await work[kind](books, orderId, at)
}

const work: Record<OrderKind, (books: Books, orderId: string, at: Instant) => Promise<void>> = {
  async plan(books, orderId, at) {
    const service = await books.db
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
    await promiseJob(books, { topic: "provision", subject: service.id, due: at })
    await giveCredits(books, { orderId, at, ...service })
  },

  async upsell(books, orderId, at) {
    const { db } = books
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
    await promiseJob(books, { topic: "connections", subject: orderId, due: at })
  },
}

type Bought = { orderId: string; at: Instant; product_id: string; client_id: string }

/** A reseller's plan brings credits, once; plans for viewers have none. */
async function giveCredits(books: Books, { orderId, at, product_id, client_id }: Bought): Promise<void> {
  const product = await books.db
    .selectFrom("products")
    .select("credits")
    .where("id", "=", product_id)
    .executeTakeFirst()
  if (!product?.credits) return
  const accounts = { from: "issued", to: heldBy(client_id) } as const
  await transfer(books, { ...accounts, amount: product.credits, reference: `order ${orderId}`, at })
}

/** Money that came after the order had been given up is accepted and flagged (design, section 5). */
export function lateness({ from, to }: Move, at: Instant): Telling[] {
  return givenUp.includes(from) && to === "paid" ? [{ kind: "late", at }] : []
}

/** An order that comes to nothing asks for no money, sets up no service and uses no code. */
async function release(books: Books, orderId: string): Promise<void> {
  const { db } = books
  await db.updateTable("invoices").set({ status: "cancelled" }).where("order_id", "=", orderId).execute()
  await db
    .updateTable("services")
    .set({ status: "Cancelled" })
    .where("order_id", "=", orderId)
    .where("status", "=", "Pending")
    .execute()
  const row = await db.selectFrom("orders").select("promo_key").where("id", "=", orderId).executeTakeFirst()
  if (row?.promo_key) await givePromotionBack(books, row.promo_key)
}
