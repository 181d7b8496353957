import { sql } from "kysely"
import type { NeedQuery } from "~/billing/console-overview"
import { DAY, dayIn } from "~/domain/calendar"
import { NEED_COUNT_LIMIT, STEP_LATE_AFTER } from "~/domain/console/console-need"
import { MAIL_SENT_WITHIN } from "~/domain/operators/alert-periods"
import type { DbContext } from "../../db/transaction.server"
import { type FoundNeed, LISTED } from "./found-need"

/** Parked jobs. Those of orders are listed with their orders. */
export async function parkedJobs({ db }: DbContext): Promise<readonly FoundNeed[]> {
  const rows = await db
    .selectFrom("outbox")
    .select(["id", "topic", "put_off_at", "tries", "reason"])
    .where("state", "=", "parked")
    // The literal condition of the partial index.
    .where(sql<boolean>`tries > 0`)
    .where("topic", "!=", "provision")
    .orderBy("put_off_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, topic, put_off_at, tries, reason }) => ({
    key: `job ${id}`,
    kind: "parked-job",
    since: put_off_at,
    orderId: null,
    amount: null,
    detail: reason === null ? topic : `${topic}: ${reason}`,
    count: tries,
  }))
}

/** Messages that the mail server has not taken in time, as one need. */
export async function unsentMail({ db }: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
  const rows = await db
    .selectFrom("mails")
    .select(["id", "created_at"])
    // The literal condition of the partial index.
    .where(sql<boolean>`tries > 0 and state in ('waiting', 'sending')`)
    .where("created_at", "<=", now - MAIL_SENT_WITHIN)
    .orderBy("created_at")
    .limit(NEED_COUNT_LIMIT)
    .execute()
  const [oldest] = rows
  if (!oldest) return []
  const job = await db
    .selectFrom("outbox")
    .select("reason")
    .where("topic", "in", ["mail", "sign-in-mail"])
    .where("subject", "=", oldest.id)
    .executeTakeFirst()
  return [
    {
      key: "mail",
      kind: "unsent-mail",
      since: oldest.created_at,
      orderId: null,
      amount: null,
      detail: job?.reason ?? null,
      count: rows.length,
    },
  ]
}

/** Paused endpoints of webhooks. What an operator has paused is meant to wait. Of the receiver's URL only the host: the rest may be secret. */
export async function pausedWebhooks({ db }: DbContext): Promise<readonly FoundNeed[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .select(["id", "url", "pause_reason", "paused_at", "created_at"])
    .where("state", "=", "paused")
    .where("pause_reason", "!=", "operator")
    .orderBy("paused_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, url, pause_reason, paused_at, created_at }) => ({
    key: `webhook ${id}`,
    kind: "webhook-paused",
    since: paused_at ?? created_at,
    orderId: null,
    amount: null,
    detail: `${new URL(url).host}: ${pause_reason === "gone" ? "answered 410" : "no success for 3 days"}`,
    count: 1,
  }))
}

/** Callbacks whose signature or form was wrong. They are counted by day. The first ones of a day are stored with their time, but for those without a request. */
export async function callbacksRejected(
  { db }: DbContext,
  { yesterday, timeZone }: NeedQuery,
): Promise<readonly FoundNeed[]> {
  const rows = await db
    .selectFrom("refused_callbacks")
    .selectAll()
    .where("day", ">=", yesterday)
    .orderBy("day")
    .limit(LISTED)
    .execute()
  if (rows.length === 0) return []
  const stored = await db
    .selectFrom("rejected_callbacks")
    .select(["gateway", "reason", "at"])
    .where("at", ">=", Date.parse(yesterday) - DAY)
    .orderBy("at", "desc")
    .execute()
  // The first of each day is the last one to be set.
  const first = new Map(
    stored.map((it) => [`${it.gateway} ${dayIn(timeZone, Number(it.at))} ${it.reason}`, Number(it.at)]),
  )
  return rows.map(({ gateway, day, reason, count }) => ({
    key: `callbacks ${gateway} ${day} ${reason}`,
    kind: "rejected-callbacks",
    since: first.get(`${gateway} ${day} ${reason}`) ?? Date.parse(day),
    orderId: null,
    amount: null,
    detail: `${gateway}: ${reason}`,
    count: Number(count),
  }))
}

/** Steps of dunning that are overdue, as one need. */
export async function lateSteps({ db }: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
  const rows = await db
    .selectFrom("services")
    .select("next_step_at")
    .where("next_step_at", "<=", now - STEP_LATE_AFTER)
    .orderBy("next_step_at")
    .limit(NEED_COUNT_LIMIT)
    .execute()
  const since = rows[0]?.next_step_at
  if (!since) return []
  return [
    {
      key: "late-steps",
      kind: "late-steps",
      since,
      orderId: null,
      amount: null,
      detail: null,
      count: rows.length,
    },
  ]
}
