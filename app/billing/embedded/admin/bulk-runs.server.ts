import { z } from "zod"
import type {
  BulkItem,
  BulkRun,
  BulkRuns,
  ChosenItem,
  ItemKey,
  NewBulkRun,
} from "~/billing/operators/bulk-runs"
import { jobQueues } from "~/billing/outbox"
import type { Instant } from "~/domain/calendar"
import {
  type BulkAction,
  type BulkItemState,
  type BulkSkip,
  jobMark,
  markOfOrder,
  markOfService,
} from "~/domain/console/bulk"
import { isRetryable } from "~/domain/orders/order-actions"
import type { BulkItemRow, BulkRunRow } from "../db/schema/operator-rows"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { enqueueJob } from "../jobs/outbox.server"
import { giveDays } from "../services/given-days.server"
import { append } from "./audit-log.server"
import { retryJobs } from "./jobs.server"
import { listMails, resendMail } from "./mail-log.server"

/** Actions on many rows, in the embedded database. */
export function bulkRunsOf(ctx: DbContext): BulkRuns {
  return guarded<BulkRuns>(ctx, {
    begin,
    find,
    newest,
    unsettled,
    items,
    apply,
    start,
    settle,
    stop,
    finish,
    deleteOld,
  })
}

/** Rows of an insert: both engines limit the parameters of a statement. */
const INSERTED_AT_ONCE = 500

async function begin(ctx: DbContext, run: NewBulkRun, chosen: readonly ChosenItem[]): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const added = await tx.db
      .insertInto("bulk_runs")
      .values({
        id: run.id,
        list: run.list,
        action: run.action,
        conditions: JSON.stringify(run.conditions),
        days: run.days,
        reason: run.reason,
        operator_id: run.operatorId,
        operator: run.operator,
        at: run.at,
        stopped_at: null,
        stopped_by: null,
        finished_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst()
    if (!added) return
    await addItems(tx, run.id, chosen)
    await enqueueJob(tx, { topic: "bulk", subject: run.id, at: run.at })
  })
}

async function addItems({ db }: DbContext, runId: string, chosen: readonly ChosenItem[]): Promise<void> {
  const rows = chosen.map(({ item, mark }, position) => ({
    run_id: runId,
    position,
    item,
    mark,
    state: "waiting" as const,
    detail: null,
    at: null,
  }))
  for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE)
    await db
      .insertInto("bulk_items")
      .values(rows.slice(from, from + INSERTED_AT_ONCE))
      .execute()
}

async function find(ctx: DbContext, id: string): Promise<BulkRun | null> {
  const row = await runs(ctx).where("bulk_runs.id", "=", id).executeTakeFirst()
  return row ? runOf(ctx, row) : null
}

async function newest(ctx: DbContext, limit: number): Promise<readonly BulkRun[]> {
  const rows = await runs(ctx).orderBy("bulk_runs.at", "desc").orderBy("bulk_runs.id").limit(limit).execute()
  return Promise.all(rows.map((row) => runOf(ctx, row)))
}

function runs({ db }: DbContext) {
  return db
    .selectFrom("bulk_runs")
    .leftJoin("operators", (join) =>
      join.onRef("operators.id", "=", "bulk_runs.operator_id").on("operators.disabled_at", "is", null),
    )
    .selectAll("bulk_runs")
    .select("operators.role")
}

type RunRow = Awaited<ReturnType<ReturnType<typeof runs>["executeTakeFirstOrThrow"]>>

async function runOf(ctx: DbContext, row: RunRow): Promise<BulkRun> {
  return {
    id: row.id,
    list: row.list,
    action: row.action,
    conditions: JSON.parse(row.conditions),
    days: row.days,
    reason: row.reason,
    operatorId: row.operator_id,
    operator: row.operator,
    role: row.role,
    at: row.at,
    stoppedAt: row.stopped_at,
    stoppedBy: row.stopped_by,
    finishedAt: row.finished_at,
    counts: await countsOf(ctx, row.id),
  }
}

async function countsOf({ db }: DbContext, runId: string): Promise<BulkRun["counts"]> {
  const rows = await db
    .selectFrom("bulk_items")
    .select("state")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("run_id", "=", runId)
    .groupBy("state")
    .execute()
  const countOf = (state: BulkItemState) => Number(rows.find((it) => it.state === state)?.count ?? 0)
  return {
    waiting: countOf("waiting"),
    started: countOf("started"),
    done: countOf("done"),
    skipped: countOf("skipped"),
  }
}

/** A worker that has died has left at most a few `started` rows: they come first. */
async function unsettled({ db }: DbContext, id: string, limit: number): Promise<readonly BulkItem[]> {
  const found: BulkItem[] = []
  for (const state of ["started", "waiting"] as const) {
    const rows = await db
      .selectFrom("bulk_items")
      .innerJoin("bulk_runs", "bulk_runs.id", "bulk_items.run_id")
      .selectAll("bulk_items")
      .where("run_id", "=", id)
      .where("state", "=", state)
      .where("bulk_runs.stopped_at", "is", null)
      .orderBy("position")
      .limit(limit)
      .execute()
    found.push(...rows.map(itemOf))
  }
  return found.slice(0, limit)
}

