import { sql } from "kysely"
import type { MailStats } from "~/billing/mail-repository"
import { type Job, jobQueues } from "~/billing/outbox"
import type { Instant } from "~/domain/calendar"
import type { DbContext } from "../db/transaction.server"

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
  const accepted = await db
    .selectFrom("mails")
    .select("settled_at")
    // The literal condition of the partial index.
    .where(sql<boolean>`state = 'sent'`)
    .where("settled_at", ">=", since)
    .orderBy("settled_at", "desc")
    .limit(1)
    .executeTakeFirst()
  return {
    counts: counts.map(({ name, state, count }) => ({ name, state, count: Number(count) })),
    oldestUnsent: await oldestUnsent({ db }, now),
    lastAccepted: accepted?.settled_at ?? null,
  }
}

/** The creation of the message that has waited longest among those that were tried or are due; null if there is none. */
async function oldestUnsent({ db }: Pick<DbContext, "db">, now: Instant): Promise<Instant | null> {
  const tried = await db
    .selectFrom("mails")
    .select("created_at")
    // The literal condition of the partial index.
    .where(sql<boolean>`tries > 0 and state in ('waiting', 'sending')`)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst()
  const due = await Promise.all(
    [...jobQueues.mail, ...jobQueues["sign-in-mail"]].map((topic) => longestDue({ db }, topic, now)),
  )
  const times = [tried, ...due].flatMap((mail) => (mail ? [mail.created_at] : []))
  return times.length === 0 ? null : Math.min(...times)
}

/** Messages that were never tried are due in the order in which they were written. */
function longestDue({ db }: Pick<DbContext, "db">, topic: Job["topic"], now: Instant) {
  return db
    .selectFrom("outbox")
    .innerJoin("mails", "mails.id", "outbox.subject")
    .select("mails.created_at")
    .where(sql<boolean>`outbox.state = 'waiting'`)
    .where("outbox.topic", "=", topic)
    .where("outbox.due", "<=", now)
    .orderBy("outbox.due")
    .limit(1)
    .executeTakeFirst()
}
