import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { Service } from "~/domain/services/service"
import { startOfPaidTime } from "~/domain/services/term"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { appendTimelineEvents, appendTimelineEventUnless } from "../orders/timeline.server"
import { isAsRead, nextStepAfter, type StoredService, storedService } from "../services/next-step.server"
import { extendTerm } from "../services/service-terms.server"
import { isOfActiveOrder } from "../services/services.server"
import { termOf } from "../services/stored-term.server"
import { applyTransition } from "./order-transitions.server"

/** Marks a provisioned service and its paid order as active: see `ServiceRepository.activateService`. */
export async function activateService(ctx: DbContext, id: string, works: Works): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const found = await storedService(tx, id)
    if (!found) throw new BillingError("refused", `Service not found: ${id}`)
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
