import { setTimeout as pause } from "node:timers/promises"
import { BillingError } from "~/billing/billing"
import type { OrderThereRow } from "~/billing/embedded/db/schema/external-order-rows"
import { atOnce, type Books } from "~/billing/embedded/db/transaction.server"
import { order as orderOf } from "~/billing/embedded/orders/orders.server"
import { service as serviceOf } from "~/billing/embedded/services/services.server"
import type { OwnedThere, PlacedThere } from "~/billing/external/external-orders"
import { MINUTE, SECOND } from "~/domain/calendar"
import { nextAsking } from "~/domain/poll-schedule"
import type { Beside } from "./context.server"
import { type Known, orderThere, ownedThere, upsellThere } from "./order-mapping.server"

/** Should whoever makes an order there die, another may go on after this long: longer than any call takes. */
const LEASE = 2 * MINUTE
const LOOKS_EVERY_MS = 50
/** How long somebody waits for another who is at it. */
const PATIENCE_MS = 20 * SECOND

/**
 * An order of ours in their books: made there if it is not there yet, once, whoever asks and however often. It stands
 * in our books before they are asked, so that after a lost answer it is looked for before anything is repeated.
 * Throws a `BillingError`; `refused`: they will not have it.
 */
export async function madeThere(beside: Beside, orderId: string): Promise<OwnedThere> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const row = await rowOf(beside.books, orderId)
    if (row && row.state !== "wanted") return ownedThere((await known(beside.books, orderId)).order, row)
    const tries = await claim(beside, orderId)
    if (tries !== null) return make(beside, orderId, tries)
    if (Date.now() > until) throw new BillingError("unavailable", "The order is still being made")
    await pause(LOOKS_EVERY_MS)
  }
}

/** What an order of ours is called there, if it is there. */
export async function rowOf({ db }: Books, orderId: string): Promise<OrderThereRow | undefined> {
  return db.selectFrom("orders_there").selectAll().where("order_id", "=", orderId).executeTakeFirst()
}

/** Takes the order for this try; answers how many there were before, null while somebody else is at it. */
async function claim({ books: { db }, now }: Beside, orderId: string): Promise<number | null> {
  const claimed_until = now() + LEASE
  const names = { their_order_id: null, their_invoice_id: null, link: null }
  const row = await db
    .insertInto("orders_there")
    .values({
      order_id: orderId,
      state: "wanted",
      ...names,
      tries: 1,
      claimed_until,
      held_until: 0,
      held_by: null,
      ask_at: 0,
    })
    .onConflict((conflict) =>
      conflict
        .column("order_id")
        .doUpdateSet((it) => ({ claimed_until, tries: it("orders_there.tries", "+", 1) }))
        .where("orders_there.state", "=", "wanted")
        .where("orders_there.claimed_until", "<=", now()),
    )
    .returning("tries")
    .executeTakeFirst()
  return row ? row.tries - 1 : null
}

async function make(beside: Beside, orderId: string, tries: number): Promise<OwnedThere> {
  const { books, backoffice, now, log } = beside
  const { order, service } = await known(books, orderId)
  try {
    const placed =
      order.kind === "upsell"
        ? await once(tries, await upsellThere(books, { order, service }), {
            find: (it) => backoffice.findInvoice(it),
            place: (it) => backoffice.addInvoice(it),
          })
        : await once(tries, await orderThere(books, { order, service }), {
            find: (it) => backoffice.findOrder(it),
            place: (it) => backoffice.placeOrder(it),
          })
    await write(books, { order, service }, placed, nextAsking(order.placedAt, now()))
    log.info({ orderId, theirs: placed.orderId, invoice: placed.invoiceId, tries }, "order made there")
    const row = await rowOf(books, orderId)
    if (!row) throw new BillingError("unreadable", "The order that was just made is not there")
    return ownedThere({ ...order, serviceId: placed.serviceId }, row)
  } catch (error) {
    await books.db
      .updateTable("orders_there")
      .set({ claimed_until: 0 })
      .where("order_id", "=", orderId)
      .execute()
    throw error
  }
}

/**
 * Looks whether an order that has come to nothing here has been made there all the same: its answer was lost then.
 * Where it is not there nobody has begun to make it, should it be paid for after all.
 */
export async function lookThere(beside: Beside, orderId: string): Promise<void> {
  const { books, backoffice, now } = beside
  if ((await claim(beside, orderId)) === null) return
  const { order, service } = await known(books, orderId)
  const found =
    order.kind === "upsell"
      ? await backoffice.findInvoice(await upsellThere(books, { order, service }))
      : await backoffice.findOrder(await orderThere(books, { order, service }))
  if (found) return write(books, { order, service }, found, nextAsking(order.placedAt, now()))
  await books.db
    .updateTable("orders_there")
    .set({ tries: 0, claimed_until: 0 })
    .where("order_id", "=", orderId)
    .where("state", "=", "wanted")
    .execute()
}

type Ways<T> = {
  find: (wish: T) => Promise<PlacedThere | null>
  place: (wish: T) => Promise<PlacedThere>
}

async function once<T>(tries: number, wish: T, { find, place }: Ways<T>): Promise<PlacedThere> {
  const found = tries > 0 ? await find(wish) : null
  return found ?? place(wish)
}

/** They have named it. A service that has been ordered is called as they call it from now on. */
async function write(books: Books, { order, service }: Known, placed: PlacedThere, ask_at: number) {
  await atOnce(books, async ({ db }) => {
    await db
      .updateTable("orders_there")
      .set({ state: "made", their_order_id: placed.orderId, their_invoice_id: placed.invoiceId })
      .set({ link: placed.link, ask_at })
      .where("order_id", "=", order.id)
      .execute()
    if (order.kind === "upsell" || placed.serviceId === service.id) return
    await db
      .updateTable("services")
      .set({ id: placed.serviceId, former_id: service.id })
      .where("id", "=", service.id)
      .execute()
    await db
      .updateTable("orders")
      .set({ service_id: placed.serviceId })
      .where("client_id", "=", order.customerId)
      .where("service_id", "=", service.id)
      .execute()
    await db
      .updateTable("outbox")
      .set({ subject: placed.serviceId })
      .where("topic", "=", "provision")
      .where("subject", "=", service.id)
      .execute()
  })
}

export async function known(books: Books, orderId: string): Promise<Known> {
  const order = await orderOf(books, orderId)
  const service = order && (await serviceOf(books, order.serviceId))
  if (!order || !service) throw new BillingError("refused", `No order ${orderId}`)
  return { order, service }
}
