import type { Attempt } from "~/billing/payment-repository"
import type { LoggedServices } from "~/context/services.server"
import { GatewayError } from "~/gateways/gateway"
import { isOffered } from "./available-gateways.server"
import { openPayment, type PaymentMethodChoice, type PaymentStart } from "./open-payment.server"
import { type PollServices, pollOpenAttempts } from "./poll-gateway.server"

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
  if (!isChoice) return { kind: "not-opened", error: "unavailable" }
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

export type ClosingServices = Pick<PollServices, "payments" | "gateways" | "log">

/** Closes an order's open attempts at their providers, except one. */
export async function closeAttempts(
  services: ClosingServices,
  orderId: string,
  except: string | null,
): Promise<void> {
  const open = await services.payments.openAttempts(orderId)
  for (const attempt of open) if (attempt.id !== except) await close(services, attempt)
}

/** An attempt that cannot be closed expires at its provider; payments until then count. */
async function close({ payments, gateways, log }: ClosingServices, attempt: Attempt): Promise<void> {
  const gateway = gateways.get(attempt.gateway)
  const { id, orderId, paymentId } = attempt
  if (!gateway || !paymentId) return
  try {
    if ((await gateway.closePayment({ paymentId })) === "closed") await payments.markAttemptClosed(id)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn({ gateway: gateway.id, orderId, kind: error.kind }, "payment not cancelled")
  }
}
