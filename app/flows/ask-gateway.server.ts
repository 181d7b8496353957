import type { Attempt } from "~/billing/till"
import { SECOND } from "~/domain/calendar"
import { undecided } from "~/domain/payment"
import { GatewayError } from "~/gateways/gateway"
import type { Services } from "~/services.server"
import { bookNews } from "./book-news.server"

/** How old the last word of a gateway may be before a waiting buyer makes us ask again. */
const FRESH = 2 * SECOND
/** The same for a buyer who has just come back from the gateway: he has probably paid this moment. */
const FRESH_ON_RETURN = SECOND / 4

/** Asks the gateway what has become of an order's payment, unless it was asked a moment ago. */
export async function askAboutOrder(services: Services, orderId: string, returned: boolean): Promise<void> {
  const attempt = await services.till.latestAttempt(orderId)
  const fresh = returned ? FRESH_ON_RETURN : FRESH
  if (attempt) await askAbout(services, attempt, services.now() - fresh)
}

/** Asks every gateway at which an order may be paid: before the order is given up, or paid elsewhere. */
export async function askAboutAll(services: Services, orderId: string): Promise<void> {
  const attempts = await services.till.openAttempts(orderId)
  await Promise.all(attempts.map((attempt) => askAbout(services, attempt, services.now() - FRESH_ON_RETURN)))
}

/**
 * Asks about one attempt and books the answer. A gateway that does not answer is a line in the log: the buyer's
 * page does not depend on it, and the sweep asks again. One that cannot be asked changes nothing: its callbacks do.
 */
export async function askAbout(services: Services, attempt: Attempt, askedBefore: number): Promise<void> {
  const gateway = services.gateways.get(attempt.gateway)
  const { id, paymentId, status } = attempt
  if (!gateway || !paymentId || !undecided.includes(status)) return
  if (!(await services.till.claimAsking(id, askedBefore, services.now()))) return
  try {
    const news = await gateway.askPayment({ paymentId })
    if (news) await bookNews(services, gateway.id, news)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    services.log.warn(
      { gateway: gateway.id, orderId: attempt.orderId, kind: error.kind },
      "gateway gave no answer",
    )
  }
}
