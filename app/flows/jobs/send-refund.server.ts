import type { Job } from "~/billing/outbox"
import type { GatewayRefund } from "~/billing/payments/gateway-refunds"
import type { LoggedServices } from "~/context/services.server"
import { GatewayError, type RefundReceipt } from "~/gateways/gateway"
import { nextTry } from "./retry-job.server"
import { runBatch } from "./run-batch.server"

const AT_ONCE = 5

/** Sends refunds through their gateways. Returns the number of jobs, 0 if none was due. */
export async function sendRefunds(services: LoggedServices): Promise<number> {
  return runBatch(services, { queue: "refunds", atOnce: AT_ONCE }, (job) => sendRefund(services, job))
}

/**
 * Sends one refund. Every step can be repeated: the gateway moves the money once per key, ledger and service follow in one
 * transaction.
 */
async function sendRefund(services: LoggedServices, job: Job): Promise<void> {
  const { refunds, outbox, now, log } = services
  const refund = await refunds.find(job.subject)
  if (!refund) return outbox.reschedule(job, { at: now(), due: null, reason: "no such refund" })
  if (refund.state === "waiting") {
    const receipt = await askGateway(services, job, refund)
    if (!receipt) return
    await refunds.sent(refund.id, { claimUrl: receipt.claimUrl, at: now() })
    log.info({ orderId: refund.orderId, gateway: refund.gateway }, "refund sent")
  }
  await outbox.complete(job)
}

/** Null: the job goes on later, or has ended. */
async function askGateway(
  services: LoggedServices,
  job: Job,
  { id, gateway, paymentId, amount, address, orderId }: GatewayRefund,
): Promise<RefundReceipt | null> {
  const { gateways, refunds, outbox, now, log } = services
  const api = gateways.get(gateway)?.refunds
  if (!api) return later(services, job, "the gateway is not set up")
  try {
    const receipt = await api.refund({ key: id, paymentId, amount, address })
    return receipt.state === "done" ? receipt : await later(services, job, "on its way at the gateway")
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn({ orderId, gateway, tries: job.tries + 1, err: error }, "refund not sent")
    if (error.kind !== "refused" || error.refusesKey) return later(services, job, error.message)
    await refunds.refused(id, { detail: error.message, at: now() })
    await outbox.complete(job)
    return null
  }
}

/** Confirmations take minutes to hours. After a day the job is parked, and an operator looks at the gateway. */
async function later({ outbox, now }: LoggedServices, job: Job, reason: string): Promise<null> {
  const at = now()
  await outbox.reschedule(job, { at, due: nextTry(job, at), reason })
  return null
}
