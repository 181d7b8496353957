import type { Job } from "~/billing/outbox"
import type { Services } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"

const RENEW_EVERY = 10 * SECOND

/**
 * How long a job is claimed: a call to a panel may take 30 seconds (design, section 10) and goes on there when the
 * process that has made it dies, so no other instance may begin before it has ended. A job that makes several calls is
 * renewed while it is carried out.
 */
export const JOB_LEASE = 30 * SECOND + RENEW_EVERY

/** Carries out what has been claimed, and keeps it claimed for as long as that takes. */
export async function whileClaimed<T>(
  { outbox, now, log }: Pick<Services, "outbox" | "now" | "log">,
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
