import type { Instant } from "~/domain/calendar"
import { type DunnedService, firstStep } from "~/domain/dunning"
import { endOfTerm, withCycles } from "~/domain/term"
import type { ServiceRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { isSentBy } from "../mail/enqueue-mail.server"
import { termOf } from "../services/stored-term.server"

/** A service as dunning sees it. */
export type StoredService = {
  readonly row: ServiceRow
  readonly dunned: DunnedService
}

/** Reads a service for dunning; null for an unknown one. */
export async function storedService(ctx: DbContext, id: string): Promise<StoredService | null> {
  const found = await ctx.db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .leftJoin("products", "products.id", "services.product_id")
    .selectAll("services")
    .select(["orders.kind as orderKind", "products.grace_days"])
    .where("services.id", "=", id)
    .executeTakeFirst()
  if (!found) return null
  const { orderKind, grace_days, ...row } = found
  const { suspended_at: at, suspension_owner: owner, suspension_reason: reason } = row
  const dunned: DunnedService = {
    status: row.status,
    paidUntil: row.paid_until,
    termLength: termLength(row),
    notBefore: row.not_before,
    graceDays: grace_days,
    suspension: at === null || owner === null ? null : { owner, reason, at },
    declinedAt: row.declined_at,
    // A line belongs to a reseller's customer, whose address the shop does not have.
    isMailed: orderKind !== "line" && isSentBy(ctx.mail, "renewal-due"),
  }
  return { row, dunned }
}

/** Length of the last billing cycle in milliseconds; without one, of the days given by the operator. */
function termLength(row: ServiceRow): number {
  const term = termOf(row)
  if (term === null || row.cycle === null || row.paid_until === null) return 0
  const start = term.count > 0 ? endOfTerm(withCycles(term, -1), row.cycle) : term.anchor
  return row.paid_until - start
}

/**
 * Stores the next step of a service that has changed at `at`, in the transaction of the change, and ends a hold: whoever
 * changes status, term, suspension, protection or the wish to renew calls it.
 */
export async function storeNextStep(tx: DbContext, id: string, at: Instant): Promise<void> {
  if (!tx.terms) return
  const found = await storedService(tx, id)
  const next = found && firstStep(found.dunned, tx.terms, at)
  await tx.db
    .updateTable("services")
    .set({ next_step: next?.step ?? null, next_step_at: next?.at ?? null, held_since: null })
    .where("id", "=", id)
    .execute()
}
