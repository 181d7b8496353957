import type { OrderRepository } from "~/billing/orders/order-repository"
import type { Attempt } from "~/billing/payments/payment-repository"
import type { LoggedServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { endedStatuses, type PaymentUpdate, unsettledStatuses } from "~/domain/payments/payment"
import { FRESH, isPollDue, lookInterval } from "~/domain/payments/poll-schedule"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import { recordPaymentUpdate, recordUnapplied, unappliedReason } from "./record-payment-update.server"

/** Services needed to poll a gateway and record the result. */
export type PollServices = Pick<
  LoggedServices,
  "payments" | "stepCounter" | "tolerance" | "now" | "wakeJobs" | "log"
> & {
  readonly billing: Pick<OrderRepository, "order">
  readonly gateways: ReadonlyMap<GatewayId, Gateway>
}

/**
 * Polls the gateway of an order's latest attempt, if that is unsettled and was not polled within `FRESH`. Returns the latest
 * attempt as it is then; null without one.
 */
export async function pollOrderPayment(services: PollServices, orderId: string): Promise<Attempt | null> {
  return pollLatest(services, orderId, (attempt) => pollIfUnsettled(services, attempt, FRESH))
}

/**
 * Polls the gateway of an order's latest attempt for an open page: if it is unsettled, as often as an update can be expected
 * (`lookInterval`). Returns the latest attempt as it is then; null without one.
 */
export async function pollOrderPaymentForPage(
  services: PollServices,
  orderId: string,
): Promise<Attempt | null> {
  return pollLatest(services, orderId, (attempt) => pollIfUnsettled(services, attempt, lookInterval(attempt)))
}

/**
 * Polls the gateway of an order's latest attempt for a buyer who says that it was paid: also one that has ended, since the payment
 * may have been late, if it was not polled within `FRESH`. Returns the latest attempt as it is then; null without one.
 */
export async function pollOrderPaymentSaidPaid(
  services: PollServices,
  orderId: string,
): Promise<Attempt | null> {
  return pollLatest(services, orderId, (attempt) => pollForChange(services, attempt, FRESH))
}

async function pollLatest(
  services: PollServices,
  orderId: string,
  poll: (attempt: Attempt) => Promise<boolean>,
): Promise<Attempt | null> {
  const attempt = await services.payments.latestAttempt(orderId)
  const isChanged = attempt !== null && (await poll(attempt))
  return isChanged ? services.payments.latestAttempt(orderId) : attempt
}

/** As `pollForChange`, if the attempt is unsettled. */
export async function pollIfUnsettled(
  services: PollServices,
  attempt: Attempt,
  interval: number,
): Promise<boolean> {
  return unsettledStatuses.includes(attempt.status) && pollForChange(services, attempt, interval)
}

/** Polls the gateway of an attempt that was last polled longer ago than `interval`. Returns whether its update says something new. */
async function pollForChange(services: PollServices, attempt: Attempt, interval: number): Promise<boolean> {
  const outcome = await pollAttempt(services, attempt, services.now() - interval)
  return outcome.kind === "recorded" && !isKnown(attempt, outcome.update)
}

/**
 * Polls all gateways with an open attempt of an order, before it is cancelled or paid at another gateway. `force`: ignore
 * `FRESH`. Returns the outcome of each.
 */
export async function pollOpenAttempts(
  services: PollServices,
  orderId: string,
  { force = false } = {},
): Promise<readonly PolledAttempt[]> {
  const attempts = await services.payments.openAttempts(orderId)
  const polledBefore = services.now() + (force ? 1 : -FRESH)
  return Promise.all(
    attempts.map(async (attempt) => ({
      attempt,
      outcome: await pollAttempt(services, attempt, polledBefore),
    })),
  )
}

export type PolledAttempt = { readonly attempt: Attempt; readonly outcome: PollOutcome }

export type PollOutcome =
  /** The update is recorded, or says only what is known already. */
  | { readonly kind: "recorded"; readonly update: PaymentUpdate }
  /** The attempt is paid or refunded, or was polled after `polledBefore`. */
  | { readonly kind: "not-due" }
  /** The gateway is not configured, or has not opened the payment. */
  | { readonly kind: "no-gateway" }
  /** The gateway reports payments by callback only. */
  | { readonly kind: "not-supported" }
  | { readonly kind: "no-answer"; readonly error: GatewayError["kind"] }

/**
 * Polls one attempt and records the update. A failure is logged, and stored for the operator if a retry cannot resolve it;
 * it is not thrown, since the buyer's page does not depend on it and the sweep polls again.
 */
export async function pollAttempt(
  services: PollServices,
  attempt: Attempt,
  polledBefore: Instant,
): Promise<PollOutcome> {
  const gateway = services.gateways.get(attempt.gateway)
  const { paymentId } = attempt
  if (!gateway || !paymentId) return { kind: "no-gateway" }
  if (!isDue(attempt, polledBefore, services.now())) return { kind: "not-due" }
  if (!(await services.payments.claimPoll(attempt, polledBefore, services.now()))) return { kind: "not-due" }
  try {
    const update = await gateway.fetchPayment({ paymentId })
    if (!update) return { kind: "not-supported" }
    await recordIfUnknown(services, attempt, update)
    return { kind: "recorded", update }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    await noteFailure(services, attempt, error)
    return { kind: "no-answer", error: error.kind }
  }
}

async function recordIfUnknown(
  services: PollServices,
  attempt: Attempt,
  update: PaymentUpdate,
): Promise<void> {
  if (isKnown(attempt, update)) return
  await recordPaymentUpdate(services, attempt.gateway, { ...update, isFetched: true })
}

/** Logs the failure; one that a retry cannot resolve is also stored for the operator. */
async function noteFailure(services: PollServices, attempt: Attempt, error: GatewayError): Promise<void> {
  const { id: attemptId, gateway, orderId, paymentId } = attempt
  services.log.warn({ gateway, orderId, kind: error.kind }, "gateway poll failed")
  const reason = unappliedReason(error)
  if (reason)
    await recordUnapplied(services, { gateway, reason, attemptId, paymentId, detail: error.message })
}

/** Most polls come too early: this is decided without a write. */
function isDue({ status, polledAt }: Attempt, polledBefore: Instant, now: Instant): boolean {
  const isPayable = unsettledStatuses.includes(status) || endedStatuses.includes(status)
  return isPayable && isPollDue(polledAt, polledBefore, now)
}

/** Whether an update says what is known: the payment is open, or has ended, and nothing has been received. */
function isKnown({ id, status, amount, received }: Attempt, update: PaymentUpdate): boolean {
  const isStill = status === update.status && (status === "pending" || endedStatuses.includes(status))
  const isUnpaid = [received, update.received, update.refunded].every(
    (it) => it === undefined || it.minor === 0,
  )
  const isSame = update.attemptId === id && update.received.currency === amount.currency
  return isStill && isUnpaid && isSame && !update.ended
}
