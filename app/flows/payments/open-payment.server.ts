import { BillingError } from "~/billing/billing"
import { type Attempt, TooManyAttempts } from "~/billing/payment-repository"
import type { Services } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { coinNamed } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
import { defaultLocale, type Locale, localeOfCode } from "~/domain/locales"
import type { Order } from "~/domain/order"
import { payableStatuses } from "~/domain/order-status"
import { journeyOf, pathOf } from "~/domain/screen-paths"
import { outstanding } from "~/domain/settlement"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import { resumeToken } from "./resume-order.server"

export type PaymentStart =
  /** `url`: where the buyer goes, the provider's page or, with a coin chosen, our own waiting page. */
  | { readonly kind: "opened"; readonly url: string; readonly attemptId: string }
  /** Nothing is owed any more, or nothing can be paid: the order's own screen says what is the matter. */
  | { readonly kind: "nothing-to-pay" }
  /** Whether external billing has the order is not known yet, so nothing can be paid for it: its own screen says so. */
  | { readonly kind: "pending" }
  /** The order is kept; the provider did not answer, or answered nonsense (which includes a no). */
  | { readonly kind: "not-opened"; readonly problem: "unavailable" | "unreadable" }
  /** Too many payments have been opened for the order, or by this browser. Null: no more are opened for this order. */
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number | null }

/** Where to pay, and in what on our own page; without a coin on the gateway's. */
export type PaymentMethodChoice = {
  readonly gateway: GatewayId
  readonly coin: string | null
  /** The name of the browser that wants to pay, where it has one. */
  readonly visitor?: string | null
  /** Where the buyer comes back to when he has ordered at somebody else's page; ours otherwise. */
  readonly back?: ReturnUrls
}

export type ReturnUrls = { readonly returnUrl: string; readonly cancelUrl: string }

/** Opens a payment for what is left of an order, or finds the one that is already open. */
export async function openPayment(
  services: Services,
  placed: Order,
  way: PaymentMethodChoice,
): Promise<PaymentStart> {
  if (!payableStatuses.includes(placed.status)) return { kind: "nothing-to-pay" }
  const order = await completeOrder(services, placed)
  if (!order) return { kind: "pending" }
  if (!payableStatuses.includes(order.status)) return { kind: "nothing-to-pay" }
  const gateway = services.gateways.get(way.gateway)
  if (!gateway) return { kind: "not-opened", problem: "unavailable" }

  const attempt = await attemptFor(services, order, { way, gateway })
  if (!attempt) return { kind: "too-many", retryAfterSeconds: null }
  if (attempt.url) return openedAt(services, order, { ...attempt, url: attempt.url })
  const allowed = await services.rateLimits.payment({ orderId: order.id, visitor: way.visitor ?? null })
  if (!allowed.ok) {
    services.log.warn(
      { limit: "payment update recorded", orderId: order.id, gateway: gateway.id },
      "rate limit exceeded",
    )
    return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  }
  return start(services, { gateway, order, attempt, back: way.back })
}

/** The attempt that takes what is due, or a new one; null when the order has had as many as it may have. */
async function attemptFor(
  { payments, newId, now }: Services,
  order: Order,
  { way, gateway }: { way: PaymentMethodChoice; gateway: Gateway },
): Promise<Attempt | null> {
  try {
    return await payments.findOrCreateAttempt({
      orderId: order.id,
      gateway: gateway.id,
      coin: gateway.onSite ? way.coin : null,
      amount: outstanding(order),
      takesTopUps: gateway.takesTopUps,
      id: newId(),
      at: now(),
    })
  } catch (error) {
    if (error instanceof TooManyAttempts) return null
    throw error
  }
}

/** The order as external billing has it, where there is any; one that is refused there has been cancelled here. */
async function completeOrder({ billing }: Services, order: Order): Promise<Order | null> {
  try {
    return await billing.completeOrder(order)
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    return (await billing.order(order.id)) ?? order
  }
}

type Start = { gateway: Gateway; order: Order; attempt: Attempt; back: ReturnUrls | undefined }

async function start(services: Services, { gateway, order, attempt, back }: Start): Promise<PaymentStart> {
  const { publicUrl } = services.shop
  const locale = localeOf(order)
  const waiting = waitingAt(services, order)
  const coin = attempt.coin && coinNamed(attempt.coin)
  const token = resumeToken(services, attempt.id)
  const expected = gateway.origins
  try {
    const payment = await gateway.startPayment({
      attemptId: attempt.id,
      startedAt: attempt.openedAt,
      orderId: order.id,
      amount: attempt.amount,
      // The token leads to the order in whichever browser the buyer comes back. That proves nothing of a payment.
      returnUrl: `${waiting}?resume=${token}`,
      cancelUrl: `${waiting}?resume=${token}`,
      ...back,
      callbackUrl: `${publicUrl}${BASE}/api/payments/${gateway.id}/callback`,
      expiresAt: order.deadline,
      locale,
      ...(coin && { coin }),
    })
    await services.payments.markAttemptOpened(attempt.id, payment, services.now())
    const url = reachable(payment.url, { expected, back, waiting })
    return openedAt(services, order, { ...attempt, url })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    services.log.error({ err: error, gateway: gateway.id, orderId: order.id }, "payment not created")
    return { kind: "not-opened", problem: error.kind === "unavailable" ? "unavailable" : "unreadable" }
  }
}

type Known = { expected: readonly string[]; back: ReturnUrls | undefined; waiting: string }

/**
 * The page whose form has been sent allows only where the gateway was known to lead: ours has the way to the rest. A
 * page elsewhere looks after itself.
 */
function reachable(url: string, { expected, back, waiting }: Known): string {
  return back || expected.includes(new URL(url).origin) ? url : waiting
}

/** Whoever has chosen a coin pays on our own page. */
function openedAt(
  services: Services,
  order: Order,
  { id, coin, url }: Attempt & { url: string },
): PaymentStart {
  return { kind: "opened", url: coin === null ? url : waitingAt(services, order), attemptId: id }
}

function localeOf({ locale }: Order): Locale {
  return localeOfCode(locale) ?? defaultLocale
}

function waitingAt({ shop }: Services, order: Order): string {
  return `${shop.publicUrl}${BASE}${localeOf(order).prefix}${pathOf[journeyOf(order.kind)].waiting}`
}
