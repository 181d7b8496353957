import type { Job } from "~/billing/outbox"
import type { LoggedServices, Services } from "~/context/services.server"
import type { Service } from "~/domain/services/service"
import { ProvisioningError } from "~/provisioning/provisioner"
import { notifyPanel } from "./notify-panel.server"
import { retryJob } from "./retry-job.server"

/**
 * Brings the panel to the state of a service: the jobs `extend`, `suspend`, `resume` and `terminate`. The job's topic says
 * what has changed, the service's row what the panel is told, so jobs may run late, twice or in any order.
 */
export async function updatePanel(services: LoggedServices, job: Job): Promise<void> {
  const { billing, outbox, log, now } = services
  const service = await billing.service(job.subject)
  if (!service) return outbox.reschedule(job, { at: now(), due: null, reason: "no such service" })
  try {
    const { status } = await notifyPanel(services, service, {
      send: (it) => sendState(services, { job, service: it }),
      isSame: hasSameState,
    })
    await outbox.complete(job)
    log.info({ serviceId: service.id, topic: job.topic, status }, "panel updated")
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    await retryJob(services, job, { orderId: service.orderId, error })
  }
}

async function sendState(
  { provisioner }: Pick<Services, "provisioner">,
  { job, service }: { job: Job; service: Service },
): Promise<void> {
  const isExtension = job.topic === "extend"
  switch (service.status) {
    // The call that creates the service may be on its way with the former end.
    case "Pending":
      throw new ProvisioningError("the service is not provisioned yet")
    case "Active":
      return isExtension ? provisioner.extend(service) : provisioner.resume(service)
    case "Suspended":
      return isExtension ? provisioner.extend(service) : provisioner.suspend(service)
    case "Cancelled":
    case "Terminated":
      return provisioner.terminate(service)
  }
}

function hasSameState(one: Service, other: Service): boolean {
  return one.status === other.status && one.paidUntil === other.paidUntil && one.username === other.username
}
