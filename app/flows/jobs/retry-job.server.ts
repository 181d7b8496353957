import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { HOUR, type Instant, MINUTE, SECOND } from "~/domain/calendar"
import type { ProvisioningError } from "~/provisioning/provisioner"

/**
 * Back-off between attempts: covers a panel or gateway that is down for a night and a day, and retries within the hour once it is
 * back. After the last attempt the job is parked for the operator.
 */
const BACKOFF = [10 * SECOND, 1 * MINUTE, 5 * MINUTE, 15 * MINUTE, ...Array<number>(24).fill(HOUR)]

/** The service works, but a step at the panel is left: repeats the job with back-off, without a word to the buyer. */
export async function retryUnfinished(
  { outbox, log, now }: Pick<LoggedServices, "outbox" | "log" | "now">,
  job: Job,
  { orderId, reason }: { orderId: string; reason: string },
): Promise<void> {
  const at = now()
  log.warn({ topic: job.topic, orderId, tries: job.tries + 1, reason }, "provisioning job unfinished")
  await outbox.reschedule(job, { at, due: nextTry(job, at), reason })
}

type JobFailure = { orderId: string; error: ProvisioningError }

/** Reschedules a failed job with back-off, appends a timeline event for the buyer, and logs it. */
export async function retryJob(
  services: Pick<LoggedServices, "billing" | "outbox" | "log" | "now">,
  job: Job,
  { orderId, error }: JobFailure,
): Promise<void> {
  const { billing, outbox, log, now } = services
  log.error({ topic: job.topic, orderId, tries: job.tries + 1, err: error }, "provisioning job failed")
  await billing.recordProvisioningDelay(orderId, now())
  const at = now()
  await outbox.reschedule(job, { at, due: nextTry(job, at, error.retryAfterMs), reason: error.message })
}

/** When a failed job is due again; null after the last attempt. `least`: the least wait, in milliseconds. */
export function nextTry({ tries }: Job, at: Instant, least = 0): Instant | null {
  const wait = BACKOFF[tries]
  return wait === undefined ? null : at + Math.max(wait, least)
}
