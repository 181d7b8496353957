import { data, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { byTheMinute, type Instant } from "~/domain/calendar"
import { maskedEmail } from "~/domain/customers/email"
import { statusOf } from "~/domain/error-kind"
import { localeOfIntent } from "~/domain/forms/language-button"
import { createsService, type Order } from "~/domain/orders/order"
import { screenFor } from "~/domain/orders/order-status"
import { ORDER_OPEN, orderPath, pathOf, servicePath } from "~/domain/orders/screen-paths"
import { outstanding } from "~/domain/orders/settlement"
import { buyerTimeline, usedAccountCredit } from "~/domain/orders/timeline"
import { coinChosen } from "~/domain/payments/coin"
import { isGatewayId } from "~/domain/payments/gateway-id"
import { queryText } from "~/domain/query-text"
import { availableGateways } from "~/flows/payments/available-gateways.server"
import { changeGateway, payAgain } from "~/flows/payments/change-gateway.server"
import { getOrderProgress, type OrderProgress, type Pay } from "~/flows/payments/get-order-progress.server"
import type { PaymentStart } from "~/flows/payments/open-payment.server"
import { orderIfPaid } from "~/flows/resellers/order-if-paid.server"
import { isForAnother } from "~/flows/services/accessible-services.server"
import { formOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { buyingView } from "~/middleware/pricing/buying-view.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import type { GatewayOffer } from "~/ui/form/gateway-picker"
import type { MenuForm } from "~/ui/layout/language-menu"
import type { PayLink } from "~/ui/waiting/hosted-payment"
import type { PaymentError } from "~/ui/waiting/payment-error"
import { qrOf } from "~/ui/waiting/qr-code.server"
import type { ChosenMethod } from "~/ui/waiting/waiting-gateway"
import { isSeen, othersOf, possible, type WaitingOrder, type WaitingView } from "~/ui/waiting/waiting-panel"
import { changeLanguage } from "../change-language.server"
import { abortOrder, changeOrder, orderAnother } from "../order/change-order.server"
import { handleOrderEmailAction, isCorrecting, shownEmail } from "../order/order-email-action.server"
import { noReloads, pageReloads } from "../page-reloads.server"
import { screenHref } from "../screen-href.server"
import { newChoiceText } from "./new-choice.server"
import { orderedView } from "./ordered-view.server"
import { waitingTitle } from "./waiting-title.server"
import { waitingTexts } from "./waiting-view.server"

type Args = { context: RouteContext }

/** States of the page by query parameter; without one it waits for the payment. */
const states = ["gateway", "edit", "abort", "another", "paid"] as const

/** Loads the waiting page of viewers and resellers. */
export async function showWaiting({ url, context }: Args & { url: URL }) {
  const services = context.get(servicesContext)
  const { orderId } = context.get(sessionContext)
  const saysPaid = ["paid", "returned"].some((it) => url.searchParams.has(it))
  const progress = orderId ? await getOrderProgress(services, orderId, { saysPaid }) : null
  if (!progress) throw redirect(screenHref(context, pathOf.viewer.checkout))
  const { timeline, pay, version } = progress
  const order = await orderIfPaid(services, context.get(sessionContext), progress.order)
  const timeLeft = timeToPay(order, pay)
  leadOn(context, order)

  const state = pay ? requestedState(url.searchParams, { order, pay }) : "pay"
  const isForeign = await isForAnother(services, context.get(sessionContext), order)
  const { lines, notes, about } = await orderedView(context, order)
  const newChoice = state === "another" ? await newChoiceText(context, order) : null
  const texts = await waitingTexts(context, { order, pay, until: timeLeft.until, isForeign, newChoice })
  const gateways = await availableGateways(services, context.get(localeContext).code)
  const shownPay = pay && withQr(pay, services.shop.testMode)
  const view = viewShown(state, { order, pay: shownPay, gateways })
  const title = await waitingTitle(context, { order, pay, view, isSeen: isSeen(progress), texts })
  const buying = await buyingView(context, { ...bought(order, pay), isForeign })
  return {
    ...(title !== null && { title }),
    ...choiceShown(view, url.searchParams),
    order: { ...shown(order), lines },
    orderEmail: await orderEmail(services, order, { url, isForeign }),
    timeline: buyerTimeline(timeline),
    version,
    state,
    pay: shownPay,
    accountCredit: usedAccountCredit(timeline, order.total.currency),
    left: outstanding(order),
    gateways,
    texts,
    buying: { ...buying, notes: [...about, ...buying.notes] },
    notes: [...openOrderNote(context, url, pay), ...notes],
    accessPath: createsService(order) || isForeign ? null : servicePath(order.serviceId),
    timeLeft,
    now: byTheMinute(services.now(), timeLeft.until),
    timeZone: services.shop.timeZone,
    ...reloadsOf(context, url, { ...progress, state }),
  }
}

/** Why this page is shown to who wanted to see the plans. */
function openOrderNote(context: Args["context"], url: URL, pay: Pay | null): readonly string[] {
  if (!url.searchParams.has(ORDER_OPEN) || pay === null) return []
  const t = screenTexts(context.get(localeContext).code)
  return [t(pay.isProcessing ? "unpaid.openOrderSeen" : "unpaid.openOrder")]
}

/** Another method that was chosen before a change of the language, and the form by which a next change keeps it. */
function choiceShown(view: WaitingView, query: URLSearchParams): { form?: MenuForm; method?: ChosenMethod } {
  if (view !== "gateway") return {}
  const gateway = query.get("gateway") ?? ""
  return {
    form: { paused: null, id: "other-gateway", intent: "gateway" },
    method: { gateway: isGatewayId(gateway) ? gateway : null, coin: query.get("coin") },
  }
}

function viewShown(
  state: WaitingView,
  { order, pay, gateways }: { order: Order; pay: PayLink | null; gateways: readonly GatewayOffer[] },
): WaitingView {
  return pay ? possible(state, { pay, others: othersOf(order, gateways) }) : "pay"
}

/** A page that asks for a decision must not reload. */
function reloadsOf(
  context: Args["context"],
  url: URL,
  { pay, state, since }: Pick<OrderProgress, "pay" | "since"> & { state: WaitingView },
) {
  const isAsking = state !== "pay" && state !== "paid"
  return pay === null || isAsking || isCorrecting(url) ? noReloads : pageReloads(context, url, since)
}

/** What is bought. A coin that is sent has no statement. */
function bought({ lines, total, tax, externalTax, credits, gateway }: Order, pay: Pay | null) {
  return {
    lines,
    total,
    tax,
    externalTax,
    credits,
    gateway: pay?.coin ? null : gateway,
    isOpen: pay !== null,
  }
}

/** The e-mail of the order; who pays for somebody else may not know it. */
async function orderEmail(
  services: LoggedServices,
  order: Order,
  { url, isForeign }: { url: URL; isForeign: boolean },
) {
  const shown = await shownEmail(services, order, url)
  return shown && isForeign ? { ...shown, email: maskedEmail(shown.email) } : shown
}

/** The order's fields that the page shows; the others stay on the server. */
function shown({
  id,
  kind,
  status,
  gateway,
  lines,
  total,
  received,
  placedAt,
  deadline,
}: Order): WaitingOrder {
  return { id, kind, status, gateway, lines, total, received, placedAt, deadline }
}

/** The countdown's span: the open payment's, so that the provider's page names the same end; otherwise the order's. */
function timeToPay({ placedAt, deadline }: Order, pay: Pay | null): { from: Instant; until: Instant } {
  if (!pay || pay.ended || pay.endsAt === null || pay.endsAt >= deadline) {
    return { from: placedAt, until: deadline }
  }
  return { from: pay.openedAt, until: pay.endsAt }
}

/**
 * Adds the QR code of the payment: the coin's address or the gateway's page. Ended payments have neither link nor code.
 */
function withQr(pay: Pay, isTest: boolean) {
  return pay.ended
    ? { ...pay, url: "", qr: "", isTest }
    : { ...pay, qr: qrOf(pay.transfer?.uri ?? pay.url), isTest }
}

/**
 * Who comes back from the payment is not asked to pay again while nothing of it has been heard. Once a part has arrived, that
 * is the payment of the rest: Back from it leads to where the buyer came back from the first one.
 */
function requestedState(query: URLSearchParams, { order, pay }: { order: Order; pay: Pay }): WaitingView {
  const isUnheard = !pay.ended && (order.received.minor === 0 || pay.isAwaited)
  const unasked = query.has("returned") && isUnheard ? "paid" : "pay"
  return states.find((it) => query.has(it)) ?? unasked
}

/** Forms that cancel the order or replace it. */
const changes = new Map([
  ["edit", changeOrder],
  ["again", changeOrder],
  ["abort", abortOrder],
  ["another", orderAnother],
])

/** Redirects from an order that needs no payment any more. Of one that was cancelled by this look, the guard of this page says so. */
function leadOn(context: Args["context"], order: Order): void {
  if (screenFor("waiting", order.status) === null) return
  throw redirect(screenHref(context, orderPath(order.status === "cancelled" ? "waiting" : "success", order)))
}

/** Handles the forms of both waiting pages; an unknown form redirects to the page itself, whose path is `page`. */
export async function handleWaitingAction({ request, ...args }: Args & { request: Request }, page: string) {
  const form = await formOf(request)
  const intent = form.get("intent")
  const locale = localeOfIntent(intent)
  if (locale !== null) throw changeLanguage(args.context, locale, { path: page, query: methodQuery(form) })
  const change = typeof intent === "string" ? changes.get(intent) : undefined
  if (change) throw await change(args)
  const path = screenHref(args.context, page)
  if (intent === "email") return correctEmail(form, args, path)
  const { orderId } = args.context.get(sessionContext)
  if (intent === "gateway") return changePaymentMethod(form, args, { orderId, path })
  if ((intent !== "quote" && intent !== "retry") || !orderId) throw redirect(path, 303)
  return payOrder(args, { orderId, path, requote: intent === "quote" })
}

/** The choice of another method in the address of its page. */
function methodQuery(form: FormData): string {
  const gateway = String(form.get("gateway") ?? "")
  const coin = isGatewayId(gateway) ? coinChosen(form, gateway) : null
  return queryText(new URLSearchParams({ gateway, ...(coin !== null && { coin }) }))
}

async function correctEmail(form: FormData, { context }: Args, path: string) {
  const { status, retryAfterSeconds, lastResult } = await handleOrderEmailAction(form, { context, path })
  return data({ error: null, lastResult }, { status, headers: retryAfter(retryAfterSeconds) })
}

async function payOrder(
  { context }: Args,
  { orderId, path, requote }: { orderId: string; path: string; requote: boolean },
) {
  const { visitor } = rateLimitSubject(context)
  const opening = await payAgain(context.get(servicesContext), orderId, { visitor, requote })
  return leave(opening, { path, requestedBy: "pay" })
}

/** Redirects to the payment page; without one, back to the page with the error at the control that was used. */
function leave(
  opening: PaymentStart,
  { path, requestedBy: view }: { path: string; requestedBy: PaymentError["requestedBy"] },
) {
  if (opening.kind === "not-opened") {
    const error: PaymentError = { requestedBy: view, kind: "not-opened" }
    const headers = retryAfter(opening.retryAfterSeconds)
    return data({ error, lastResult: null }, { status: statusOf[opening.error], headers })
  }
  if (opening.kind === "too-many") {
    const { retryAfterSeconds } = opening
    const error: PaymentError = {
      requestedBy: view,
      kind: retryAfterSeconds === null ? "no-more" : "too-many",
    }
    const headers = retryAfter(retryAfterSeconds)
    return data({ error, lastResult: null }, { status: statusOf["too-many"], headers })
  }
  if (opening.kind === "pending") {
    const error: PaymentError = { requestedBy: view, kind: "not-opened" }
    return data({ error, lastResult: null }, { status: statusOf.unavailable })
  }
  throw redirect(opening.kind === "opened" ? opening.url : path, 303)
}

async function changePaymentMethod(
  form: FormData,
  { context }: Args,
  { orderId, path }: { orderId: string | null; path: string },
) {
  const gateway = form.get("gateway")
  if (typeof gateway !== "string" || !isGatewayId(gateway) || !orderId) {
    const error: PaymentError = { requestedBy: "gateway", kind: "choose" }
    return data({ error, lastResult: null }, { status: 400 })
  }
  const method = { gateway, coin: coinChosen(form, gateway), visitor: rateLimitSubject(context).visitor }
  return leave(await changeGateway(context.get(servicesContext), orderId, method), {
    path,
    requestedBy: "gateway",
  })
}
