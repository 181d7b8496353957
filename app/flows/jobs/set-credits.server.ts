import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { hasEnded } from "~/domain/services/line-list"
import { isProvisioned } from "~/domain/services/service"
import { ProvisioningError } from "~/provisioning/provisioner"
import { retryJob } from "./retry-job.server"

/** Tells the panel how many credits a reseller's account was sold in all; nothing of one that has ended. */
export async function setCredits(services: LoggedServices, job: Job): Promise<void> {
  const { billing, outbox, provisioner, now, log } = services
  const account = await billing.service(job.subject)
  if (!account) return outbox.reschedule(job, { at: now(), due: null, reason: "no such service" })
  if (hasEnded(account)) return outbox.complete(job)
  try {
    // The account may be in creation, before which the panel does not know it.
    if (!isProvisioned(account)) throw new ProvisioningError("the service is not provisioned yet")
    await provisioner.setCredits(account, await billing.creditsSold(account.id))
    await outbox.complete(job)
    log.info({ serviceId: account.id }, "reseller credits updated")
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    await retryJob(services, job, { orderId: account.orderId, error })
  }
}
