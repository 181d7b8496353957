import type { Job } from "~/billing/outbox"
import type { LoggedServices, Services } from "~/context/services.server"
import type { Order } from "~/domain/orders/order"
import { isProvisioned, type Service } from "~/domain/services/service"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { ProvisioningError } from "~/provisioning/provisioner"
import { notifyPanel } from "./notify-panel.server"
import { retryJob } from "./retry-job.server"

/** Sends a service's number of connections to the panel after a paid upsell. */
export async function setConnections(services: LoggedServices, job: Job): Promise<void> {
  const { billing, outbox, now } = services
  const order = await billing.order(job.subject)
  const service = order && (await billing.service(order.serviceId))
  if (!service) return outbox.reschedule(job, { at: now(), due: null, reason: "no such service" })
  await withdrawFormerRenewals(services, order)
  try {
    // Another upsell may be paid during the call.
    await notifyPanel(services, service, {
      send: (it) => sendConnections(services.provisioner, it),
      isSame: (one, other) => one.connections === other.connections,
    })
    await billing.markConnectionsProvisioned(order.id, now())
    await outbox.complete(job)
    services.log.info({ serviceId: service.id, orderId: order.id }, "connections updated")
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    await retryJob(services, job, { orderId: order.id, error })
  }
}

/**
 * Cancels unpaid renewals whose price is without the bought connections, unless a payment has been seen: the next order has the
 * price with them. External billing prices its invoices itself.
 */
async function withdrawFormerRenewals(services: LoggedServices, { id, serviceId }: Order): Promise<void> {
  const { billing, shop, now } = services
  if (shop.terms === null) return
  const paidAt = (await billing.timeline(id)).find(({ kind }) => kind === "paid")?.at ?? 0
  for (const renewal of await billing.unpaidRenewals(serviceId, now()))
    if (renewal.placedAt < paidAt) await cancelUnpaidOrder(services, renewal.id)
}

async function sendConnections(provisioner: Services["provisioner"], service: Service): Promise<void> {
  // The service may be in creation with the previous number, which a repeated create would keep.
  if (!isProvisioned(service)) throw new ProvisioningError("the service is not provisioned yet")
  await provisioner.setConnections(service)
}
