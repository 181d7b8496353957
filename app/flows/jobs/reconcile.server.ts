import type { LoggedServices } from "~/context/services.server"
import { DAY, dayIn, MINUTE, SECOND } from "~/domain/calendar"
import { EMAIL_CHANGES_KEPT } from "~/domain/email-change"
import type { GatewayId } from "~/domain/gateway-id"
import { STORED_FOR } from "~/domain/rejected-callback"
import { closeAttempts } from "~/flows/payments/close-attempts.server"
import { pollAttempt } from "~/flows/payments/poll-gateway.server"

const BATCH = 100
/** If the sweeping instance dies, another takes over after this time. */
const LEASE = 1 * MINUTE
/** Time limit for each gateway in a sweep: a slow gateway must not outlast the lease. */
const ASKING = 20 * SECOND
/** It scans all customers, so not in every sweep. */
const FORGET_EVERY = 15 * MINUTE
const FORGOTTEN_AT_ONCE = 200
/** A month can be compared with the same month of the two years before. */
const STEPS_KEPT = 800 * DAY
/** Longer than any session lasts. Who signed in when stays in the audit log. */
const OPERATOR_SESSIONS_KEPT = 30 * DAY

/** As long as somebody may ask about an action of a year ago. What was done stays in the audit log. */
const BULK_RUNS_KEPT = 400 * DAY

/**
 * Reconciliation sweep: polls payments whose callback was lost, reads decisions of external billing and closes what is open for
 * these orders, expires orders past their deadline, credits unapplied payments, and deletes rows of ended sessions, sign-in
 * requests, changes of e-mail, marks of free trials, old sums of steps, rejected callbacks, old bulk runs and inactive customers.
 * One instance at a time, by lease. A payment is polled before its order expires, never after.
 */
export async function sweep(services: LoggedServices, holder: string): Promise<void> {
  const { billing, payments, outbox, sessions, signInRequests, orderSync, gateways, now } = services
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
  await sessions.deleteEndedSessions(now())
  await signInRequests.deleteRequests(now() - DAY)
  await services.emailChanges?.deleteChanges(now() - EMAIL_CHANGES_KEPT)
  await services.trials?.deleteOldClaims(now())
  await payments.deleteRejectedCallbacks(now() - STORED_FOR)
  await services.console?.operators.deleteSessions(now() - OPERATOR_SESSIONS_KEPT)
  await services.steps.deleteStepsBefore(dayIn(services.shop.timeZone, now() - STEPS_KEPT))
  await services.bulk.deleteOld(now() - BULK_RUNS_KEPT)
  await eraseInactiveCustomers(services)
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

/** Erases customers who never bought anything after the operator's retention time. */
async function eraseInactiveCustomers({
  shop,
  billing,
  outbox,
  now,
  newId,
  log,
}: Pick<LoggedServices, "shop" | "billing" | "outbox" | "now" | "newId" | "log">): Promise<void> {
  if (shop.retention === null) return
  // A new holder each time, so that the lease also is the pause until the next run.
  if (!(await outbox.lease("retention", newId(), now(), FORGET_EVERY))) return
  const customers = await billing.eraseInactiveCustomers(now() - shop.retention, FORGOTTEN_AT_ONCE)
  if (customers > 0) log.info({ customers }, "inactive customers erased")
}