async function items(
  { db }: DbContext,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<readonly BulkItem[]> {
  const rows = await db
    .selectFrom("bulk_items")
    .selectAll()
    .where("run_id", "=", id)
    .where("position", ">", after)
    .orderBy("position")
    .limit(limit)
    .execute()
  return rows.map(itemOf)
}

function itemOf({ run_id, position, item, state, detail, at }: BulkItemRow): BulkItem {
  return { runId: run_id, position, item, state, skip: detail, at }
}

function apply(ctx: DbContext, key: ItemKey, at: Instant): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const taken = await take(tx, key, at)
    if (!taken) return
    const skip = await effects[taken.run.list](tx, { ...taken, at })
    await record(tx, taken, { skip, at })
  })
}

function start(ctx: DbContext, key: ItemKey, at: Instant): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const open = await openItem(tx, key)
    if (open?.state === "started") return true
    const taken = await take(tx, key, at)
    return taken !== null
  })
}

function settle(
  ctx: DbContext,
  key: ItemKey,
  { skip, at }: { skip: BulkSkip | null; at: Instant },
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const taken = await takenItem(tx, key)
    if (taken) await record(tx, taken, { skip, at })
  })
}

type Taken = { readonly run: BulkRunRow; readonly item: BulkItemRow }

/** Takes a waiting row of a run that goes on. Null: there is nothing to do with it, or it was skipped just now. */
async function take(tx: DbContext, key: ItemKey, at: Instant): Promise<Taken | null> {
  const run = await openRun(tx, key.runId)
  const item = run && (await moveItem(tx, key, { from: "waiting", to: "started" }))
  if (!item) return null
  const mark = await markNow[run.list](tx, run.action, item.item)
  if (mark === item.mark) return { run, item }
  await record(tx, { run, item }, { skip: mark === null ? "gone" : "changed", at })
  return null
}

/** A row that was begun. */
async function takenItem(tx: DbContext, { runId, position }: ItemKey): Promise<Taken | null> {
  const run = await tx.db.selectFrom("bulk_runs").selectAll().where("id", "=", runId).executeTakeFirst()
  const item = await moveItem(tx, { runId, position }, { from: "started", to: "started" })
  return run && item ? { run, item } : null
}

async function openRun({ db }: DbContext, id: string): Promise<BulkRunRow | undefined> {
  return db
    .selectFrom("bulk_runs")
    .selectAll()
    .where("id", "=", id)
    .where("stopped_at", "is", null)
    .executeTakeFirst()
}

function openItem({ db }: DbContext, { runId, position }: ItemKey) {
  return db
    .selectFrom("bulk_items")
    .innerJoin("bulk_runs", "bulk_runs.id", "bulk_items.run_id")
    .select("bulk_items.state")
    .where("run_id", "=", runId)
    .where("position", "=", position)
    .where("bulk_runs.stopped_at", "is", null)
    .executeTakeFirst()
}

/** The update locks the row, so that of two workers one goes on. */
function moveItem(
  { db }: DbContext,
  { runId, position }: ItemKey,
  { from, to }: { from: BulkItemState; to: BulkItemState },
): Promise<BulkItemRow | undefined> {
  return db
    .updateTable("bulk_items")
    .set({ state: to })
    .where("run_id", "=", runId)
    .where("position", "=", position)
    .where("state", "=", from)
    .returningAll()
    .executeTakeFirst()
}

/** Settles a row. What was done is in the audit log as if it had been done alone. */
async function record(
  tx: DbContext,
  { run, item }: Taken,
  { skip, at }: { skip: BulkSkip | null; at: Instant },
): Promise<void> {
  await tx.db
    .updateTable("bulk_items")
    .set({ state: skip === null ? "done" : "skipped", detail: skip, at })
    .where("run_id", "=", item.run_id)
    .where("position", "=", item.position)
    .execute()
  if (skip !== null) return
  const { operator_id: operatorId, operator, action, reason, list } = run
  await append(tx, {
    at,
    operatorId,
    operator,
    action,
    subject: `${subjects[list]} ${item.item}`,
    outcome: "done",
    reason,
    after: { bulk: run.id, ...(run.days !== null && { days: run.days }) },
  })
}

const subjects = { orders: "order", services: "service", jobs: "job" } as const

type Marker = (tx: DbContext, action: BulkAction, item: string) => Promise<string | null>

/** What the action depends on, now; null: there is no such row. */
const markNow: Readonly<Record<BulkRunRow["list"], Marker>> = {
  async orders({ db }, action, item) {
    const row = await db
      .selectFrom("orders")
      .innerJoin("invoices", "invoices.order_id", "orders.id")
      .select(["orders.status", "invoices.received"])
      .where("orders.id", "=", item)
      .executeTakeFirst()
    return row ? markOfOrder(action, row) : null
  },
  async services({ db }, _, item) {
    const row = await db
      .selectFrom("services")
      .select(["status", "paid_until as paidUntil"])
      .where("id", "=", item)
      .executeTakeFirst()
    return row ? markOfService(row) : null
  },
  async jobs({ db }, _, item) {
    const row = await db
      .selectFrom("outbox")
      .select(["state", "tries"])
      .where("id", "=", item)
      .executeTakeFirst()
    return row ? jobMark(row) : null
  },
}

