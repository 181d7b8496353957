import type { ExternalClosing, PlacedExternally } from "~/billing/external/external-orders"
import type { ExternalOrderRow } from "~/billing/external/mirror/external-order-row"
import type { ClaimChanges, HeldClaim, MirrorStore } from "~/billing/external/mirror/mirror-store"
import type { Instant } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { unpaidFinalStatuses } from "~/domain/orders/order-status"
import type { TaxAtRate } from "~/domain/orders/order-tax"
import { normalizeCode } from "../catalogue/normalize-code"
import { type DbContext, inTransaction, type Operations } from "../db/transaction.server"

export const externalOrder: Operations<MirrorStore>["externalOrder"] = async ({ db }, orderId) =>
  (await db.selectFrom("external_orders").selectAll().where("order_id", "=", orderId).executeTakeFirst()) ??
  null

/** A claim from before leases existed (`held_by` is null) is valid until `claimed_until`. */
export const claimExternalOrder: Operations<MirrorStore>["claimExternalOrder"] = async (
  { db, newId },
  orderId,
  { at, until, latestLease },
) => {
  const hold = { held_until: until, held_by: newId() }
  const row = await db
    .insertInto("external_orders")
    .values({
      order_id: orderId,
      state: "wanted",
      their_order_id: null,
      their_invoice_id: null,
      link: null,
      ...hold,
      tries: 1,
      claimed_until: 0,
      poll_after: 0,
    })
    .onConflict((conflict) =>
      conflict
        .column("order_id")
        .doUpdateSet((it) => ({ ...hold, tries: it("external_orders.tries", "+", 1) }))
        .where("external_orders.state", "=", "wanted")
        .where((it) =>
          it.or([
            it("external_orders.held_until", "<=", at),
            it("external_orders.held_until", ">", latestLease),
          ]),
        )
        .where((it) =>
          it.or([
            it("external_orders.held_by", "is not", null),
            it("external_orders.claimed_until", "<=", at),
          ]),
        ),
    )
    .returning(["held_by", "tries", "claimed_until"])
    .executeTakeFirst()
  return row ?? null
}

export async function updateClaimed(
  ctx: DbContext,
  claim: HeldClaim,
  changes: ClaimChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await claimed(ctx, claim).set(changes).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A process with an expired lease must not overwrite a newer claim. */
function claimed({ db }: DbContext, { orderId, by }: HeldClaim) {
  return db
    .updateTable("external_orders")
    .where("order_id", "=", orderId)
    .where("held_by", "=", by)
    .where("state", "=", "wanted")
}

export async function confirmExternalOrder(
  ctx: DbContext,
  claim: HeldClaim,
  order: Order,
  { orderId, invoiceId, link, serviceId, taxes, pollAt }: PlacedExternally & { pollAt: Instant },
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await claimed(tx, claim)
      .set({
        state: "made",
        their_order_id: orderId,
        their_invoice_id: invoiceId,
        link,
        poll_after: pollAt,
        // The claim ends here, so that a payment that follows at once can claim the settlement.
        held_until: 0,
      })
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (taxes && taxes.length > 0) await writeTaxes(tx, order, taxes)
    if (order.kind !== "upsell" && serviceId !== order.serviceId) await renameService(tx, order, serviceId)
    return true
  })
}

async function writeTaxes({ db }: DbContext, { id }: Order, taxes: readonly TaxAtRate[]): Promise<void> {
  await db
    .updateTable("orders")
    .set({ external_tax: JSON.stringify(taxes) })
    .where("id", "=", id)
    .execute()
}

async function renameService({ db }: DbContext, order: Order, serviceId: string): Promise<void> {
  await db
    .updateTable("services")
    .set({ id: serviceId, local_id: order.serviceId })
    .where("id", "=", order.serviceId)
    .execute()
  await db
    .updateTable("orders")
    .set({ service_id: serviceId })
    .where("client_id", "=", order.customerId)
    .where("service_id", "=", order.serviceId)
    .execute()
  await db
    .updateTable("outbox")
    .set({ subject: serviceId })
    .where("topic", "=", "provision")
    .where("subject", "=", order.serviceId)
    .execute()
}

export async function closeExternalOrder(
  { db }: DbContext,
  orderId: string,
  state: ExternalClosing,
): Promise<void> {
  await db.updateTable("external_orders").set({ state }).where("order_id", "=", orderId).execute()
}

export async function setPollAt(
  { db }: DbContext,
  orderIds: readonly string[],
  pollAt: Instant,
): Promise<void> {
  if (orderIds.length === 0) return
  await db
    .updateTable("external_orders")
    .set({ poll_after: pollAt })
    .where("order_id", "in", orderIds)
    .execute()
}

export const ordersToPoll: Operations<MirrorStore>["ordersToPoll"] = async (ctx, now, limit) =>
  dueRows(ctx, "made", now).select("orders.status").limit(limit).execute()

export const lostOrders: Operations<MirrorStore>["lostOrders"] = async (ctx, now, limit) =>
  dueRows(ctx, "wanted", now)
    .where("external_orders.tries", ">", 0)
    .where("orders.status", "in", unpaidFinalStatuses)
    .limit(limit)
    .execute()

function dueRows({ db }: DbContext, state: ExternalOrderRow["state"], now: Instant) {
  return db
    .selectFrom("external_orders")
    .innerJoin("orders", "orders.id", "external_orders.order_id")
    .selectAll("external_orders")
    .where("external_orders.state", "=", state)
    .where("external_orders.poll_after", "<=", now)
    .orderBy("external_orders.poll_after")
}

export async function externalOrdersWithCode(
  { db }: DbContext,
  code: string,
): Promise<{ made: number; closed: number }> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("external_orders", "external_orders.order_id", "orders.id")
    .select("external_orders.state")
    .where("orders.promo_key", "=", normalizeCode(code))
    .execute()
  const countOf = (state: string) => rows.filter((row) => row.state === state).length
  return { made: countOf("made"), closed: countOf("closed") }
}
