import type { ExpressionBuilder } from "kysely"
import type { Job, Outbox } from "~/billing/outbox"
import { HOUR, type Instant } from "~/domain/calendar"
import type { Tables } from "./db/schema/schema"
import { type Books, told } from "./db/transaction.server"

/** The books as whoever carries out jobs sees them. */
export function outboxOf(books: Books): Outbox {
  return {
    claim: (now, length, most) => told(claim(books, { now, until: now + length, most })),
    done: (job) => told(done(books, job)),
    postpone: (job, due, reason) => told(postpone(books, job, { due, reason })),
    lease: (name, holder, now, length) => told(lease(books, name, { holder, now, until: now + length })),
  }
}

/** Writes a job in the transaction that causes it. The same job is promised once, whatever happens again. */
export async function promiseJob(
  { db, newId }: Books,
  job: Pick<Job, "topic" | "subject"> & { due: Instant },
): Promise<void> {
  await db
    .insertInto("outbox")
    .values({ id: newId(), ...job, state: "waiting", tries: 0, reason: null })
    .onConflict((conflict) => conflict.columns(["topic", "subject"]).doNothing())
    .execute()
}

/** Promises a job that may have been carried out before: it is to be done once more, from the beginning. */
export async function promiseAgain(
  { db, newId }: Books,
  { due, ...job }: Pick<Job, "topic" | "subject"> & { due: Instant },
): Promise<Job> {
  const fresh = { state: "waiting", due, tries: 0, reason: null } as const
  const { id } = await db
    .insertInto("outbox")
    .values({ id: newId(), ...job, ...fresh })
    .onConflict((conflict) => conflict.columns(["topic", "subject"]).doUpdateSet(fresh))
    .returning("id")
    .executeTakeFirstOrThrow()
  return { id, ...job, claimedUntil: due, tries: 0 }
}

/** What a job was promised for has happened in the transaction at hand. */
export async function fulfilPromise({ db }: Books, job: Pick<Job, "topic" | "subject">): Promise<void> {
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
  { db }: Books,
  { now, until, most }: { now: Instant; until: Instant; most: number },
): Promise<readonly Job[]> {
  const due = db
    .selectFrom("outbox")
    .select("id")
    .where("state", "=", "waiting")
    .where(isDue(now))
    .orderBy("due")
    .limit(most)
  const claimed = await db
    .updateTable("outbox")
    .set({ due: until })
    .where("id", "in", due)
    .where("state", "=", "waiting")
    .where(isDue(now))
    .returning(["id", "topic", "subject", "tries"])
    .execute()
  return claimed.map((job) => ({ ...job, claimedUntil: until }))
}

/** No job is put off for so long: one that is was put off by a clock that has been set right since. */
const NEVER_LATER = 2 * HOUR

function isDue(now: Instant) {
  return (row: ExpressionBuilder<Tables, "outbox">) =>
    row.or([row("due", "<=", now), row("due", ">", now + NEVER_LATER)])
}

/** The job is carried out; it stays as proof that it is not to be done again, unless it was promised again. */
async function done({ db }: Books, { id, claimedUntil }: Job): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ state: "done" })
    .where("id", "=", id)
    .where("due", "=", claimedUntil)
    .execute()
}

/** The job is tried again at `due`, or, without one, parked for the operator; a newer promise stays as it is. */
async function postpone(
  { db }: Books,
  { id, claimedUntil }: Job,
  { due, reason }: { due: Instant | null; reason: string },
): Promise<void> {
  await db
    .updateTable("outbox")
    .set((row) => ({
      tries: row("tries", "+", 1),
      reason,
      ...(due === null ? { state: "parked" as const } : { state: "waiting" as const, due }),
    }))
    .where("id", "=", id)
    .where("due", "=", claimedUntil)
    .execute()
}

/** Takes or keeps a singleton's lease; false while somebody else holds it. */
async function lease(
  { db }: Books,
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
