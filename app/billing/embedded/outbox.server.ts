import type { ExpressionBuilder } from "kysely"
import type { Delay, Job, Outbox } from "~/billing/outbox"
import { HOUR, type Instant, MINUTE } from "~/domain/calendar"
import type { Tables } from "./db/schema/schema"
import { type DbContext, inTransaction, withBillingErrors } from "./db/transaction.server"

/** The books as whoever carries out jobs sees them. */
export function outboxOf(ctx: DbContext): Outbox {
  return {
    claim: (now, length, limit) => withBillingErrors(claim(ctx, { now, until: now + length, limit })),
    renew: (job, now, until) => withBillingErrors(renew(ctx, job, { now, until })),
    complete: (job) => withBillingErrors(complete(ctx, job)),
    reschedule: (job, delay) => withBillingErrors(reschedule(ctx, job, delay)),
    lease: (name, holder, now, length) =>
      withBillingErrors(lease(ctx, name, { holder, now, until: now + length })),
  }
}

type NewJob = Pick<Job, "topic" | "subject"> & {
  /** Now, by the clock of whoever promises it. */
  readonly at: Instant
  /** When it is to be done, also in a year; at once where nothing is said. */
  readonly due?: Instant
}

/** A job that its own promiser carries out, until `due`. */
type Held = NewJob & { readonly due: Instant }

/** Writes a job in the transaction that causes it. The same job is promised once, whatever happens again. */
export async function enqueueJob(
  { db, newId }: DbContext,
  { topic, subject, at, due = at }: NewJob,
): Promise<void> {
  await db
    .insertInto("outbox")
    .values({ id: newId(), topic, subject, ...freshJob(at, due) })
    .onConflict((conflict) => conflict.columns(["topic", "subject"]).doNothing())
    .execute()
}

/** Promises a job that may have been carried out before: it is to be done once more, from the beginning. */
export async function requeueJob(
  { db, newId }: DbContext,
  { topic, subject, at, due = at }: NewJob,
): Promise<Job> {
  const fresh = freshJob(at, due)
  const { id } = await db
    .insertInto("outbox")
    .values({ id: newId(), topic, subject, ...fresh })
    .onConflict((conflict) => conflict.columns(["topic", "subject"]).doUpdateSet(fresh))
    .returning("id")
    .executeTakeFirstOrThrow()
  return { id, topic, subject, claimedUntil: due, tries: 0 }
}

/** Promises a job again, and claims it until then for whoever promises it. */
export async function enqueueClaimed(ctx: DbContext, held: Held): Promise<Job> {
  return inTransaction(ctx, async (tx) => {
    const job = await requeueJob(tx, held)
    await renew(tx, job, { now: held.at, until: held.due })
    return job
  })
}

/** What a row of a job says that nobody has begun with. */
export function freshJob(at: Instant, due = at) {
  return { state: "waiting" as const, due, put_off_at: at, renewed_until: 0, tries: 0, reason: null }
}

/** What a job was promised for has happened in the transaction at hand. */
export async function completeJob({ db }: DbContext, job: Pick<Job, "topic" | "subject">): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ state: "done" })
    .where("topic", "=", job.topic)
    .where("subject", "=", job.subject)
    .execute()
}

/**
 * Takes due jobs by moving their due date to the end of the lease: a job whose worker died is due again by itself.
 * The condition stands twice, because another claim may win between looking and writing.
 */
async function claim(
  { db }: DbContext,
  { now, until, limit }: { now: Instant; until: Instant; limit: number },
): Promise<readonly Job[]> {
  const due = db
    .selectFrom("outbox")
    .select("id")
    .where("state", "=", "waiting")
    .where(isDue(now))
    .where(isFree(now))
    .orderBy("due")
    .limit(limit)
  const claimed = await db
    .updateTable("outbox")
    .set({ due: until, put_off_at: now, renewed_until: until })
    .where("id", "in", due)
    .where("state", "=", "waiting")
    .where(isDue(now))
    .where(isFree(now))
    .returning(["id", "topic", "subject", "tries"])
    .execute()
  return claimed.map((job) => ({ ...job, claimedUntil: until }))
}

/** Clocks of instances may differ so much, and a clock that is set right jumps no further unnoticed. */
const CLOCKS_DIFFER = 5 * MINUTE
/** Leases and waits between tries are shorter; what is put off for longer has a date that is kept. */
const MAX_WAIT = 2 * HOUR

/**
 * A job is due on its date. A lease or a wait between tries that was begun later than now was begun by a clock that
 * has been set right since, and is over. A date is kept whatever the clock did: a clock that falls back, to 1970 when
 * its battery is empty, must not bring forward what is to be done in a year.
 */
function isDue(now: Instant) {
  return (row: ExpressionBuilder<Tables, "outbox">) =>
    row.or([
      row("due", "<=", now),
      row.and([
        row("put_off_at", ">", now + CLOCKS_DIFFER),
        row("due", "<=", row("put_off_at", "+", MAX_WAIT)),
      ]),
    ])
}

/** No worker is at it, but for one whose clock has been set right since. */
export function isFree(now: Instant) {
  return (row: ExpressionBuilder<Tables, "outbox">) =>
    row.or([row("renewed_until", "<=", now), row("put_off_at", ">", now + CLOCKS_DIFFER)])
}

async function renew(
  { db }: DbContext,
  { id, claimedUntil }: Job,
  { now, until }: { now: Instant; until: Instant },
): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ renewed_until: until, put_off_at: now })
    .where("id", "=", id)
    .where("due", "=", claimedUntil)
    .where("state", "=", "waiting")
    .execute()
}

/** The job is carried out; it stays as proof that it is not to be done again, unless it was promised again. */
async function complete({ db }: DbContext, { id, claimedUntil }: Job): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ state: "done" })
    .where("id", "=", id)
    .where("due", "=", claimedUntil)
    .execute()
}

/** The job is tried again at `due`, or, without one, parked for the operator; a newer promise stays as it is. */
async function reschedule(
  { db }: DbContext,
  { id, claimedUntil }: Job,
  { at, due, reason }: Delay,
): Promise<void> {
  await db
    .updateTable("outbox")
    .set((row) => ({
      tries: row("tries", "+", 1),
      reason,
      put_off_at: at,
      renewed_until: 0,
      ...(due === null ? { state: "parked" as const } : { state: "waiting" as const, due }),
    }))
    .where("id", "=", id)
    .where("due", "=", claimedUntil)
    .execute()
}

/** Takes or keeps a singleton's lease; false while somebody else holds it. */
async function lease(
  { db }: DbContext,
  name: string,
  { holder, now, until }: { holder: string; now: Instant; until: Instant },
): Promise<boolean> {
  const held = await db
    .insertInto("leases")
    .values({ name, holder, until })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, until })
        .where((row) =>
          row.or([
            row("leases.until", "<=", now),
            row("leases.holder", "=", holder),
            // Taken by a clock that has been set right since.
            row("leases.until", ">", until + (until - now)),
          ]),
        ),
    )
    .returning("name")
    .executeTakeFirst()
  return held !== undefined
}
