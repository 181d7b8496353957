import { isRefusedByBilling } from "~/billing/billing"
import { type Attempt, type PaymentRepository, TooManyAttempts } from "~/billing/payments/payment-repository"
import type { LoggedServices, Services } from "~/context/services.server"
import { defaultLocale, type Locale, localeOfCode, pageUrl } from "~/domain/locales"
import type { Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import { orderPath } from "~/domain/orders/screen-paths"
import { outstanding } from "~/domain/orders/settlement"
import { coinNamed } from "~/domain/payments/coin"
import { gatewayCallbackUrl } from "~/domain/payments/gateway-callback-url"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { type Gateway, GatewayError } from "~/gateways/gateway"
import { loggedLimit } from "~/security/rate-limits.server"
import { countOrderStep } from "./count-order-step.server"
import { resumeToken } from "./resume-order.server"

export type PaymentStart =
  /** `url`: the provider's page, or our waiting page for an on-site payment. */
  | { readonly kind: "opened"; readonly url: string; readonly attemptId: string }
  /** Nothing is due, the order is not payable, or another amount is due meanwhile: the order's screen shows it. */
  | { readonly kind: "nothing-to-pay" }
  /** External billing has not confirmed the order yet, so it is not payable: the order's screen shows it. */
  | { readonly kind: "pending" }
  /** The order is kept; the provider was unavailable, or its response was invalid or a rejection. */
  | NotOpened
  /** Too many payments were created for the order, or by this browser. Null: the order gets no more. */
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number | null }

type NotOpened = {
  readonly kind: "not-opened"
  readonly error: "unavailable" | "unreadable"
  /** When the provider can be asked again; null: it has not said. */
  readonly retryAfterSeconds: number | null
}

/** Gateway, and the coin of an on-site payment; without a coin on the gateway's page. */
export type PaymentMethodChoice = {
  readonly gateway: GatewayId
  readonly coin: string | null
  /** Browser id, if any. */
  readonly visitor?: string | null
  /** Return URLs of another storefront; default: our own pages. */
  readonly back?: ReturnUrls
  /** The attempt that was written with the order; without one it is found or created. */
  readonly attempt?: Attempt | null
}

export type ReturnUrls = { readonly returnUrl: string; readonly cancelUrl: string }

/** Creates a payment for the amount due, or returns the open one. Idempotent per order and gateway. */
export async function openPayment(
  services: LoggedServices,
  placed: Order,
  method: PaymentMethodChoice,
): Promise<PaymentStart> {
  if (!payableStatuses.includes(placed.status)) return { kind: "nothing-to-pay" }
  const order = await completeOrder(services, placed)
  if (!order) return { kind: "pending" }
  if (!isPayableAsShown(order, placed)) return { kind: "nothing-to-pay" }
  const gateway = services.gateways.get(method.gateway)
  if (!gateway) return { kind: "not-opened", error: "unavailable", retryAfterSeconds: null }

  const attempt = await attemptFor(services, order, { method, gateway })
  if (!attempt) return { kind: "too-many", retryAfterSeconds: null }
  if (attempt.url) return openedAt(services, order, { ...attempt, url: attempt.url })
  const visitor = method.visitor ?? null
  const allowed = await loggedLimit(
    services.log,
    { limit: "payment", orderId: order.id, gateway: gateway.id },
    services.rateLimits.payment({ orderId: order.id, attemptId: attempt.id, visitor }),
  )
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  return start(services, { gateway, order, attempt, back: method.back })
}

/** Another amount than the buyer was shown is shown first, by the order's screen. */
function isPayableAsShown(order: Order, shown: Order): boolean {
  return payableStatuses.includes(order.status) && outstanding(order).minor === outstanding(shown).minor
}

type Attempting = Pick<Services, "newId" | "now"> & {
  readonly payments: Pick<PaymentRepository, "findOrCreateAttempt">
}

/** The attempt that the caller has, that for the amount due, or a new one; null if the order's limit is reached. */
export async function attemptFor(
  { payments, newId, now }: Attempting,
  order: Order,
  { method, gateway }: { method: Pick<PaymentMethodChoice, "coin" | "attempt">; gateway: Gateway },
): Promise<Attempt | null> {
  if (method.attempt) return method.attempt
  try {
    return await payments.findOrCreateAttempt({
      orderId: order.id,
      gateway: gateway.id,
      coin: gateway.onSite ? method.coin : null,
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

/** Ensures that external billing, if any, has the order; an order rejected there has been cancelled. */
async function completeOrder(
  { billing, orderSync, log }: Pick<LoggedServices, "billing" | "orderSync" | "log">,
  order: Order,
): Promise<Order | null> {
  if (!orderSync) return order
  try {
    return await orderSync.completeOrder(order)
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    log.error({ err: error, orderId: order.id }, "order refused by billing")
    return (await billing.order(order.id)) ?? order
  }
}

type Start = { gateway: Gateway; order: Order; attempt: Attempt; back: ReturnUrls | undefined }

async function start(
  services: LoggedServices,
  { gateway, order, attempt, back }: Start,
): Promise<PaymentStart> {
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
      // The token resumes the order in the browser that the buyer returns in. The return proves no payment.
      // `returned`: the provider leads there who has paid, to be asked for no second payment.
      returnUrl: `${waiting}?returned&resume=${token}`,
      cancelUrl: `${waiting}?resume=${token}`,
      ...back,
      callbackUrl: gatewayCallbackUrl(services.shop.publicUrl, gateway.id),
      expiresAt: order.deadline,
      locale,
      ...(coin && { coin }),
    })
    await services.payments.markAttemptOpened(attempt.id, payment, services.now())
    countLeft(services, order, back)
    const url = reachable(payment.url, { expected, back, waiting })
    return openedAt(services, order, { ...attempt, url })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    services.log.error({ err: error, gateway: gateway.id, orderId: order.id }, "payment not created")
    const { kind, retryAfterSeconds } = error
    return {
      kind: "not-opened",
      error: kind === "unavailable" ? "unavailable" : "unreadable",
      retryAfterSeconds,
    }
  }
}

/** Counts the first payment of an order; not one of another storefront, whose earlier steps are not seen here. */
function countLeft(
  services: Pick<Services, "stepCounter">,
  order: Order,
  back: ReturnUrls | undefined,
): void {
  if (order.status === "placed" && !back) countOrderStep(services, "left", order)
}

type Known = { expected: readonly string[]; back: ReturnUrls | undefined; waiting: string }

/**
 * The CSP of the submitting page allows only origins that were known for the gateway. For another origin the buyer is
 * redirected to our waiting page, which links there. Other storefronts get the URL itself.
 */
function reachable(url: string, { expected, back, waiting }: Known): string {
  return back || expected.includes(new URL(url).origin) ? url : waiting
}

/** With a coin the payment is made on our own page. */
function openedAt(
  services: Pick<Services, "shop">,
  order: Order,
  { id, coin, url }: Attempt & { url: string },
): PaymentStart {
  return { kind: "opened", url: coin === null ? url : waitingAt(services, order), attemptId: id }
}

function localeOf({ locale }: Order): Locale {
  return localeOfCode(locale) ?? defaultLocale
}

function waitingAt({ shop }: Pick<Services, "shop">, order: Order): string {
  return pageUrl(shop.publicUrl, localeOf(order), orderPath("waiting", order))
}
