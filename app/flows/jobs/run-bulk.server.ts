import { setImmediate } from "node:timers/promises"
import { BillingError } from "~/billing/billing"
import type { BulkItem, BulkRun } from "~/billing/operators/bulk-runs"
import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import type { BulkAction, BulkSkip } from "~/domain/console/bulk"
import { mayDo } from "~/domain/operators/operator"
import { type Decided, decideByOperator } from "~/flows/payments/decide-by-operator.server"
import { movePrices } from "./move-prices.server"
import { JOB_LEASE, withRenewedLease } from "./renew-lease.server"

/** Before each batch it is looked at whether the run was stopped, and whether the operator still may do it. */
const BATCH = 20

/** `signal`: the process ends: the row in work is finished, and another process goes on. */
type Pass = { readonly signal?: AbortSignal | undefined }

/** Goes on with actions on many rows and prices that are announced or taken back, one at a time. Returns the number of runs. */
export async function runBulk(services: LoggedServices, { signal }: Pass = {}): Promise<number> {
  const jobs = await services.outbox.claim(services.now(), JOB_LEASE, 1, "bulk")
  const work = { bulk: workOn, "price-move": movePrices }
  for (const job of jobs)
    await withRenewedLease(services, jobs, () =>
      work[job.topic === "price-move" ? job.topic : "bulk"](services, job, signal),
    )
  return jobs.length
}

async function workOn(services: LoggedServices, job: Job, signal: AbortSignal | undefined): Promise<void> {
  const { bulk, outbox, now, log } = services
  for (;;) {
    const batch = await batchOf(services, job.subject)
    if (batch === null) break
    for (const item of batch.items) {
      if (signal?.aborted) return
      await treat(services, batch.run, item)
      // SQLite runs on the thread of the pages: they come in between.
      await setImmediate()
    }
    services.wakeJobs()
  }
  await bulk.finish(job.subject, now())
  await outbox.complete(job)
  log.info({ bulk: job.subject }, "bulk run ended")
}

type Batch = { readonly run: BulkRun; readonly items: readonly BulkItem[] }

/** The next rows; null if none are left, or the run was stopped. */
async function batchOf({ bulk, now }: LoggedServices, id: string): Promise<Batch | null> {
  const run = await bulk.find(id)
  if (!run) return null
  if (!isAllowed(run)) {
    await bulk.stop(id, { by: "the operator may not do this any more", at: now() })
    return null
  }
  const items = await bulk.unsettled(id, BATCH)
  return items.length === 0 ? null : { run, items }
}

/** A role may be taken away while a run goes on. The admin CLI may do everything. */
function isAllowed({ operatorId, role, action }: BulkRun): boolean {
  return operatorId === null || (role !== null && mayDo(role, action))
}

/** One row that cannot be done does not keep the others waiting; a database that is away does. */
async function treat(services: LoggedServices, run: BulkRun, item: BulkItem): Promise<void> {
  const { bulk, now } = services
  if (!isDecided(run.action)) return bulk.apply(item, now())
  if (!(await bulk.start(item, now()))) return
  await bulk.settle(item, { skip: await cancelled(services, run, item), at: now() })
}

/** Actions that ask gateways, so that they are no single transaction. */
function isDecided(action: BulkAction): boolean {
  return action === "cancel-order"
}

/** Idempotent: a row that a dead worker had begun is found cancelled, and counts as done. */
function skipOf(decided: Decided): BulkSkip | null {
  if (decided.kind === "done") return null
  if (decided.kind === "no-such-order") return "gone"
  if (decided.kind === "no-answer" || decided.kind === "under-way") return decided.kind
  return decided.order.status === "cancelled" ? null : "not-allowed"
}

async function cancelled(
  services: LoggedServices,
  { reason }: BulkRun,
  { item }: BulkItem,
): Promise<BulkSkip | null> {
  try {
    return skipOf(await decideByOperator(services, item, { event: "aborted", reason, force: false }))
  } catch (error) {
    if (error instanceof BillingError && error.kind === "unavailable") throw error
    services.log.error({ err: error, orderId: item }, "order of bulk run not cancelled")
    return "failed"
  }
}
