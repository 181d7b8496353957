import { sql } from "kysely"
import type { MailStats } from "~/billing/mail-repository"
import { type Job, jobQueues } from "~/billing/outbox"
import type { Instant } from "~/domain/calendar"
import type { DbContext } from "../../db/transaction.server"
import { lastAcceptedAt, mailServerFailedSince } from "./mail-server-failure.server"

/** Messages that are examined; more in one period are not counted. */
const MAX = 10_000

/** Figures of the mail log: see `MailRepository.stats`. */
export async function mailStats({ db }: DbContext, now: Instant, since: Instant): Promise<MailStats> {
  const recent = db
    .selectFrom("mails")
    .select(["name", "state"])
    .where("created_at", ">=", since)
    .limit(MAX)
    .as("recent")
  const counts = await db
    .selectFrom(recent)
    .select((row) => ["name", "state", row.fn.countAll().as("count")])
    .groupBy(["name", "state"])
    .execute()
  const lastAccepted = await lastAcceptedAt({ db }, since)
  const [oldest] = await unsentByRecipient({ db }, 0)
  const due = await firstDueOfUntried({ db }, now)
  const oldestUnsent = earliest(oldest?.since ?? null, due)
  return {
    counts: counts.map(({ name, state, count }) => ({ name, state, count: Number(count) })),
    oldestUnsent,
    lastAccepted,
    silentSince: earliest(
      lastAccepted === null ? oldestUnsent : await silentAfter({ db }, { lastAccepted, due }),
      await failingSince({ db }, { oldestUnsent, lastAccepted }),
    ),
  }
}

function earliest(...times: readonly (Instant | null)[]): Instant | null {
  const known = times.filter((it) => it !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Since when a message waits for a mail server that fails: without one that waits, it is unknown whether it still does. */
async function failingSince(
  { db }: Db,
  { oldestUnsent, lastAccepted }: { oldestUnsent: Instant | null; lastAccepted: Instant | null },
): Promise<Instant | null> {
  if (oldestUnsent === null) return null
  const failed = await mailServerFailedSince({ db })
  return failed === null || failed <= (lastAccepted ?? 0) ? null : Math.max(failed, oldestUnsent)
}

type Db = Pick<DbContext, "db">

/** Since when nothing goes out although it should, after a message was accepted: see `MailStats.silentSince`. */
async function silentAfter(
  { db }: Db,
  { lastAccepted, due }: { readonly lastAccepted: Instant; readonly due: Instant | null },
): Promise<Instant | null> {
  const [, second] = await unsentByRecipient({ db }, lastAccepted)
  const since = [second?.since, due].flatMap((it) => (it != null && it > lastAccepted ? [it] : []))
  return since.length === 0 ? null : Math.min(...since)
}

/**
 * Those to whom messages were tried in vain, first after a time, with the first of these tries. The two who have waited for
 * longest.
 */
async function unsentByRecipient(
  { db }: Db,
  after: Instant,
): Promise<readonly { readonly since: Instant }[]> {
  const unsent = db
    .selectFrom("mails")
    .select((row) => ["email_key", row.fn.coalesce("tried_at", "created_at").as("began")])
    // The literal condition of the partial index.
    .where(sql<boolean>`tries > 0 and state in ('waiting', 'sending')`)
    .orderBy("created_at", "desc")
    .limit(MAX)
    .as("unsent")
  const rows = await db
    .selectFrom(unsent)
    .select((row) => row.fn.min("began").as("since"))
    .where("began", ">", after)
    .groupBy("email_key")
    .orderBy("since")
    .limit(2)
    .execute()
  return rows.map(({ since }) => ({ since: Number(since) }))
}

/** Since when the message is due that was never tried and is due for longest; null if there is none. */
async function firstDueOfUntried({ db }: Db, now: Instant): Promise<Instant | null> {
  const due = await Promise.all(
    [...jobQueues.mail, ...jobQueues["sign-in-mail"]].map((topic) => firstDue({ db }, topic, now)),
  )
  const times = due.flatMap((job) => (job ? [job.due] : []))
  return times.length === 0 ? null : Math.min(...times)
}

/** When the job of a topic was due that was never tried and is due for longest. */
function firstDue({ db }: Db, topic: Job["topic"], now: Instant) {
  return db
    .selectFrom("outbox")
    .select("due")
    .where(sql<boolean>`state = 'waiting'`)
    .where("topic", "=", topic)
    .where("tries", "=", 0)
    .where("due", "<=", now)
    .orderBy("due")
    .limit(1)
    .executeTakeFirst()
}
