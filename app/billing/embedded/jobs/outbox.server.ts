import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from "kysely"
import { type Delay, type Job, type JobQueue, jobQueues, type Outbox } from "~/billing/outbox"
import { HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { precompiledQueryBy } from "../db/precompiled-query.server"
import type { OutboxRow, Tables } from "../db/schema/schema"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"

/** Creates the outbox for job workers. */
export function outboxOf(ctx: DbContext): Outbox {
  return guarded<Outbox>(ctx, {
    claim: (db, now, length, limit, queue = "services") =>
      claim(db, { now, until: now + length, limit, queue }),
    renew: (db, job, now, until) => renew(db, job, { now, until }),
    complete: completeClaimed,
    reschedule,
    lease: (db, name, holder, now, length) => lease(db, name, { holder, now, until: now + length }),
  })
}

type NewJob = Pick<Job, "topic" | "subject"> & {
  /** Current time, by the clock of the enqueueing instance. */
  readonly at: Instant
  /** Due date, possibly in a year; default: `at`. */
  readonly due?: Instant
}

/** A job that the enqueueing process claims until `due`. */
type Held = NewJob & { readonly due: Instant }

/** Enqueues a job in the current transaction. Idempotent per topic and subject, even after the job is done. */
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

/** Enqueues a job again, even one that is done: resets its tries and due date. */
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

/** Enqueues a job again and claims it for the caller until `due`; other workers get it afterwards. */
export async function enqueueClaimed(ctx: DbContext, held: Held): Promise<Job> {
  return inTransaction(ctx, async (tx) => {
    const job = await requeueJob(tx, held)
    await renew(tx, job, { now: held.at, until: held.due })
    return job
  })
}

/** Columns of a job that no worker has started. */
export function freshJob(at: Instant, due = at) {
  return { state: "waiting" as const, due, put_off_at: at, renewed_until: 0, tries: 0, reason: null }
}

/** Marks a job as done, in the transaction that has the effect of the job. Idempotent. */
export async function completeJob({ db }: DbContext, job: Pick<Job, "topic" | "subject">): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ state: "done" })
    .where("topic", "=", job.topic)
    .where("subject", "=", job.subject)
    .execute()
}

/**
 * Whether a queue has a job to claim. Each queue is looked at every second and after each payment, and most looks find nothing: this
 * seeks in an index for each topic, where the claim orders several parts of the table.
 */
const hasDueJob = Object.fromEntries(
  Object.entries(jobQueues).map(([queue, topics]) => [queue, lookFor(topics)]),
) as Record<JobQueue, ReturnType<typeof lookFor>>

function lookFor(topics: readonly Job["topic"][]) {
  const look = precompiledQueryBy<{ now: Instant; putOffAfter: Instant }, { id: string | null }>(
    { now: "integer", putOffAfter: "integer" },
    ({ db }, { now, putOffAfter }) => {
      const waiting = db.selectFrom("outbox").select("id").where(sql<boolean>`state = 'waiting'`).limit(1)
      // The order makes PostgreSQL use the index, which it ignores in EXISTS: it would read all jobs that wait for a later time.
      const due = topics.map((topic) =>
        waiting.where("topic", "=", topic).where("due", "<=", now).orderBy("due"),
      )
      const putOff = waiting
        .where("topic", "in", topics)
        .where("put_off_at", ">", putOffAfter)
        .where("due", "<=", (row) => row("put_off_at", "+", MAX_WAIT))
        .orderBy("put_off_at")
      return db.selectNoFrom(({ fn }) => fn<string | null>("coalesce", [...due, putOff]).as("id"))
    },
  )
  return async (ctx: Pick<DbContext, "db">, values: { now: Instant; putOffAfter: Instant }) =>
    (await look(ctx, values)).some(({ id }) => id !== null)
}

/**
 * Claims due jobs by moving their due date to the end of the lease, so a crashed worker's job becomes due again.
 * The condition is repeated in the update, because another claim may commit between the subquery and the update.
 */
