import type { Attempt } from "~/billing/payment-repository"
import type { LoggedServices } from "~/context/services.server"
import { type Instant, SECOND } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { type PaymentUpdate, unsettledStatuses } from "~/domain/payment"
import { isPollDue } from "~/domain/poll-schedule"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import { recordPaymentUpdate, recordUnapplied, unappliedReason } from "./record-payment-update.server"

/** Services needed to poll a gateway and record the result. */
export type PollServices = Pick<LoggedServices, "payments" | "tolerance" | "now" | "wakeJobs" | "log"> & {
  readonly gateways: ReadonlyMap<GatewayId, Gateway>
}

/**
 * Minimum interval between polls of an attempt, whatever the number of open pages and submitted forms.
 */
const FRESH = 2 * SECOND

/**
 * Polls the gateway of an order's payment unless it was polled within `FRESH`. Returns the latest attempt as it is then
 * (null without one), and whether an update was recorded.
 */
export async function pollOrderPayment(
  services: PollServices,
  orderId: string,
): Promise<{ attempt: Attempt | null; booked: boolean }> {
  const { payments, now } = services
  const attempt = await payments.latestAttempt(orderId)
  const outcome = attempt && (await pollAttempt(services, attempt, now() - FRESH))
  const booked = outcome?.kind === "recorded"
  return { attempt: booked ? await payments.latestAttempt(orderId) : attempt, booked }
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
  | { readonly kind: "recorded"; readonly update: PaymentUpdate }
  /** The attempt is settled, or was polled after `polledBefore`. */
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
  const { id, paymentId } = attempt
  if (!gateway || !paymentId) return { kind: "no-gateway" }
  if (!isDue(attempt, polledBefore, services.now())) return { kind: "not-due" }
  if (!(await services.payments.claimPoll(id, polledBefore, services.now()))) return { kind: "not-due" }
  try {
    const update = await gateway.fetchPayment({ paymentId })
    if (!update) return { kind: "not-supported" }
    await recordPaymentUpdate(services, gateway.id, update)
    return { kind: "recorded", update }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    await noteFailure(services, attempt, error)
    return { kind: "no-answer", error: error.kind }
  }
}

/** Logs the failure; one that a retry cannot resolve is also stored for the operator. */
async function noteFailure(services: PollServices, attempt: Attempt, error: GatewayError): Promise<void> {
  const { id: attemptId, gateway, orderId } = attempt
  services.log.warn({ gateway, orderId, kind: error.kind }, "gateway poll failed")
  const reason = unappliedReason(error)
  if (reason) await recordUnapplied(services, { gateway, reason, attemptId, detail: error.message })
}

/** Most polls come too early: this is decided without a write. */
function isDue({ status, polledAt }: Attempt, polledBefore: Instant, now: Instant): boolean {
  return unsettledStatuses.includes(status) && isPollDue(polledAt, polledBefore, now)
}
