import type { Job } from "~/billing/outbox"
import { MINUTE, SECOND } from "~/domain/calendar"
import { ProvisioningError } from "~/provisioning/provisioner"
import type { Services } from "~/services.server"

/** Waits between tries (reference: playlists, section 6); after the last one the job waits for the operator. */
const BACKOFF = [10 * SECOND, 1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE]

/** Makes the line of a paid order. What fails is tried again later; the buyer is told in the timeline. */
export async function setUpService(services: Services, job: Job): Promise<void> {
  const { billing, outbox, provisioner, now } = services
  const service = await billing.service(job.subject)
  if (!service) return outbox.postpone(job.id, null, "no such service")
  try {
    const access = await provisioner.create(service)
    await billing.activateService(service.id, access, now())
    await outbox.done(job.id)
    services.log.info({ serviceId: service.id, orderId: service.orderId }, "service set up")
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    const wait = BACKOFF[job.tries]
    services.log.error({ serviceId: service.id, tries: job.tries + 1, err: error }, "service not set up")
    await billing.tellDelay(service.id, now())
    await outbox.postpone(job.id, wait === undefined ? null : now() + wait, error.message)
  }
}