async function claim(
  { db }: DbContext,
  { now, until, limit, queue }: { now: Instant; until: Instant; limit: number; queue: JobQueue },
): Promise<readonly Job[]> {
  if (!(await hasDueJob[queue]({ db }, { now, putOffAfter: now + CLOCKS_DIFFER }))) return []
  const first = db
    .selectFrom(dueJobs(db, { now, limit, queue }).as("job"))
    .select("id")
    .orderBy("due")
    .limit(limit)
  const claimed = await db
    .updateTable("outbox")
    .set({ due: until, put_off_at: now, renewed_until: until })
    .where("id", "in", first)
    // An expression: by the bare column SQLite would read all waiting jobs, and not these few by their ids.
    .where(sql`coalesce(state, '')`, "=", "waiting")
    .where(isDue(now))
    .where(isFree(now))
    .returning(["id", "topic", "subject", "tries"])
    .execute()
  return claimed.map((job) => ({ ...job, claimedUntil: until }))
}

/**
 * The first free jobs of a queue that are due: `limit` of each topic, and as many that a wrong clock has put off. Each part is read
 * by an index in its order, so that however many jobs wait, few more are read than are claimed.
 */
function dueJobs(
  db: Kysely<Tables>,
  { now, limit, queue }: { now: Instant; limit: number; queue: JobQueue },
) {
  const free = db
    .selectFrom("outbox")
    .select(["id", "due"])
    // The literal condition of the partial indexes.
    .where(sql<boolean>`state = 'waiting'`)
    .where(isFree(now))
    .limit(limit)
  const putOff = free.where("topic", "in", jobQueues[queue]).where(isPutOff(now))
  const due = free.where("due", "<=", now).orderBy("due")
  return jobQueues[queue].reduce(
    (jobs, topic) => jobs.union(part(db, due.where("topic", "=", topic))),
    part(db, putOff),
  )
}

/** SQLite has order and limit of a part of a union only in a subquery. */
function part(db: Kysely<Tables>, jobs: SelectQueryBuilder<Tables, "outbox", Pick<OutboxRow, "id" | "due">>) {
  return db.selectFrom(jobs.as("part")).selectAll()
}

/** Tolerated clock difference between instances in milliseconds; smaller corrections of a clock go unnoticed. */
const CLOCKS_DIFFER = 5 * MINUTE
/** Leases and retry delays are shorter; a longer delay is a due date that must be respected. */
const MAX_WAIT = 2 * HOUR

/**
 * Whether a job is due: its due date has passed, or it has a lease or retry delay that starts in the future. Such a
 * start comes from a wrong clock that has been corrected. A due date further away is respected in any case: a clock
 * that falls back, as to 1970 with an empty battery, must not bring forward a job due in a year.
 */
function isDue(now: Instant) {
  return (row: ExpressionBuilder<Tables, "outbox">) => row.or([row("due", "<=", now), isPutOff(now)(row)])
}

function isPutOff(now: Instant) {
  return (row: ExpressionBuilder<Tables, "outbox">) =>
    row.and([row("put_off_at", ">", now + CLOCKS_DIFFER), row("due", "<=", row("put_off_at", "+", MAX_WAIT))])
}

/** Whether no worker has claimed the job; a claim made by a clock corrected since does not count. */
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

/** Marks a job as done, unless it was enqueued again since. The row stays to prevent enqueueing it again. */
export async function completeClaimed({ db }: DbContext, { id, claimedUntil }: Job): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ state: "done" })
    .where("id", "=", id)
    .where("due", "=", claimedUntil)
    .execute()
}

/** Retries a job at `due`, or parks it if `due` is null. No effect if it was enqueued again since. */
export async function reschedule(
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

/** Acquires or renews a lease. Returns false while another holder has it. */
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
            // A longer lease than a new one was taken by a wrong clock that has been corrected.
            row("leases.until", ">", until + (until - now)),
          ]),
        ),
    )
    .returning("name")
    .executeTakeFirst()
  return held !== undefined
}
