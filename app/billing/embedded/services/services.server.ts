import type { ExpressionBuilder } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { Credentials } from "~/domain/credentials"
import type { DeviceAddress } from "~/domain/device-address"
import type { Currency } from "~/domain/money"
import type { Service } from "~/domain/service"
import type { ServiceRow } from "../db/schema/order-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { applyTransition } from "../orders/order-transitions.server"
import { appendTimelineEvents, appendTimelineEventUnless } from "../orders/timeline.server"
import { completeJob, requeueJob } from "../outbox.server"

/** A service by its id; null when there is none. */
export async function service({ db }: DbContext, id: string): Promise<Service | null> {
  const row = await db.selectFrom("services").selectAll().where("id", "=", id).executeTakeFirst()
  return row ? serviceOf(row) : null
}

/** The service of a paid order works now: it and its order become active. The second time nothing happens. */
export async function activateService(
  books: DbContext,
  id: string,
  works: { host: string; at: Instant },
): Promise<void> {
  await inTransaction(books, async (inside) => {
    const { orderId } = await known(inside, id)
    // Made anew, it works again, although its order has been active all along.
    const moved = await applyTransition(inside, orderId, "provisioned")
    const { numUpdatedRows } = await inside.db
      .updateTable("services")
      .set({ status: "Active", host: works.host })
      .where("id", "=", id)
      .where("status", "=", "Pending")
      .where(isOfActiveOrder)
      .executeTakeFirst()
    if (moved || numUpdatedRows > 0n)
      await appendTimelineEvents(inside, orderId, [{ kind: "provisioned", at: works.at }])
  })
}

/** Of its own order, looked up by its number: an engine would gather all active orders to look among them. */
export function isOfActiveOrder({ exists, selectFrom }: ExpressionBuilder<Tables, "services">) {
  return exists(
    selectFrom("orders")
      .select("orders.id")
      .whereRef("orders.id", "=", "services.order_id")
      .where("orders.status", "=", "active"),
  )
}

/** What an order is for takes longer than the buyer expects: told once, and never after it works. */
export async function recordProvisioningDelay(books: DbContext, orderId: string, at: Instant): Promise<void> {
  await inTransaction(books, async (inside) => {
    const telling = { kind: "provisioning-delayed", at } as const
    await appendTimelineEventUnless(inside, orderId, {
      telling,
      unless: ["provisioning-delayed", "provisioned"],
    })
  })
}

export async function setDeviceAddress({ db }: DbContext, id: string, address: DeviceAddress): Promise<void> {
  await db.updateTable("services").set({ device_address: address }).where("id", "=", id).execute()
}

export async function setNotes({ db }: DbContext, id: string, notes: string): Promise<void> {
  await db.updateTable("services").set({ notes }).where("id", "=", id).execute()
}

export async function recordRestart(books: DbContext, id: string, at: Instant): Promise<void> {
  await inTransaction(books, async (inside) => {
    const { orderId } = await known(inside, id)
    await appendTimelineEvents(inside, orderId, [{ kind: "restarted", at }])
  })
}

/** An active service becomes pending under fresh credentials, and is to be set up again: see `ServiceBook`. */
export async function recreateService(
  books: DbContext,
  id: string,
  { credentials, at }: { credentials: Credentials; at: Instant },
): Promise<boolean> {
  return inTransaction(books, async (inside) => {
    const row = await inside.db
      .updateTable("services")
      .set({ status: "Pending", host: null, ...credentials })
      .where("id", "=", id)
      .where("status", "=", "Active")
      .returning("order_id")
      .executeTakeFirst()
    if (!row) return false
    await requeueJob(inside, { topic: "provision", subject: id, at })
    await completeJob(inside, { topic: "recreate", subject: id })
    await appendTimelineEvents(inside, row.order_id, [{ kind: "recreated", at }])
    return true
  })
}

/** The panel knows the connections an upsell has bought: its order becomes active, once. */
export async function markConnectionsProvisioned(
  books: DbContext,
  orderId: string,
  at: Instant,
): Promise<void> {
  await inTransaction(books, async (inside) => {
    if (await applyTransition(inside, orderId, "provisioned"))
      await appendTimelineEvents(inside, orderId, [{ kind: "provisioned", at }])
  })
}

async function known(books: DbContext, id: string): Promise<Service> {
  const found = await service(books, id)
  if (!found) throw new BillingError("refused", `No service ${id}`)
  return found
}

/** A row as the rest of the shop sees it. */
export function serviceOf(row: ServiceRow): Service {
  return {
    id: row.id,
    orderId: row.order_id,
    customerId: row.client_id,
    productId: row.product_id,
    kind: row.kind,
    name: row.name,
    status: row.status,
    username: row.username,
    password: row.password,
    host: row.host,
    connections: row.connections,
    proxyProtection: row.proxy_protection === 1,
    cycle: row.cycle,
    currency: currencyOf(row),
    deviceAddress: row.device_address,
    notes: row.notes,
  }
}

function currencyOf({ id, currency }: ServiceRow): Currency {
  if (currency === null) throw new BillingError("unreadable", `Service ${id} has no currency`)
  return currency
}
