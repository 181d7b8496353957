import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"

const RENEW_EVERY = 10 * SECOND

/**
 * Lease of a claimed job. A panel call may take 30 seconds and continues at the panel when this process dies, so no other
 * instance may start the job before. The lease is renewed while the job runs, since a job may make several calls.
 */
export const JOB_LEASE = 30 * SECOND + RENEW_EVERY

/** Runs claimed work and renews its lease until it ends. */
export async function withRenewedLease<T>(
  { outbox, now, log }: Pick<LoggedServices, "outbox" | "now" | "log">,
  jobs: readonly Job[],
  work: () => Promise<T>,
): Promise<T> {
  const renew = async () => {
    const at = now()
    await Promise.all(jobs.map((job) => outbox.renew(job, at, at + JOB_LEASE)))
  }
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, "job claims not renewed"))
  }, RENEW_EVERY)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
