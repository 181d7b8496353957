import type { MailStats } from "~/billing/mail-repository"
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
  const unsent = await db
    .selectFrom("mails")
    .innerJoin("outbox", "outbox.subject", "mails.id")
    .select("mails.created_at")
    .where("mails.state", "in", ["waiting", "sending"])
    .where("outbox.topic", "in", ["mail", "sign-in-mail"])
    .where((row) => row.or([row("outbox.due", "<=", now), row("mails.tries", ">", 0)]))
    .orderBy("mails.created_at")
    .limit(1)
    .executeTakeFirst()
  const accepted = await db
    .selectFrom("mails")
    .select("settled_at")
    .where("state", "=", "sent")
    .where("created_at", ">=", since)
    .orderBy("settled_at", "desc")
    .limit(1)
    .executeTakeFirst()
  return {
    counts: counts.map(({ name, state, count }) => ({ name, state, count: Number(count) })),
    oldestUnsent: unsent?.created_at ?? null,
    lastAccepted: accepted?.settled_at ?? null,
  }
}
