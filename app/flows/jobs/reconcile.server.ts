import type { LoggedServices } from "~/context/services.server"
import { MINUTE, SECOND } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { closeAttempts } from "~/flows/payments/close-attempts.server"
import { pollAttempt } from "~/flows/payments/poll-gateway.server"
import { deleteOldRows } from "./delete-old-rows.server"

const BATCH = 100
/** If the sweeping instance dies, another takes over after this time. */
const LEASE = 1 * MINUTE
/** Time limit for each gateway in a sweep: a slow gateway must not outlast the lease. */
const ASKING = 20 * SECOND

/**
 * Reconciliation sweep: polls payments whose callback was lost, reads decisions of external billing and closes what is open for
 * these orders, expires orders past their deadline, credits unapplied payments, and deletes what is old. One instance at a time, by
 * lease. A payment is polled before its order expires, never after. Nothing is done while the clock is not reliable.
 */
export async function sweep(services: LoggedServices, holder: string): Promise<void> {
  const { billing, payments, outbox, orderSync, gateways, now, isClockReliable } = services
  if (!isClockReliable()) return
  if (!(await outbox.lease("sweep", holder, now(), LEASE))) return

  await Promise.all([...gateways.keys()].map((id) => pollGateway(services, id)))
  const reconciled = (await orderSync?.reconcileExternalOrders(now(), BATCH)) ?? []
  if (reconciled.length > 0) services.wakeJobs()
  for (const orderId of reconciled) await closeAttempts(services, orderId, null)
  for (const orderId of await billing.overdueOrders(now(), BATCH)) {
    const order = await billing.applyOrderEvent(orderId, "deadlinePassed", now())
    services.log.info({ orderId, status: order?.status }, "order expired")
  }
  const credited = await payments.creditUnappliedPayments(now(), BATCH)
  if (credited > 0) services.log.info({ invoices: credited }, "unapplied payments credited")
  await deleteOldRows(services)
}

/** Polls one gateway; gateways are polled in parallel, so that a slow one delays no other. */
async function pollGateway(services: LoggedServices, gateway: GatewayId): Promise<void> {
  const { payments, now } = services
  const until = now() + ASKING
  for (const attempt of await payments.attemptsDueForPolling(gateway, now(), BATCH)) {
    if (now() > until) return
    await pollAttempt(services, attempt, attempt.polledAt + 1)
  }
}
