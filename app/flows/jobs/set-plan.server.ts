import type { Job } from "~/billing/outbox"
import type { LoggedServices, Services } from "~/context/services.server"
import { MINUTE } from "~/domain/calendar"
import { isProvisioned, type Service } from "~/domain/services/service"
import { ProvisioningError } from "~/provisioning/provisioner"
import { notifyPanel } from "./notify-panel.server"
import { retryJob } from "./retry-job.server"

/** Gives a service the plan that follows. One whose time has not come enqueues the job again, and `complete` leaves that alone. */
export async function startNextPlan(services: LoggedServices, job: Job): Promise<void> {
  const { outbox, now, isClockReliable } = services
  if (!isClockReliable())
    return outbox.reschedule(job, { at: now(), due: now() + MINUTE, reason: "clock moved ahead" })
  await services.billing.startNextPlan(job.subject, services.now())
  await services.outbox.complete(job)
  services.wakeJobs()
}

/**
 * Sends a service's plan to the panel. The panel is told what the service's row says, so the job may run late, twice, or after
 * another change. A failure is retried with back-off.
 */
export async function setPlan(services: LoggedServices, job: Job): Promise<void> {
  const { billing, outbox, log, now } = services
  const service = await billing.service(job.subject)
  if (!service) return outbox.reschedule(job, { at: now(), due: null, reason: "no such service" })
  try {
    await notifyPanel(services, service, {
      send: (it) => sendPlan(services.provisioner, it),
      isSame: hasSamePlan,
    })
    await billing.markPlanProvisioned(service.id, now())
    await outbox.complete(job)
    log.info({ serviceId: service.id, productId: service.productId }, "plan updated")
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    await retryJob(services, job, { orderId: service.orderId, error })
  }
}

async function sendPlan(provisioner: Services["provisioner"], service: Service): Promise<void> {
  // The call that creates the service may be on its way with the former plan.
  if (service.status === "Pending") throw new ProvisioningError("the service is not provisioned yet")
  if (isProvisioned(service)) await provisioner.setPlan(service)
}

function hasSamePlan(one: Service, other: Service): boolean {
  return one.productId === other.productId && one.cycle === other.cycle && one.paidUntil === other.paidUntil
}
