import type { Services } from "~/context/services.server"
import { MINUTE, SECOND } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { pollAttempt } from "~/flows/payments/poll-gateway.server"

const BATCH = 100
/** Should the sweeping instance die, another takes over after this long. */
const LEASE = 1 * MINUTE
/** So long each gateway is asked in one turn: one that takes its time must not outlast the lease. */
const ASKING = 20 * SECOND
/** Every customer is looked at, so not at every turn. */
const FORGET_EVERY = 15 * MINUTE
const FORGOTTEN_AT_ONCE = 200

/**
 * Heals what nobody is waiting for: payments whose callback was lost, what was decided in books that are kept
 * elsewhere, orders whose deadline has passed, money that paid nothing, sessions that have ended twice over, names that nothing
 * needs any more. Only one instance does it at a time. A payment is asked about before its order expires, never after.
 */
export async function sweep(services: Services, holder: string): Promise<void> {
  const { billing, payments, outbox, sessions, gateways, now } = services
  if (!(await outbox.lease("sweep", holder, now(), LEASE))) return

  await Promise.all([...gateways.keys()].map((id) => askAt(services, id)))
  const takenOver = await billing.reconcileExternalOrders(now(), BATCH)
  if (takenOver > 0) services.wakeJobs()
  for (const orderId of await billing.overdueOrders(now(), BATCH)) {
    const order = await billing.applyOrderEvent(orderId, "deadlinePassed", now())
    services.log.info({ orderId, status: order?.status }, "order expired")
  }
  const credited = await payments.creditUnappliedPayments(now(), BATCH)
  if (credited > 0) services.log.info({ invoices: credited }, "unapplied payments credited")
  await sessions.forgetEnded(now())
  await eraseInactiveCustomers(services)
}

/** Whoever waits for one gateway's answers keeps no payment at another from being found. */
async function askAt(services: Services, gateway: GatewayId): Promise<void> {
  const { payments, now } = services
  const until = now() + ASKING
  for (const attempt of await payments.attemptsDueForPolling(gateway, now(), BATCH)) {
    if (now() > until) return
    await pollAttempt(services, attempt, attempt.polledAt + 1)
  }
}

/** E-mails of who never bought anything are not kept for ever, where the operator says so. */
async function eraseInactiveCustomers({ shop, billing, outbox, now, newId, log }: Services): Promise<void> {
  if (shop.retention === null) return
  // Under a new name each time, so that the lease is the pause until the next turn.
  if (!(await outbox.lease("retention", newId(), now(), FORGET_EVERY))) return
  const customers = await billing.eraseInactiveCustomers(now() - shop.retention, FORGOTTEN_AT_ONCE)
  if (customers > 0) log.info({ customers }, "inactive customers erased")
}
