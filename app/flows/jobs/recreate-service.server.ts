import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { MINUTE } from "~/domain/calendar"
import { newCredentials } from "~/domain/services/credentials"
import { ProvisioningError } from "~/provisioning/provisioner"
import { retryJob } from "./retry-job.server"

/** Time between two looks at a suspended service: however long the suspension lasts, it is no failure of the panel. */
const WHILE_SUSPENDED = MINUTE

/** What the recreation of a service needs. */
export type Recreating = Pick<
  LoggedServices,
  "billing" | "outbox" | "provisioner" | "now" | "randomInt" | "wakeJobs" | "log"
>

/**
 * Terminates a service and enqueues its creation with new credentials. A panel that did not respond may have terminated it
 * all the same, so the call is retried until it succeeds. False until then. A suspension in the meantime does not end the job,
 * since resuming a service creates no line.
 */
export async function terminateAndRecreate(services: Recreating, job: Job): Promise<boolean> {
  const { billing, outbox, provisioner, now, randomInt } = services
  const service = await billing.service(job.subject)
  if (service?.status === "Suspended") {
    const at = now()
    await outbox.reschedule(job, { at, due: at + WHILE_SUSPENDED, reason: "the service is suspended" })
    return false
  }
  // Terminated or recreated by a concurrent request.
  if (service?.status !== "Active") {
    await outbox.complete(job)
    return true
  }
  try {
    await provisioner.terminate(service)
    const isFirst = await billing.recreateService(service, newCredentials(randomInt), now())
    // Another request has recreated it during the call: the line that the panel has now was not terminated.
    if (!isFirst) await outbox.complete(job)
    services.wakeJobs()
    return true
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    await retryJob(services, job, { orderId: service.orderId, error })
    return false
  }
}
