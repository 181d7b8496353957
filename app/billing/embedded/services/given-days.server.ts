import { BillingError } from "~/billing/billing"
import type { GivenDays } from "~/billing/services/service-admin"
import type { Instant } from "~/domain/calendar"
import type { SuspensionOwner } from "~/domain/services/service"
import type { DbContext } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { lockService } from "./service-row.server"
import { resume } from "./service-state.server"
import { extendTerm } from "./service-terms.server"

/** What paid time ends: a suspension for non-payment, and no other. */
export const liftedByPayment = ["non-payment"] as const satisfies SuspensionOwner[]

/**
 * Adds days to the paid time of an active or suspended service and enqueues the call that tells the panel, in the
 * current transaction. Ends a suspension for non-payment if the time is paid again. Returns the new end; null if the
 * service has none, or has ended. Throws `BillingError` "refused" if it has another end than `endBefore`.
 */
export async function giveDays(
  tx: DbContext,
  id: string,
  { days, endBefore, reason, at, campaign }: GivenDays,
): Promise<Instant | null> {
  // Of two changes at once the second reads the first.
  if (endBefore !== undefined) await lockService(tx, id)
  const running = await tx.db
    .selectFrom("services")
    .select("paid_until")
    .where("id", "=", id)
    .where("status", "in", ["Active", "Suspended"])
    .where("paid_until", "is not", null)
    .executeTakeFirst()
  if (!running) return null
  if (endBefore !== undefined && running.paid_until !== endBefore)
    throw new BillingError("refused", "The service has got another end.")
  const detail: Record<string, string | number> = { days, reason, ...(campaign && { campaign }) }
  const paidUntil = await extendTerm(tx, id, { days, at, event: { kind: "extended", detail } })
  if (paidUntil === null) return null
  await requeueJob(tx, { topic: "extend", subject: id, at })
  if (paidUntil > at) await resume(tx, id, { owners: liftedByPayment, reason: null, at })
  return paidUntil
}
