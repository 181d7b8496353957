import type { Instant } from "~/domain/calendar"
import { discountedTermsAfter, graceEndOf, startOfRenewal } from "~/domain/renewal"
import type { ServiceRow } from "../db/schema/order-rows"
import type { RenewalItemRow } from "../db/schema/term-rows"
import type { DbContext } from "../db/transaction.server"
import { storeNextStep } from "../dunning/next-step.server"
import { requeueJob } from "../outbox.server"
import { liftedByPayment } from "../services/given-days.server"
import { resume } from "../services/service-state.server"
import { extendTerm } from "../services/service-terms.server"

/** Adds the terms of a paid renewal to its services, each once, in the current transaction. The order needs nothing more. */
export async function applyRenewal(tx: DbContext, orderId: string, at: Instant): Promise<void> {
  const items = await tx.db
    .selectFrom("renewal_items")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("service_id")
    .execute()
  for (const item of items) await applyOnce(tx, item, at)
  await tx.db
    .updateTable("orders")
    .set({ status: "active" })
    .where("id", "=", orderId)
    .where("status", "=", "paid")
    .execute()
}

async function applyOnce(tx: DbContext, item: RenewalItemRow, at: Instant): Promise<void> {
  const { order_id, service_id, terms } = item
  const row = await tx.db
    .selectFrom("services")
    .selectAll()
    .where("id", "=", service_id)
    .executeTakeFirstOrThrow()
  const { numUpdatedRows } = await tx.db
    .updateTable("renewal_items")
    .set({ applied_at: at })
    .where("order_id", "=", order_id)
    .where("service_id", "=", service_id)
    .where("applied_at", "is", null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return
  const isLater = await beginsLater(tx, row, at)
  const paid_until = await extendTerm(tx, service_id, {
    cycles: terms,
    at,
    ...(isLater && { anchor: at }),
    event: { kind: "renewed", detail: { order: order_id, cycles: terms } },
  })
  await tx.db
    .updateTable("renewal_items")
    .set({ paid_until })
    .where("order_id", "=", order_id)
    .where("service_id", "=", service_id)
    .execute()
  await restoreAccess(tx, row, { terms, at })
}

/** Whether the term begins with the payment. A payment that was seen within the grace counts as made then. */
async function beginsLater(tx: DbContext, row: ServiceRow, at: Instant): Promise<boolean> {
  const { paid_until: paidUntil, held_since: seen } = row
  if (paidUntil === null) return false
  const graceEnd = graceEndOf({ paidUntil }, await graceDaysOf(tx, row))
  return startOfRenewal({ paidUntil }, { at: Math.min(at, seen ?? at), graceEnd }) === "later"
}

async function graceDaysOf({ db, terms }: DbContext, { product_id }: ServiceRow): Promise<number> {
  const product = await db
    .selectFrom("products")
    .select("grace_days")
    .where("id", "=", product_id)
    .executeTakeFirst()
  return product?.grace_days ?? terms?.graceDays ?? 0
}

type Paid = { readonly terms: number; readonly at: Instant }

/**
 * Lets the panel follow: it extends, resumes or sets up the line again, with the same credentials. A suspension that is not
 * for non-payment stays.
 */
async function restoreAccess(tx: DbContext, row: ServiceRow, { terms, at }: Paid): Promise<void> {
  const { id, status } = row
  const hasEnded = status === "Terminated" || status === "Cancelled"
  await tx.db
    .updateTable("services")
    .set({
      declined_at: null,
      decline_reason: null,
      held_since: null,
      discounted_terms: discountedTermsAfter(row.discounted_terms, terms),
      ...(hasEnded && { status: "Pending" as const, host: null }),
    })
    .where("id", "=", id)
    .execute()
  if (hasEnded) await requeueJob(tx, { topic: "provision", subject: id, at })
  else if (!(await resume(tx, id, { owners: liftedByPayment, reason: null, at })))
    await requeueJob(tx, { topic: "extend", subject: id, at })
  await storeNextStep(tx, id, at)
}
