import type { Job } from "~/billing/outbox"
import type { Services } from "~/context/services.server"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { ProvisioningError } from "~/provisioning/provisioner"

/**
 * Waits between tries (reference: playlists, section 6): a panel that is down for a night and a day is tried again by
 * itself, and within the hour once it is back. After the last one the job waits for the operator.
 */
const BACKOFF = [10 * SECOND, 1 * MINUTE, 5 * MINUTE, 15 * MINUTE, ...Array<number>(24).fill(HOUR)]

type JobFailure = { orderId: string; error: ProvisioningError }

/** What the panel has not done is tried again after a while; the buyer reads it, the operator has a line in the log. */
export async function retryJob(services: Services, job: Job, { orderId, error }: JobFailure): Promise<void> {
  const { billing, outbox, log, now } = services
  const wait = BACKOFF[job.tries]
  log.error({ topic: job.topic, orderId, tries: job.tries + 1, err: error }, "provisioning job failed")
  await billing.recordProvisioningDelay(orderId, now())
  const at = now()
  await outbox.reschedule(job, { at, due: wait === undefined ? null : at + wait, reason: error.message })
}
