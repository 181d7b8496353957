import type { ExpressionBuilder } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { Currency } from "~/domain/money/money"
import { paidStatuses } from "~/domain/orders/order-status"
import type { Credentials } from "~/domain/services/credentials"
import type { DeviceAddress } from "~/domain/services/device-address"
import type { Service } from "~/domain/services/service"
import type { ServiceRow } from "../db/schema/order-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { completeJob, requeueJob } from "../jobs/outbox.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { serviceRow, suspensionOf } from "./service-row.server"
import { termOf } from "./stored-term.server"

/** A service by its id; null if it does not exist. */
export async function service(ctx: DbContext, id: string): Promise<Service | null> {
  const row = await serviceRow(ctx, id)
  return row && serviceOf(row)
}

/** Lists the paid services within a customer's access scope, newest first: see `covers`. */
export async function servicesOf(
  ctx: DbContext,
  { id, reach, passwordId }: AuthenticatedCustomer,
): Promise<readonly Service[]> {
  if (reach === "sign-up" && !passwordId) return []
  const rows = await ctx.db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .selectAll("services")
    .where("services.client_id", "=", id)
    .$if(reach === "sign-up", (own) =>
      own.where("orders.access_scope", "=", "sign-up").where("orders.password_id", "=", passwordId ?? null),
    )
    .where("orders.status", "in", paidStatuses)
    .orderBy("services.created_at", "desc")
    .orderBy("services.id")
    .execute()
  return rows.map(serviceOf)
}

/**
 * Condition: the service's order is active. A correlated subquery: with `in`, the database collects all active orders.
 */
export function isOfActiveOrder({ exists, selectFrom }: ExpressionBuilder<Tables, "services">) {
  return exists(
    selectFrom("orders")
      .select("orders.id")
      .whereRef("orders.id", "=", "services.order_id")
      .where("orders.status", "=", "active"),
  )
}

export async function requestDevice(
  ctx: DbContext,
  id: string,
  address: DeviceAddress,
  { at, due }: { at: Instant; due: Instant },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db.updateTable("services").set({ device_requested: address }).where("id", "=", id).execute()
    await requeueJob(tx, { topic: "device", subject: id, at, due })
  })
}

export async function setDeviceAddress(ctx: DbContext, id: string, address: DeviceAddress): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db.updateTable("services").set({ device_address: address }).where("id", "=", id).execute()
    await dropDeviceRequest(tx, id, address)
  })
}

export async function dropDeviceRequest(ctx: DbContext, id: string, address: DeviceAddress): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable("services")
      .set({ device_requested: null })
      .where("id", "=", id)
      .where("device_requested", "=", address)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await completeJob(tx, { topic: "device", subject: id })
  })
}

export async function setNotes({ db }: DbContext, id: string, notes: string): Promise<void> {
  await db.updateTable("services").set({ notes }).where("id", "=", id).execute()
}

export async function recordRestart(ctx: DbContext, id: string, at: Instant): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { orderId } = await known(tx, id)
    await appendTimelineEvents(tx, orderId, [{ kind: "restarted", at }])
  })
}

/** Resets an active service to pending under fresh credentials: see `ServiceRepository.recreateService`. */
export async function recreateService(
  ctx: DbContext,
  { id, username }: Pick<Service, "id" | "username">,
  { credentials, at }: { credentials: Credentials; at: Instant },
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db
      .updateTable("services")
      .set({ status: "Pending", host: null, ...credentials })
      .where("id", "=", id)
      .where("username", "=", username)
      .where("status", "=", "Active")
      .returning("order_id")
      .executeTakeFirst()
    if (!row) return false
    await requeueJob(tx, { topic: "provision", subject: id, at })
    await completeJob(tx, { topic: "recreate", subject: id })
    await appendTimelineEvents(tx, row.order_id, [{ kind: "recreated", at }])
    return true
  })
}

async function known(ctx: DbContext, id: string): Promise<Service> {
  const found = await service(ctx, id)
  if (!found) throw new BillingError("refused", `Service not found: ${id}`)
  return found
}

/** Maps a row to a `Service`. */
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
    deviceRequested: row.device_requested,
    notes: row.notes,
    paidUntil: row.paid_until,
    term: termOf(row),
    suspension: suspensionOf(row),
    declinedAt: row.declined_at,
    balanceRenewal: row.balance_renewal === 1,
  }
}

function currencyOf({ id, currency }: ServiceRow): Currency {
  if (currency === null) throw new BillingError("unreadable", `Service ${id} has no currency`)
  return currency
}
