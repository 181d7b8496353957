import { BillingError, leastWait } from "~/billing/billing"
import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { ProvisioningError } from "~/provisioning/provisioner"
import { retryJob } from "./retry-job.server"

/** Reports a paid renewal to external billing, which extends the service. A failure is retried with back-off. */
export async function settleRenewal(services: LoggedServices, job: Job): Promise<void> {
  const { invoiceRenewals, outbox, now } = services
  const orderId = job.subject
  if (!invoiceRenewals)
    return outbox.reschedule(job, { at: now(), due: null, reason: "external billing has no invoices" })
  try {
    await invoiceRenewals.settleInvoiceRenewal(orderId, now())
    await outbox.complete(job)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    const details = { cause: error, retryAfterMs: leastWait(error) }
    const failure = new ProvisioningError(`external billing: ${error.message}`, details)
    await retryJob(services, job, { orderId, error: failure })
  }
}
