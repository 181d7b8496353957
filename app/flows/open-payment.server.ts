import type { Attempt } from "~/billing/till"
import { BASE } from "~/domain/base-path"
import type { GatewayId } from "~/domain/gateway-id"
import { defaultLocale, localeOfCode } from "~/domain/locales"
import type { Order } from "~/domain/order"
import { payable } from "~/domain/order-status"
import { pathOf, wayOf } from "~/domain/screen-paths"
import { outstanding } from "~/domain/settlement"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import type { Services } from "~/services.server"
import { resumeToken } from "./resume-order.server"

export type Opening =
  | { readonly kind: "opened"; readonly url: string }
  /** Nothing is owed any more, or nothing can be paid: the order's own screen says what is the matter. */
  | { readonly kind: "nothing-to-pay" }
  /** The order is kept; the provider did not answer, or answered nonsense (which includes a no). */
  | { readonly kind: "not-opened"; readonly problem: "unavailable" | "unreadable" }

/** Opens a payment for what is left of an order, or finds the one that is already open. */
export async function openPayment(services: Services, order: Order, gatewayId: GatewayId): Promise<Opening> {
  if (!payable.includes(order.status)) return { kind: "nothing-to-pay" }
  const gateway = services.gateways.get(gatewayId)
  if (!gateway) return { kind: "not-opened", problem: "unavailable" }

  const attempt = await services.till.attempt({
    orderId: order.id,
    gateway: gatewayId,
    amount: outstanding(order),
    id: services.newId(),
    at: services.now(),
  })
  if (attempt.url) return { kind: "opened", url: attempt.url }
  return start(services, { gateway, order, attempt })
}

type Start = { gateway: Gateway; order: Order; attempt: Attempt }

async function start(services: Services, { gateway, order, attempt }: Start): Promise<Opening> {
  const { publicUrl } = services.shop
  const locale = localeOfCode(order.locale) ?? defaultLocale
  const waiting = `${publicUrl}${BASE}${locale.prefix}${pathOf[wayOf(order.kind)].waiting}`
  const token = resumeToken(services, attempt.id)
  try {
    const payment = await gateway.startPayment({
      attemptId: attempt.id,
      begunAt: attempt.openedAt,
      orderId: order.id,
      amount: attempt.amount,
      // The token leads to the order in whichever browser the buyer comes back; `returned` makes us ask at once.
      // Neither proves that anything has been paid.
      returnUrl: `${waiting}?returned&resume=${token}`,
      cancelUrl: `${waiting}?resume=${token}`,
      callbackUrl: `${publicUrl}${BASE}/api/payments/${gateway.id}/callback`,
      expiresAt: order.deadline,
      locale,
    })
    await services.till.attemptOpened(attempt.id, payment, services.now())
    return { kind: "opened", url: payment.url }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    services.log.error({ err: error, gateway: gateway.id, orderId: order.id }, "payment not opened")
    return { kind: "not-opened", problem: error.kind === "unavailable" ? "unavailable" : "unreadable" }
  }
}
