import type { Attempt } from "~/billing/payments/payment-repository"
import { GatewayError } from "~/gateways/gateway"
import type { PollServices } from "./poll-gateway.server"

export type ClosingServices = Pick<PollServices, "payments" | "gateways" | "log">

/** Closes an order's open attempts at their providers, except one. Idempotent; a provider that fails is logged. */
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
