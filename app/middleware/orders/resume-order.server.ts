import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, withAuthenticatedOrder, withOrder, withResumedOrder } from "~/context/session.server"
import type { Locale } from "~/domain/locales"
import { EntryLink } from "~/domain/orders/entry-link"
import { type Interstitial, type Returned, signInScreen } from "~/domain/orders/interstitial"
import type { Order } from "~/domain/orders/order"
import { paidStatuses, payableStatuses } from "~/domain/orders/order-status"
import { outstanding } from "~/domain/orders/settlement"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { type ReturnTarget, resolveReturnToken, resumeOrder } from "~/flows/payments/resume-order.server"
import { isForAnother } from "~/flows/services/accessible-services.server"
import { isHumanNavigation } from "~/http/human-navigation.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { moneyText } from "~/ui/layout/format"
import { namedLines } from "~/ui/layout/plan-name"
import { withoutEntry } from "../entry-links/entry-choices.server"
import { entryLinkOf } from "../entry-links/entry-link.server"
import { interstitial } from "../interstitial.server"
import { buyingView } from "../pricing/buying-view.server"
import type { Visit } from "../visit"

/**
 * Resumes the order of a gateway's return URL in whichever browser it opens, once. The first browser that confirms by POST
 * keeps the order; any other has to sign in (specification, Payments). Without the confirmation, a person who was sent the link
 * to pay another visitor's order would get that order.
 */
export const resume: MiddlewareFunction<Response> = (visit) =>
  visit.request.method === "POST" ? confirm(visit) : follow(visit)

async function follow(visit: Visit): Promise<void> {
  const { request, context } = visit
  const token = entryLinkOf(visit)?.resume
  if (!token || !isHumanNavigation(request)) return
  const session = context.get(sessionContext)
  const way = await resolveReturnToken(context.get(servicesContext), token, session)
  if (way.kind === "own") context.set(sessionContext, withOrder(session, way.order))
  if (way.kind === "used" || way.kind === "other-customer") await showElsewhere(context, way)
}

/** The browser has not placed the order: it may be the phone that has scanned the payment's QR code. */
async function showElsewhere(
  context: Visit["context"],
  way: Extract<ReturnTarget, { kind: "used" | "other-customer" }>,
): Promise<never> {
  // Who comes back from the payment says that it has been made.
  const progress = await getOrderProgress(context.get(servicesContext), way.order.id, { saysPaid: true })
  const order = progress?.order ?? way.order
  const payment = paymentOf(order, progress?.pay?.isProcessing ?? false)
  if (way.kind === "used") throw interstitial(usedLink(context, payment), 401)
  throw interstitial(await question(context, order, payment), 200)
}

/** How far the payment of an order has come; `ended`: the order cannot be paid. */
type PaymentState = "paid" | "seen" | "open" | "ended"

function paymentOf({ status }: Order, isSeen: boolean): PaymentState {
  if (paidStatuses.includes(status)) return "paid"
  if (isSeen) return "seen"
  return payableStatuses.includes(status) ? "open" : "ended"
}

function isPaid(payment: PaymentState): boolean {
  return payment === "paid" || payment === "seen"
}

function returnedTexts(payment: PaymentState, { code }: Locale): Returned {
  const t = screenTexts(code)
  const ended = { heading: t("returned.heading"), lead: t("returned.lead") }
  return {
    paid: { heading: t("link.paid"), lead: t("returned.paid") },
    seen: { heading: t("place.held"), lead: t("returned.seen") },
    open: { ...ended, lead: `${ended.lead} ${t("returned.justPaid")}` },
    ended,
  }[payment]
}

/** Another browser has used the link: this one reads nothing of the order but that its payment has been seen. */
function usedLink(context: Visit["context"], payment: PaymentState): Interstitial {
  if (!isPaid(payment)) return signInScreen({ reason: "used-link" })
  const locale = context.get(localeContext)
  const { heading, lead } = returnedTexts(payment, locale)
  const returned = { heading, lead: `${lead} ${screenTexts(locale.code)("returned.signIn")}` }
  return signInScreen({ reason: "used-link", returned })
}

async function question(
  context: Visit["context"],
  order: Order,
  payment: PaymentState,
): Promise<Interstitial> {
  const locale = context.get(localeContext)
  const t = screenTexts(locale.code)
  const lines = namedLines(order.lines, locale, [], (plan) => t("plan.unused", { plan }))
  const facts = isPaid(payment) ? [t("returned.openHere")] : await factsOf(context, order)
  const replaces = context.get(sessionContext).orderId === null ? [] : [t("buying.replaces")]
  return {
    kind: "resume",
    isPaid: isPaid(payment),
    returned: returnedTexts(payment, locale),
    reference: order.id,
    total: moneyText(order.total, locale),
    lines,
    facts: [...facts, ...replaces].join("\n"),
  }
}

/** What the review says of an order beside its lines, and whose it must be. */
async function factsOf(context: Visit["context"], order: Order): Promise<readonly string[]> {
  const { lines, total, tax, gateway, status } = order
  const isOpen = payableStatuses.includes(status)
  const session = context.get(sessionContext)
  const isForeign = await isForAnother(context.get(servicesContext), session, order)
  const view = await buyingView(context, { lines, total, tax: tax ?? null, gateway, isOpen, isForeign })
  const locale = context.get(localeContext)
  const left = outstanding(order)
  // The whole total stands above.
  const isPart = isOpen && left.minor !== total.minor
  const toPay = isPart ? [`${view.texts.payNow}: ${moneyText(left, locale)}`] : []
  const until = view.until === null ? [] : [`${view.until.label}: ${view.until.text}`]
  return toPay.concat(until, view.notes, "", screenTexts(locale.code)("buying.warning"))
}

async function confirm({ url, context }: Visit): Promise<void> {
  const { resume: token } = EntryLink.parse(Object.fromEntries(url.searchParams))
  // The sign-in form keeps the resume token in its URL for the redirect afterwards.
  if (!token || url.searchParams.has("signin")) return
  const session = context.get(sessionContext)
  const resumed = await resumeOrder(context.get(servicesContext), token, session)
  if (resumed.kind === "used") throw interstitial(signInScreen({ reason: "used-link" }), 401)
  if (resumed.kind === "resumed") {
    const withCurrent = resumed.authenticated ? withAuthenticatedOrder : withResumedOrder
    context.set(sessionContext, withCurrent(session, resumed.order))
  }
  throw redirect(withoutEntry(url), 303)
}
