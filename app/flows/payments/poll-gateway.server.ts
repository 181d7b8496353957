import type { Attempt } from "~/billing/payment-repository"
import type { Services } from "~/context/services.server"
import { type Instant, SECOND } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { unsettledStatuses } from "~/domain/payment"
import { isPollDue } from "~/domain/poll-schedule"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import { keepUnapplied, recordPaymentUpdate, unappliedReason } from "./record-payment-update.server"

/** What it takes to ask a gateway about a payment and to book its answer. */
export type PollServices = Pick<Services, "payments" | "tolerance" | "now" | "wakeJobs" | "log"> & {
  readonly gateways: ReadonlyMap<GatewayId, Gateway>
}

/**
 * How old the last word of a gateway may be before anybody makes us ask again: whatever a page's address says, however
 * many pages are open and whoever sends a form.
 */
const FRESH = 2 * SECOND

/**
 * Asks the gateway what has become of an order's payment, unless it was asked a moment ago. Gives the latest attempt to
 * pay it as it stands then, null when there is none, and whether there was something to book.
 */
export async function pollOrderPayment(
  services: PollServices,
  orderId: string,
): Promise<{ attempt: Attempt | null; booked: boolean }> {
  const { payments, now } = services
  const attempt = await payments.latestAttempt(orderId)
  const booked = attempt !== null && (await pollAttempt(services, attempt, now() - FRESH)) === "booked"
  return { attempt: booked ? await payments.latestAttempt(orderId) : attempt, booked }
}

/**
 * Asks every gateway at which an order may be paid: before the order is given up, or paid elsewhere. `anew`: also those
 * that were asked a moment ago. Gives what came of each.
 */
export async function pollOpenAttempts(
  services: PollServices,
  orderId: string,
  { anew = false } = {},
): Promise<readonly Asked[]> {
  const attempts = await services.payments.openAttempts(orderId)
  const askedBefore = services.now() + (anew ? 1 : -FRESH)
  return Promise.all(
    attempts.map(async (attempt) => ({
      attempt,
      outcome: await pollAttempt(services, attempt, askedBefore),
    })),
  )
}

export type Asked = { readonly attempt: Attempt; readonly outcome: AskOutcome }

/** `not-asked`: it is not its turn, or there is no way to ask. `no-answer`: it was asked, and gave none. */
export type AskOutcome = "booked" | "not-asked" | "no-answer"

/**
 * Asks about one attempt and books the answer. A gateway that does not answer is a line in the log: the buyer's
 * page does not depend on it, and the sweep asks again. One that cannot be asked changes nothing: its callbacks do.
 */
export async function pollAttempt(
  services: PollServices,
  attempt: Attempt,
  askedBefore: Instant,
): Promise<AskOutcome> {
  const gateway = services.gateways.get(attempt.gateway)
  const { id, paymentId } = attempt
  if (!gateway || !paymentId || !isDue(attempt, askedBefore, services.now())) return "not-asked"
  if (!(await services.payments.claimPoll(id, askedBefore, services.now()))) return "not-asked"
  try {
    const news = await gateway.fetchPayment({ paymentId })
    if (news) await recordPaymentUpdate(services, gateway.id, news)
    return news ? "booked" : "not-asked"
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    await noteFailure(services, attempt, error)
    return "no-answer"
  }
}

/** A line in the log; what another question would not mend is kept for the operator too. */
async function noteFailure(services: PollServices, attempt: Attempt, error: GatewayError): Promise<void> {
  const { id: attemptId, gateway, orderId } = attempt
  services.log.warn({ gateway, orderId, kind: error.kind }, "gateway poll failed")
  const reason = unappliedReason(error)
  if (reason) await keepUnapplied(services, { gateway, reason, attemptId, detail: error.message })
}

/** Most looks come too early: then nothing needs to be written to know it. */
function isDue({ status, polledAt }: Attempt, askedBefore: Instant, now: Instant): boolean {
  return unsettledStatuses.includes(status) && isPollDue(polledAt, askedBefore, now)
}
