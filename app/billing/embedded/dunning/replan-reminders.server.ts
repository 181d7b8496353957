import { setImmediate } from "node:timers/promises"
import type { Instant } from "~/domain/calendar"
import type { ServiceRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { isSentBy } from "../mail/enqueue-mail.server"
import { replanNextStep } from "../services/next-step.server"

/** Name of the cursor that has the settings for which the next steps were computed. */
const SETTINGS = "reminder settings"
/** Services between two turns of the event loop, which each of them reads synchronously on SQLite. */
const BATCH = 50

/**
 * Computes the next steps of the services that have not ended yet for other reminders, or for mail that was switched on or off: see
 * `Dunning.replanReminders`. Goes through all services by their id, so that it needs no index of its own.
 */
export async function replanReminders(ctx: DbContext, at: Instant): Promise<number> {
  const { db, terms, mail } = ctx
  if (!terms) return 0
  const place = JSON.stringify([terms.reminders, isSentBy(mail, "renewal-reminder")])
  const known = await db.selectFrom("cursors").select("place").where("name", "=", SETTINGS).executeTakeFirst()
  if (known?.place === place) return 0
  const moved = await replanAll(ctx, at)
  await db
    .insertInto("cursors")
    .values({ name: SETTINGS, place })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ place }))
    .execute()
  return moved
}

async function replanAll(ctx: DbContext, at: Instant): Promise<number> {
  let moved = 0
  for (let last: string | undefined = ""; last !== undefined; ) {
    const rows: readonly Planned[] = await servicesAfter(ctx, last)
    for (const row of rows) if (isAhead(row, at) && (await replanNextStep(ctx, row.id, at))) moved++
    last = rows.at(-1)?.id
    await setImmediate()
  }
  return moved
}

type Planned = Pick<ServiceRow, "id" | "status" | "paid_until" | "next_step_at" | "held_since">

function servicesAfter({ db }: DbContext, id: string): Promise<readonly Planned[]> {
  return db
    .selectFrom("services")
    .select(["id", "status", "paid_until", "next_step_at", "held_since"])
    .where("id", ">", id)
    .orderBy("id")
    .limit(BATCH)
    .execute()
}

/** Whether the next step of an active service is to come. What is due, or held by a payment, is left to the pass. */
function isAhead({ status, paid_until, next_step_at, held_since }: Planned, at: Instant): boolean {
  const isPlanned = (paid_until ?? 0) > at && (next_step_at ?? 0) > at
  return status === "Active" && isPlanned && held_since === null
}
