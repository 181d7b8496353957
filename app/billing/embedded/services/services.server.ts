import type { ExpressionBuilder } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { Credentials } from "~/domain/credentials"
import type { AuthenticatedCustomer } from "~/domain/customer"
import type { DeviceAddress } from "~/domain/device-address"
import type { Currency } from "~/domain/money"
import { paidStatuses } from "~/domain/order-status"
import type { Service } from "~/domain/service"
import { startOfPaidTime } from "~/domain/term"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { applyTransition } from "../fulfilment/order-transitions.server"
import { completeJob, requeueJob } from "../jobs/outbox.server"
import { appendTimelineEvents, appendTimelineEventUnless } from "../orders/timeline.server"
import { isAsRead, nextStepAfter, type StoredService, storedService } from "./next-step.server"
import { serviceRow, suspensionOf } from "./service-row.server"
import { extendTerm } from "./service-terms.server"
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

/** Marks a provisioned service and its paid order as active: see `ServiceRepository.activateService`. */
export async function activateService(ctx: DbContext, id: string, works: Works): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const found = await storedService(tx, id)
    if (!found) throw notFound(id)
    await activate(tx, found, works)
    return found.row.status !== "Terminated"
  })
}

type Works = { readonly host: string; readonly at: Instant }

async function activate(tx: DbContext, found: StoredService, works: Works): Promise<void> {
  const { row, orderStatus } = found
  const { at } = works
  // The order of a recreated service is active already, so `moved` is null.
  const moved = await applyTransition(tx, row.order_id, "provisioned")
  const isActivated = row.status === "Pending" && (moved !== null || orderStatus === "active")
  if (isActivated) await writeActive(tx, found, works)
  if (moved || (isActivated && (await isSetUpAgain(tx, row))))
    await startLate(tx, { id: row.id, term: termOf(row) }, at)
  if (moved || isActivated) await appendTimelineEvents(tx, row.order_id, [{ kind: "provisioned", at }])
}

async function writeActive(tx: DbContext, found: StoredService, { host, at }: Works): Promise<void> {
  const { id } = found.row
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({ status: "Active", host, ...nextStepAfter(tx, found, { status: "Active", at }) })
    .where("id", "=", id)
    .where(isAsRead(found.row))
    .where(isOfActiveOrder)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Service ${id}`)
}

/** Whether the present term was paid after the service had ended, and the service has not worked since. New login details are none. */
async function isSetUpAgain(
  { db }: DbContext,
  { id, order_id, term_anchor }: Pick<ServiceRow, "id" | "order_id" | "term_anchor">,
): Promise<boolean> {
  const { ended } = await db
    .selectFrom("service_events")
    .select((row) => row.fn.max<number | null>("at").as("ended"))
    .where("service_id", "=", id)
    .where("kind", "=", "terminated")
    .executeTakeFirstOrThrow()
  if (ended === null || term_anchor === null || term_anchor < ended) return false
  const provisioned = await db
    .selectFrom("order_events")
    .select("at")
    .where("order_id", "=", order_id)
    .where("kind", "=", "provisioned")
    .where("at", ">=", ended)
    .limit(1)
    .executeTakeFirst()
  return provisioned === undefined
}

/** Lets the paid time begin with an activation that comes long after the payment. */
async function startLate(
  tx: DbContext,
  { id, term }: Pick<Service, "id" | "term">,
  at: Instant,
): Promise<void> {
  if (term === null || startOfPaidTime(term.anchor, at) === term.anchor) return
  const { count: cycles, extraDays: days } = term
  await extendTerm(tx, id, { cycles, days, anchor: at, at, event: { kind: "started" } })
  // The call that created the line named the former end.
  await requeueJob(tx, { topic: "extend", subject: id, at })
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

/** Records a provisioning delay in the timeline, once, and never after the service was provisioned. */
export async function recordProvisioningDelay(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const event = { kind: "provisioning-delayed", at } as const
    await appendTimelineEventUnless(tx, orderId, {
      event,
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

/** Marks the order of a provisioned upsell as active. Idempotent. */
export async function markConnectionsProvisioned(
  ctx: DbContext,
  orderId: string,
  at: Instant,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (await applyTransition(tx, orderId, "provisioned"))
      await appendTimelineEvents(tx, orderId, [{ kind: "provisioned", at }])
  })
}

/** Marks the paid changes of a service's plan as done: see `PlanChanges.markPlanProvisioned`. */
export async function markPlanProvisioned(ctx: DbContext, serviceId: string, at: Instant): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const orders = await tx.db
      .selectFrom("plan_changes")
      .innerJoin("orders", "orders.id", "plan_changes.order_id")
      .select("orders.id")
      .where("plan_changes.service_id", "=", serviceId)
      .where("orders.status", "=", "paid")
      .execute()
    for (const { id } of orders)
      if (await applyTransition(tx, id, "provisioned"))
        await appendTimelineEvents(tx, id, [{ kind: "provisioned", at }])
  })
}

async function known(ctx: DbContext, id: string): Promise<Service> {
  const found = await service(ctx, id)
  if (!found) throw notFound(id)
  return found
}

function notFound(id: string): BillingError {
  return new BillingError("refused", `Service not found: ${id}`)
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