type Effect = (tx: DbContext, taken: Taken & { readonly at: Instant }) => Promise<BulkSkip | null>

/** Does an action within the transaction; returns why nothing was done, or null. */
const effects: Readonly<Record<BulkRunRow["list"], Effect>> = {
  async services(tx, { run, item, at }) {
    if (run.days === null) return "not-allowed"
    const end = await giveDays(tx, item.item, { days: run.days, reason: run.reason, at })
    return end === null ? "not-allowed" : null
  },
  async jobs(tx, { item, at }) {
    return (await retryJobs(tx, [item.item], at)) === 0 ? "nothing-to-do" : null
  },
  async orders(tx, { run, item, at }) {
    const isDone =
      run.action === "resend-mail" ? await resent(tx, run, { item, at }) : await retried(tx, item.item, at)
    return isDone ? null : "nothing-to-do"
  },
}

async function retried(tx: DbContext, orderId: string, at: Instant): Promise<boolean> {
  const jobs = await jobsOf(tx, orderId)
  const ids = jobs.filter(isRetryable).map(({ id }) => id)
  return (await retryJobs(tx, ids, at)) > 0
}

/** The topics of what an order causes. */
const topics = [
  ...jobQueues.services,
  ...jobQueues.terms,
  ...jobQueues.refunds,
  ...jobQueues.mail,
  ...jobQueues["sign-in-mail"],
]

/** Jobs of an order, by the unique key of the outbox: there may be many orders and many jobs. */
async function jobsOf({ db }: DbContext, orderId: string) {
  const services = await db.selectFrom("services").select("id").where("order_id", "=", orderId).execute()
  const mails = await db.selectFrom("mails").select("id").where("order_id", "=", orderId).execute()
  const refunds = await db
    .selectFrom("gateway_refunds")
    .select("id")
    .where("order_id", "=", orderId)
    .execute()
  const subjects = [orderId, ...[...services, ...mails, ...refunds].map(({ id }) => id)]
  return db
    .selectFrom("outbox")
    .select(["id", "state", "tries"])
    .where("topic", "in", topics)
    .where("subject", "in", subjects)
    .execute()
}

/** Newest messages of an order that are looked at: some may be to the operator, who is not written to again. */
const MAILS_OF_ORDER = 20

/** The newest message to the customer, or the newest of the kind that was chosen, unless it is on its way. */
async function resent(
  tx: DbContext,
  { conditions }: BulkRunRow,
  { item, at }: { item: BulkItemRow; at: Instant },
): Promise<boolean> {
  const { message } = Conditions.parse(JSON.parse(conditions))
  const mails = await listMails(tx, { limit: MAILS_OF_ORDER, orderId: item.item })
  const mail = mails.find(({ email, name }) => email !== null && (message === undefined || name === message))
  if (!mail || mail.state === "waiting" || mail.state === "sending") return false
  return resendMail(tx, mail.id, at)
}

const Conditions = z.object({ message: z.string().optional() })

async function stop(
  { db }: DbContext,
  id: string,
  { by, at }: { by: string; at: Instant },
): Promise<boolean> {
  const stopped = await db
    .updateTable("bulk_runs")
    .set({ stopped_at: at, stopped_by: by })
    .where("id", "=", id)
    .where("stopped_at", "is", null)
    .where("finished_at", "is", null)
    .returning("id")
    .executeTakeFirst()
  return stopped !== undefined
}

async function finish({ db }: DbContext, id: string, at: Instant): Promise<void> {
  await db
    .updateTable("bulk_runs")
    .set({ finished_at: at })
    .where("id", "=", id)
    .where("finished_at", "is", null)
    .execute()
}

/** Rows that are deleted in one transaction: it is short, since SQLite runs on the thread of the pages. */
const DELETED_AT_ONCE = 500

function deleteOld(ctx: DbContext, before: Instant): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const run = await tx.db
      .selectFrom("bulk_runs")
      .select("id")
      .where("at", "<", before)
      .where((row) => row.or([row("finished_at", "is not", null), row("stopped_at", "is not", null)]))
      .orderBy("at")
      .limit(1)
      .executeTakeFirst()
    if (!run) return 0
    return (await deleteItems(tx, run.id)) || deleteRun(tx, run.id)
  })
}

async function deleteItems({ db }: DbContext, runId: string): Promise<number> {
  const first = await db
    .selectFrom("bulk_items")
    .select("position")
    .where("run_id", "=", runId)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst()
  if (!first) return 0
  const { numDeletedRows } = await db
    .deleteFrom("bulk_items")
    .where("run_id", "=", runId)
    .where("position", "<", first.position + DELETED_AT_ONCE)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function deleteRun({ db }: DbContext, id: string): Promise<number> {
  await db.deleteFrom("outbox").where("topic", "=", "bulk").where("subject", "=", id).execute()
  await db.deleteFrom("bulk_runs").where("id", "=", id).execute()
  return 1
}
