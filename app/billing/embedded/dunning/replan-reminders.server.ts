import { setImmediate } from "node:timers/promises"
import type { Instant } from "~/domain/calendar"
import type { DbContext } from "../db/transaction.server"
import { isSentBy } from "../mail/enqueue-mail.server"
import { replanNextStep } from "./next-step.server"

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
    const ids: readonly string[] = await servicesAfter(ctx, last, at)
    for (const id of ids) if (await replanNextStep(ctx, id, at)) moved++
    last = ids.at(-1)
    await setImmediate()
  }
  return moved
}

/** Active services whose next step is to come, after one with this id. What is due, or held by a payment, is left to the pass. */
async function servicesAfter({ db }: DbContext, id: string, at: Instant): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("services")
    .select("id")
    .where("id", ">", id)
    .where("status", "=", "Active")
    .where("paid_until", ">", at)
    .where("next_step_at", ">", at)
    .where("held_since", "is", null)
    .orderBy("id")
    .limit(BATCH)
    .execute()
  return rows.map((row) => row.id)
}
