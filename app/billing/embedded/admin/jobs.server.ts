import { sql } from "kysely"
import type { Diagnostic } from "~/billing/diagnostic"
import type { JobListed, JobRange } from "~/billing/orders/order-admin"
import { jobQueues } from "~/billing/outbox"
import type { Instant } from "~/domain/calendar"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { freshJob, isFree } from "../jobs/outbox.server"

/**
 * Lists parked jobs and failed jobs that are being retried, longest waiting first. With `number` (id of a job or of an
 * order): its waiting, parked and discarded jobs, also without a failure.
 */
export async function unfinishedJobs(ctx: DbContext, number?: string): Promise<readonly JobListed[]> {
  if (number === undefined) {
    const failed = await Promise.all(failedStates.map((state) => failedIn(ctx, state).execute()))
    return failed.flat().toSorted(byLastTry)
  }
  const ids = await jobsAbout(ctx, number)
  if (ids.length === 0) return []
  return listed(ctx)
    .where("outbox.state", "in", ["waiting", "parked", "discarded"])
    .where("outbox.id", "in", ids)
    .execute()
}

/** See `OrderAdmin.failedJobs`. */
export async function failedJobs(
  ctx: DbContext,
  { state, ...range }: JobRange,
): Promise<readonly JobListed[]> {
  const { beyond, newer = false, limit } = range
  const place = sql`(outbox.put_off_at, outbox.id)`
  const last = sql`(${beyond?.at ?? 0}, ${beyond?.id ?? ""})`
  const batches = await Promise.all(
    (state === undefined ? failedStates : [state]).map((it) =>
      failedIn(ctx, it, newer ? "desc" : "asc")
        .$if(beyond !== undefined, (jobs) =>
          jobs.where(newer ? sql<boolean>`${place} < ${last}` : sql<boolean>`${place} > ${last}`),
        )
        .limit(limit)
        .execute(),
    ),
  )
  const jobs = batches.flat().toSorted(byLastTry)
  return (newer ? jobs.toReversed() : jobs).slice(0, limit)
}

const failedStates = ["parked", "waiting"] as const

/** Of each state by itself, in the order of its index. */
function failedIn(ctx: DbContext, state: (typeof failedStates)[number], way: "asc" | "desc" = "asc") {
  return (
    listed(ctx, way)
      .where("outbox.state", "=", state)
      // The literal condition of the partial index.
      .where(sql<boolean>`outbox.tries > 0`)
  )
}

function byLastTry(a: JobListed, b: JobListed): number {
  return a.triedAt - b.triedAt || (a.id < b.id ? -1 : 1)
}

function listed({ db }: DbContext, way: "asc" | "desc" = "asc") {
  return db
    .selectFrom("outbox")
    .leftJoin("services", "services.id", "outbox.subject")
    .leftJoin("mails", "mails.id", "outbox.subject")
    .leftJoin("gateway_refunds", "gateway_refunds.id", "outbox.subject")
    .select(["outbox.id", "topic", "outbox.state", "outbox.tries", "due", "outbox.reason"])
    .select("put_off_at as triedAt")
    .select((row) =>
      row
        .case()
        .when("topic", "in", topicsOfOrders)
        .then(row.ref("subject"))
        .else(row.fn.coalesce("services.order_id", "mails.order_id", "gateway_refunds.order_id"))
        .end()
        .as("orderId"),
    )
    .orderBy("outbox.put_off_at", way)
    .orderBy("outbox.id", way)
}

/** Ids of the jobs of an order, or of one job: each kind by its own index, since a join of all would read every job. */
async function jobsAbout({ db }: Pick<DbContext, "db">, number: string): Promise<readonly string[]> {
  const found = await Promise.all([
    db.selectFrom("outbox").select("id").where("id", "=", number).execute(),
    db
      .selectFrom("outbox")
      .select("id")
      .where("topic", "in", topicsOfOrders)
      .where("subject", "=", number)
      .execute(),
    db
      .selectFrom("services")
      .innerJoin("outbox", "outbox.subject", "services.id")
      .select("outbox.id")
      .where("services.order_id", "=", number)
      .where("outbox.topic", "in", topics)
      .execute(),
    db
      .selectFrom("mails")
      .innerJoin("outbox", "outbox.subject", "mails.id")
      .select("outbox.id")
      .where("mails.order_id", "=", number)
      .where("outbox.topic", "in", topics)
      .execute(),
    db
      .selectFrom("gateway_refunds")
      .innerJoin("outbox", "outbox.subject", "gateway_refunds.id")
      .select("outbox.id")
      .where("gateway_refunds.order_id", "=", number)
      .where("outbox.topic", "in", topics)
      .execute(),
  ])
  return found.flat().map(({ id }) => id)
}

