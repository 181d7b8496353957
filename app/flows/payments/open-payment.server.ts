import type { Attempt } from "~/billing/payment-repository"
import type { Services } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { coinNamed } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
import { defaultLocale, type Locale, localeOfCode } from "~/domain/locales"
import type { Order } from "~/domain/order"
import { payable } from "~/domain/order-status"
import { pathOf, wayOf } from "~/domain/screen-paths"
import { outstanding } from "~/domain/settlement"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import { resumeToken } from "./resume-order.server"

export type Opening =
  /** `url`: where the buyer goes, the provider's page or, with a coin chosen, our own waiting page. */
  | { readonly kind: "opened"; readonly url: string; readonly attemptId: string }
  /** Nothing is owed any more, or nothing can be paid: the order's own screen says what is the matter. */
  | { readonly kind: "nothing-to-pay" }
  /** The order is kept; the provider did not answer, or answered nonsense (which includes a no). */
  | { readonly kind: "not-opened"; readonly problem: "unavailable" | "unreadable" }

/** Where to pay, and in what on our own page; without a coin on the gateway's. */
export type Way = {
  readonly gateway: GatewayId
  readonly coin: string | null
  /** Where the buyer comes back to when he has ordered at somebody else's page; ours otherwise. */
  readonly back?: Back
}

export type Back = { readonly returnUrl: string; readonly cancelUrl: string }

/** Opens a payment for what is left of an order, or finds the one that is already open. */
export async function openPayment(services: Services, order: Order, way: Way): Promise<Opening> {
  if (!payable.includes(order.status)) return { kind: "nothing-to-pay" }
  const gateway = services.gateways.get(way.gateway)
  if (!gateway) return { kind: "not-opened", problem: "unavailable" }

  const attempt = await services.till.attempt({
    orderId: order.id,
    gateway: way.gateway,
    coin: gateway.direct ? way.coin : null,
    amount: outstanding(order),
    id: services.newId(),
    at: services.now(),
  })
  if (attempt.url) return openedAt(services, order, { ...attempt, url: attempt.url })
  return start(services, { gateway, order, attempt, back: way.back })
}

type Start = { gateway: Gateway; order: Order; attempt: Attempt; back: Back | undefined }

async function start(services: Services, { gateway, order, attempt, back }: Start): Promise<Opening> {
  const { publicUrl } = services.shop
  const locale = localeOf(order)
  const waiting = waitingAt(services, order)
  const coin = attempt.coin && coinNamed(attempt.coin)
  const token = resumeToken(services, attempt.id)
  const expected = gateway.origins
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
      ...back,
      callbackUrl: `${publicUrl}${BASE}/api/payments/${gateway.id}/callback`,
      expiresAt: order.deadline,
      locale,
      ...(coin && { coin }),
    })
    await services.till.attemptOpened(attempt.id, payment, services.now())
    const url = reachable(payment.url, { expected, back, waiting })
    return openedAt(services, order, { ...attempt, url })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    services.log.error({ err: error, gateway: gateway.id, orderId: order.id }, "payment not opened")
    return { kind: "not-opened", problem: error.kind === "unavailable" ? "unavailable" : "unreadable" }
  }
}

type Known = { expected: readonly string[]; back: Back | undefined; waiting: string }

/**
 * The page whose form has been sent allows only where the gateway was known to lead: ours has the way to the rest. A
 * page elsewhere looks after itself.
 */
function reachable(url: string, { expected, back, waiting }: Known): string {
  return back || expected.includes(new URL(url).origin) ? url : waiting
}

/** Whoever has chosen a coin pays on our own page. */
function openedAt(services: Services, order: Order, { id, coin, url }: Attempt & { url: string }): Opening {
  return { kind: "opened", url: coin === null ? url : waitingAt(services, order), attemptId: id }
}

function localeOf({ locale }: Order): Locale {
  return localeOfCode(locale) ?? defaultLocale
}

function waitingAt({ shop }: Services, order: Order): string {
  return `${shop.publicUrl}${BASE}${localeOf(order).prefix}${pathOf[wayOf(order.kind)].waiting}`
}
