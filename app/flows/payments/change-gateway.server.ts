import type { LoggedServices } from "~/context/services.server"
import { isOffered } from "./available-gateways.server"
import { closeAttempts } from "./close-attempts.server"
import { openPayment, type PaymentMethodChoice, type PaymentStart } from "./open-payment.server"
import { pollOpenAttempts } from "./poll-gateway.server"

/**
 * Creates a payment at another gateway, then closes earlier attempts where their providers support it. A payment that
 * still arrives there counts. Nothing changes if the new payment cannot be created.
 */
export async function changeGateway(
  services: LoggedServices,
  orderId: string,
  method: PaymentMethodChoice,
): Promise<PaymentStart> {
  await pollOpenAttempts(services, orderId)
  const order = await services.billing.order(orderId)
  if (!order) return { kind: "nothing-to-pay" }
  const isChoice = method.gateway === order.gateway || (await isOffered(services, method.gateway))
  if (!isChoice) return { kind: "not-opened", error: "unavailable", retryAfterSeconds: null }
  const opening = await openPayment(services, order, method)
  if (opening.kind !== "opened") return opening
  await services.payments.changeGateway(orderId, method.gateway, services.now())
  await closeAttempts(services, orderId, opening.attemptId)
  return opening
}

/**
 * Creates another payment for the amount due at the same gateway, if the previous one failed, expired, accepts no top-up,
 * or has an expired quote. The previous one is closed where possible, unless it has received money; what still arrives
 * there counts. Returns the open attempt if that accepts the amount due.
 */
export async function payAgain(
  services: LoggedServices,
  orderId: string,
  { visitor, requote }: { visitor: string | null; requote: boolean },
): Promise<PaymentStart> {
  await pollOpenAttempts(services, orderId)
  const [order, attempt] = await Promise.all([
    services.billing.order(orderId),
    services.payments.latestAttempt(orderId),
  ])
  if (!order || !attempt) return { kind: "nothing-to-pay" }
  if (requote) await closeAttempts(services, orderId, null)
  const opening = await openPayment(services, order, {
    gateway: attempt.gateway,
    coin: attempt.coin,
    visitor,
  })
  if (opening.kind === "opened") await closeAttempts(services, orderId, opening.attemptId)
  return opening
}
