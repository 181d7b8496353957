import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, withAuthenticatedOrder, withOrder, withResumedOrder } from "~/context/session.server"
import { EntryLink } from "~/domain/entry-link"
import { signInScreen } from "~/domain/interstitial"
import type { Order } from "~/domain/order"
import { payableStatuses } from "~/domain/order-status"
import { outstanding } from "~/domain/settlement"
import { resolveReturnToken, resumeOrder } from "~/flows/payments/resume-order.server"
import { isForAnother } from "~/flows/services/accessible-services.server"
import { isHumanNavigation } from "~/http/human-navigation.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { moneyText } from "~/ui/layout/format"
import { namedLines } from "~/ui/layout/plan-name"
import { withoutEntry } from "../entry-links/entry-choices.server"
import { entryLinkOf } from "../entry-links/entry-link.server"
import { interstitial } from "../interstitial.server"
import { buyingView } from "../pricing/buying-view.server"

type Visit = Parameters<MiddlewareFunction<Response>>[0]

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
  if (way.kind === "used") throw interstitial(signInScreen({ reason: "used-link" }), 401)
  if (way.kind === "own") context.set(sessionContext, withOrder(session, way.order))
  if (way.kind !== "other-customer") return
  const locale = context.get(localeContext)
  const { id: reference } = way.order
  const t = screenTexts(locale.code)
  const lines = namedLines(way.order.lines, locale, [], (plan) => t("plan.unused", { plan }))
  const total = moneyText(way.order.total, locale)
  const facts = await factsOf(context, way.order)
  throw interstitial({ kind: "resume", reference, total, lines, facts: facts.join("\n") }, 200)
}

/** What the review says of an order beside its lines, and whether it replaces another one of this browser. */
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
  const t = screenTexts(locale.code)
  const replaces = session.orderId === null ? [] : [t("buying.replaces")]
  return toPay.concat(until, view.notes, "", t("buying.warning"), replaces)
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
