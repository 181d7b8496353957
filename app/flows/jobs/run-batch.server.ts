import type { Job, JobQueue } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { JOB_LEASE, withRenewedLease } from "./renew-lease.server"

type Batch = { readonly queue: JobQueue; readonly atOnce: number }

/**
 * Runs a batch of due jobs of a queue at once. Returns their number, 0 if none was due. Throws the first failure that `run` does not
 * handle, once all jobs have ended.
 */
export async function runBatch(
  services: LoggedServices,
  { queue, atOnce }: Batch,
  run: (job: Job) => Promise<void>,
): Promise<number> {
  const jobs = await services.outbox.claim(services.now(), JOB_LEASE, atOnce, queue)
  if (jobs.length === 0) return 0
  // Waits for all jobs before the first failure is thrown: running jobs must stay claimed.
  const ended = await withRenewedLease(services, jobs, () => Promise.allSettled(jobs.map(run)))
  const failed = ended.find((it) => it.status === "rejected")
  if (failed) throw failed.reason
  return jobs.length
}
