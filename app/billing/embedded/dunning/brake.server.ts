import { sql } from "kysely"
import { jobQueues } from "~/billing/outbox"
import type { Ending } from "~/billing/services/dunning"
import { DAY, type Instant, MINUTE } from "~/domain/calendar"
import {
  ALLOWED_SHARE,
  ALWAYS_ALLOWED,
  type Brake,
  type Outage,
  outageIn,
} from "~/domain/services/dunning-brake"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"

/** Name of the cursor that has the time of the last pass. */
const LAST_PASS = "dunning"
/** A part that is seen down again within this time has been down in between. */
const SAME_OUTAGE = 5 * MINUTE
/** No grace is longer, but for a year's, of which an outage takes little. */
const OUTAGES_KEPT = 60 * DAY
/** Services whose jobs fail: one is the fault of the service, so many are the panel's. */
const PANEL_DOWN = 3
/** Tries after which a job is not just unlucky. */
const FAILS = 2
/** Upper bound of what is counted; more is too many in any shop. */
const MAX_COUNTED = 50_000

/** The brake that is on: see `Dunning.brake`. */
export async function brakeOn({ db }: DbContext): Promise<Brake | null> {
  const row = await db
    .selectFrom("dunning_brakes")
    .select(["reason", "detail", "at"])
    .where("released_at", "is", null)
    .executeTakeFirst()
  return row ?? null
}

/** When the operator last released the brake; 0: never. */
export async function releasedAt({ db }: DbContext): Promise<Instant> {
  const row = await db
    .selectFrom("dunning_brakes")
    .select((it) => it.fn.max("released_at").as("at"))
    .executeTakeFirst()
  return Number(row?.at ?? 0)
}

/** Puts the brake on: see `Dunning.stop`. */
export async function stop(ctx: DbContext, { reason, detail, at }: Brake): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const id = tx.newId()
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto("dunning_brakes")
      .values({ id, reason, detail, at, released_at: null, release_reason: null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) return false
    const name = "operator-dunning-stopped"
    await enqueueMail(tx, { name, onceKey: `${name} ${id}`, detail: reason, at })
    return true
  })
}

/** The operator's word: see `Dunning.release`. What was observed until then does not count any more. */
export async function release(ctx: DbContext, reason: string, at: Instant): Promise<boolean> {
  return inTransaction(ctx, async ({ db }) => {
    const { numUpdatedRows } = await db
      .updateTable("dunning_brakes")
      .set({ released_at: at, release_reason: reason })
      .where("released_at", "is", null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await db.deleteFrom("outages").execute()
    await db.deleteFrom("cursors").where("name", "=", LAST_PASS).execute()
    return true
  })
}

/** Records a pass: see `Dunning.observe`. */
export async function observe({ db }: DbContext, at: Instant): Promise<Instant | null> {
  const row = await db.selectFrom("cursors").select("place").where("name", "=", LAST_PASS).executeTakeFirst()
  const place = String(at)
  await db
    .insertInto("cursors")
    .values({ name: LAST_PASS, place })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ place }))
    .execute()
  await db
    .deleteFrom("outages")
    .where("until", "<", at - OUTAGES_KEPT)
    .execute()
  return row ? Number(row.place) : null
}

/** Records an outage: see `Dunning.recordOutage`. */
export async function recordOutage(ctx: DbContext, { part, since, until }: Outage): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable("outages")
    .set({ until })
    .where("part", "=", part)
    .where("until", ">=", since - SAME_OUTAGE)
    .where("until", "<=", until)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await ctx.db
    .insertInto("outages")
    .values({ part, since, until })
    .onConflict((conflict) => conflict.columns(["part", "since"]).doUpdateSet({ until }))
    .execute()
}

/** The outage that counts in a time; null if none does. */
export async function outageDuring(
  { db }: DbContext,
  time: { from: Instant; until: Instant },
): Promise<Outage | null> {
  const rows = await db.selectFrom("outages").selectAll().where("until", ">", time.from).execute()
  return outageIn(rows, time)
}

/** Whether the panel is down: see `Dunning.panelFails`. */
export async function panelFails({ db }: DbContext): Promise<boolean> {
  const failing = await db
    .selectFrom("outbox")
    .select("subject")
    .distinct()
    .where("state", "=", "waiting")
    .where("topic", "in", [...jobQueues.services, ...jobQueues.terms])
    // The literal condition of the partial index.
    .where(sql<boolean>`tries > 0`)
    .where("tries", ">=", FAILS)
    .limit(PANEL_DOWN)
    .execute()
  return failing.length === PANEL_DOWN
}

/** What a pass would end: see `Dunning.ending`. */
export async function ending(ctx: DbContext, now: Instant): Promise<Ending> {
  const { db } = ctx
  const released = await releasedAt(ctx)
  const due = db
    .selectFrom("services")
    .select("id")
    .where("next_step_at", "<=", now)
    .where("next_step_at", ">", released)
    .where("next_step", "in", ["suspend", "terminate"])
    .limit(MAX_COUNTED)
  const count = await countOf(db.selectFrom(due.as("due")).select((row) => row.fn.countAll().as("count")))
  if (count <= ALWAYS_ALLOWED) return { count, active: 0 }
  // So many active services decide; a shop with more has a higher limit in any case.
  const active = db
    .selectFrom("services")
    .select("id")
    .where("next_step_at", "is not", null)
    .where("status", "=", "Active")
    .limit(count * ALLOWED_SHARE)
  return {
    count,
    active: await countOf(db.selectFrom(active.as("active")).select((row) => row.fn.countAll().as("count"))),
  }
}

type Count = { execute(): Promise<readonly { count: string | number | bigint }[]> }

async function countOf(query: Count): Promise<number> {
  const [row] = await query.execute()
  return Number(row?.count ?? 0)
}
