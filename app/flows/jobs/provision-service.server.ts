import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { ProvisioningError } from "~/provisioning/provisioner"
import { retryJob, retryUnfinished } from "./retry-job.server"

/** Provisions the service of a paid order. A failure is retried with back-off and shown in the timeline. */
export async function provisionService(services: LoggedServices, job: Job): Promise<void> {
  const { billing, outbox, provisioner, now } = services
  const service = await billing.service(job.subject)
  if (!service) return outbox.reschedule(job, { at: now(), due: null, reason: "no such service" })
  // Ended by the operator while it was set up, or while a step at the panel was left.
  if (service.status === "Terminated") return outbox.complete(job)
  try {
    const { host, unfinished } = await provisioner.create(service)
    if (!(await billing.activateService(service.id, { host }, now()))) {
      // The panel may have received the end of the service before it created it.
      await provisioner.terminate(service)
      return await outbox.complete(job)
    }
    if (unfinished !== undefined)
      return retryUnfinished(services, job, { orderId: service.orderId, reason: unfinished })
    await outbox.complete(job)
    services.log.info({ serviceId: service.id, orderId: service.orderId }, "service provisioned")
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    await retryJob(services, job, { orderId: service.orderId, error })
  }
}
