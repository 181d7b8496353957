import type { Attempt } from "~/billing/payment-repository"
import type { Services } from "~/context/services.server"
import { type Instant, SECOND } from "~/domain/calendar"
import { undecided } from "~/domain/payment"
import { isTurn } from "~/domain/poll-schedule"
import { GatewayError } from "~/gateways/gateway"
import { bookNews } from "./record-payment-update.server"

/** How old the last word of a gateway may be before a waiting buyer makes us ask again. */
const FRESH = 2 * SECOND
/** The same for a buyer who has just come back from the gateway: he has probably paid this moment. */
const FRESH_ON_RETURN = SECOND / 4

/**
 * Asks the gateway what has become of an order's payment, unless it was asked a moment ago. Gives the latest attempt to
 * pay it as it stands then, null when there is none, and whether there was something to book.
 */
export async function askAboutOrder(
  services: Services,
  orderId: string,
  returned: boolean,
): Promise<{ attempt: Attempt | null; booked: boolean }> {
  const { till, now } = services
  const attempt = await till.latestAttempt(orderId)
  const fresh = returned ? FRESH_ON_RETURN : FRESH
  const booked = attempt !== null && (await askAbout(services, attempt, now() - fresh))
  return { attempt: booked ? await till.latestAttempt(orderId) : attempt, booked }
}

/** Asks every gateway at which an order may be paid: before the order is given up, or paid elsewhere. */
export async function askAboutAll(services: Services, orderId: string): Promise<void> {
  const attempts = await services.till.openAttempts(orderId)
  await Promise.all(attempts.map((attempt) => askAbout(services, attempt, services.now() - FRESH_ON_RETURN)))
}

/**
 * Asks about one attempt and books the answer. A gateway that does not answer is a line in the log: the buyer's
 * page does not depend on it, and the sweep asks again. One that cannot be asked changes nothing: its callbacks do.
 * True when there was something to book.
 */
export async function askAbout(services: Services, attempt: Attempt, askedBefore: Instant): Promise<boolean> {
  const gateway = services.gateways.get(attempt.gateway)
  const { id, paymentId, status, askedAt } = attempt
  if (!gateway || !paymentId || !undecided.includes(status)) return false
  // Most looks come too early: then nothing needs to be written to know it.
  if (!isTurn(askedAt, askedBefore, services.now())) return false
  if (!(await services.till.claimAsking(id, askedBefore, services.now()))) return false
  try {
    const news = await gateway.askPayment({ paymentId })
    if (news) await bookNews(services, gateway.id, news)
    return news !== null
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    services.log.warn(
      { gateway: gateway.id, orderId: attempt.orderId, kind: error.kind },
      "gateway gave no answer",
    )
    return false
  }
}