const topics = Object.values(jobQueues).flat()
/** Topics whose subject is an order. */
const topicsOfOrders = [
  "connections",
  "renewal",
  "tax-number",
] as const satisfies readonly (typeof topics)[number][]

/** Makes jobs due at `at` and resets their tries. Returns their number; done and claimed jobs are skipped. */
export async function retryJobs({ db }: DbContext, ids: readonly string[], at: Instant): Promise<number> {
  if (ids.length === 0) return 0
  const { numUpdatedRows } = await db
    .updateTable("outbox")
    .set(freshJob(at))
    .where("id", "in", ids)
    .where("state", "!=", "done")
    .where((row) => row.or([row("state", "!=", "waiting"), isFree(at)(row)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Discards a parked job; `retryJobs` can still restart it, except one that asks for a device, whose request is forgotten. Returns false
 * if no parked job has this id.
 */
export async function discardJob(ctx: DbContext, id: string): Promise<boolean> {
  return inTransaction(ctx, async ({ db }) => {
    const job = await db
      .updateTable("outbox")
      .set({ state: "discarded" })
      .where("id", "=", id)
      .where("state", "=", "parked")
      .returning(["topic", "subject"])
      .executeTakeFirst()
    if (job?.topic === "device")
      await db.updateTable("services").set({ device_requested: null }).where("id", "=", job.subject).execute()
    return job !== undefined
  })
}

/** Checks for parked and failed jobs, paid orders without a pending job, and unconfirmed external orders. */
export async function diagnoseJobs(ctx: DbContext): Promise<readonly Diagnostic[]> {
  const jobs = await unfinishedJobs(ctx)
  const stranded = await ordersWithoutJob(ctx)
  const inProgress = await ordersInProgress(ctx)
  return [
    diagnostic(jobs.filter(({ state }) => state === "parked")),
    tried(jobs.filter(({ state }) => state === "waiting")),
    {
      ok: stranded.length === 0,
      check: "paid orders",
      message:
        stranded.length === 0
          ? "all provisioned or with a pending job"
          : `${stranded.length} not provisioned and without a job: ${named(stranded)}; see "orders show NUMBER"`,
    },
    ...(inProgress.length === 0
      ? []
      : [
          {
            ok: null,
            check: "orders in transfer",
            message: `${inProgress.length} not yet confirmed by external billing: ${named(inProgress)}`,
          },
        ]),
  ]
}

function diagnostic(parked: readonly JobListed[]): Diagnostic {
  const message =
    parked.length === 0
      ? "none parked"
      : `${parked.length} parked, for order ${ordersOf(parked)}; see "jobs list"`
  return { ok: parked.length === 0, check: "jobs", message }
}

function tried(waiting: readonly JobListed[]): Diagnostic {
  const message =
    waiting.length === 0
      ? "none failed"
      : `${waiting.length} failed, retried automatically, for order ${ordersOf(waiting)}`
  return { ok: null, check: "jobs being retried", message }
}

function ordersOf(jobs: readonly JobListed[]): string {
  return named(jobs.map(({ orderId }) => orderId ?? "unknown"))
}

const NAMED = 5

function named(orders: readonly string[]): string {
  const all = [...new Set(orders)]
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : ""
  return `${all.slice(0, NAMED).join(", ")}${more}`
}

/** Orders whose creation in external billing was tried but is not confirmed. */
async function ordersInProgress({ db }: DbContext): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("external_orders")
    .select("order_id")
    .where("state", "=", "wanted")
    .where("tries", ">", 0)
    .orderBy("order_id")
    .execute()
  return rows.map(({ order_id }) => order_id)
}

/** Paid orders that are not provisioned and whose job is done, discarded or missing. */
async function ordersWithoutJob({ db }: DbContext): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("status", "=", "paid")
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("outbox")
            .select("outbox.id")
            .where("outbox.state", "in", ["waiting", "parked"])
            .where((job) =>
              job.or([
                job.and([job("topic", "=", "provision"), job("subject", "=", job.ref("orders.service_id"))]),
                job.and([
                  job("topic", "in", ["connections", "renewal"]),
                  job("subject", "=", job.ref("orders.id")),
                ]),
                job.and([
                  job("topic", "=", "plan"),
                  job("subject", "=", job.ref("orders.service_id")),
                  job("orders.kind", "=", "plan-change"),
                ]),
              ]),
            ),
        ),
      ),
    )
    .orderBy("placed_at")
    .execute()
  return rows.map(({ id }) => id)
}
