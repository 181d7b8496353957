import type { Job } from "~/billing/outbox"
import type { Services } from "~/context/services.server"
import { newCredentials } from "~/domain/credentials"
import { ProvisioningError } from "~/provisioning/provisioner"
import { retryJob } from "./retry-job.server"

/**
 * Ends a line, and has it made anew under fresh credentials. A panel that did not answer may have ended it all the same,
 * and nobody would have it then: so it is told again later, until it says yes. False while it has not.
 */
export async function terminateAndRecreate(services: Services, job: Job): Promise<boolean> {
  const { billing, outbox, provisioner, now, randomInt } = services
  const service = await billing.service(job.subject)
  // Ended or made anew meanwhile by somebody else.
  if (service?.status !== "Active") {
    await outbox.complete(job)
    return true
  }
  try {
    await provisioner.terminate(service)
    await billing.recreateService(service.id, newCredentials(randomInt), now())
    services.wakeJobs()
    return true
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    await retryJob(services, job, { orderId: service.orderId, error })
    return false
  }
}
