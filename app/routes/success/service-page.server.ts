import { redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { UpsellDraft } from "~/domain/forms/upsell-form"
import { localPath } from "~/domain/locales"
import {
  accountPath,
  OLD_PLAYLIST,
  ORDER_CANCELLED,
  pathOf,
  playlistPath,
  renewPath,
} from "~/domain/orders/screen-paths"
import { buyerTimeline } from "~/domain/orders/timeline"
import { topUpAsPaid } from "~/domain/orders/top-up"
import { lineName } from "~/domain/services/line-list"
import { shownService } from "~/domain/services/service"
import { renewedByLink } from "~/flows/services/renewal-link.server"
import { type Access, showAccess } from "~/flows/services/show-access.server"
import { showUpsell } from "~/flows/services/show-upsell.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import type { ServiceHeadView } from "~/ui/success/service-head"
import { qrOf } from "~/ui/waiting/qr-code.server"
import { passwordView } from "../account/password-view.server"
import { cancelledText } from "../order/cancelled-order.server"
import { creditView } from "../order/credit-view.server"
import { isCorrecting, shownEmail } from "../order/order-email-action.server"
import { unpaidView } from "../order/unpaid-view.server"
import { noReloads, pageReloads } from "../page-reloads.server"
import { planPart } from "../plan-change/plan-view.server"
import { screenHref } from "../screen-href.server"
import { servicesListed } from "../services/service-list.server"
import { renewalPart } from "./renewal-part.server"
import { doneIn } from "./service-action.server"
import { servicePart } from "./service-view.server"

type Awaiting = Pick<NonNullable<Awaited<ReturnType<typeof showAccess>>>, "unsettled" | "timeline">
type PageRequest = { readonly url: URL; readonly headers: Headers }

/** What the page of a visitor's service shows. Redirects where there is none to show. */
export async function loadServicePage(context: RouteContext, { url, headers }: PageRequest) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  await leaveForLinkedRenewal(context, url)
  const access = await showAccess(services, session)
  if (!access) throw redirect(screenHref(context, pathOf.viewer.checkout))
  if (access.service.kind === "reseller") throw redirect(resellerHref(context, url))

  const { order, service, playlistAddress, unsettled } = access
  const { quantity } = UpsellDraft.parse(Object.fromEntries(url.searchParams))
  const [credit, offered] = await Promise.all([
    creditView(context, service, order),
    showUpsell(services, [service], {
      serviceId: service.id,
      quantity: quantity ?? null,
      locale: context.get(localeContext).code,
    }),
  ])
  const part = await renewalPart(
    context,
    {
      service,
      services: access.services,
      order,
      unpaid: access.unpaid,
      timeline: access.timeline,
      headers,
      credit,
    },
    url.searchParams,
  )
  const done = doneIn(url.searchParams)
  const cancelled = await cancelledText(context, url.searchParams)
  const confirming = url.searchParams.has("recreate") ? ("recreate" as const) : null
  const upsell = offered && { ...offered, credit }
  const { head, setup, ifNotRenewed, payments, texts } = await servicePart(context, {
    service,
    services: access.services,
    order,
    ready: access.ready,
    unsettled,
    timeline: access.timeline,
    playlistAddress,
    upsell,
    part,
    isAnswer: [done, cancelled, confirming].some((it) => it !== null),
    receipt: url.searchParams.get("receipt"),
    userAgent: headers.get("user-agent"),
  })
  const { listed, ...around } = await aroundService(context, access, head)
  return {
    ...access,
    ...around,
    unpaid: unpaidView(context, access.unpaid),
    setup,
    ifNotRenewed,
    payments,
    texts,
    service: shownService(access.service),
    order: order && {
      id: order.id,
      total: topUpAsPaid(order, access.timeline).total,
      kind: order.kind,
    },
    orderEmail: await shownEmail(services, order, url),
    timeline: buyerTimeline(access.timeline),
    services: servicesListed(context, listed, part.renewable),
    renewal: part.renewal,
    law: part.law,
    lastTerm: part.lastTerm,
    planPart: await planPart(context, service, { next: part.next, isRenewable: part.renewal !== null }),
    isRenewalDue: part.isDue,
    playlistPath: `${screenHref(context, playlistPath)}?line=${service.id}`,
    playlistQr: playlistAddress && qrOf(playlistAddress),
    links: services.shop.links,
    upsell,
    isUpsellOpen: quantity !== undefined,
    done,
    doneText:
      cancelled ??
      doneText(context, done) ??
      oldPlaylistText(context, url, access) ??
      unconfirmedText(context, access.service),
    confirming,
    password: passwordView(context, service),
    timeZone: services.shop.timeZone,
    ...reloadsOf(context, url, access),
  }
}

/** The page of a reseller's account, which says too that an order was cancelled. */
function resellerHref(context: RouteContext, { searchParams }: URL): string {
  const href = screenHref(context, pathOf.reseller.success)
  const cancelled = searchParams.get(ORDER_CANCELLED)
  return cancelled === null ? href : `${href}?${new URLSearchParams({ [ORDER_CANCELLED]: cancelled })}`
}

/** A new password is confirmed by its form. */
function doneText(context: RouteContext, done: ReturnType<typeof doneIn>): string | null {
  if (done === null || done === "password") return null
  return screenTexts(context.get(localeContext).code)(`done.${done}`)
}

/** To who has opened the address of a playlist that is not valid any more. */
function oldPlaylistText(
  context: RouteContext,
  { searchParams }: URL,
  { playlistAddress }: Access,
): string | null {
  if (!searchParams.has(OLD_PLAYLIST) || playlistAddress === null) return null
  const t = screenTexts(context.get(localeContext).code)
  // The address is folded there, since whoever sees it can watch.
  return t("oldPlaylist", { place: t("place.qr") })
}

/** As long as the panel has not confirmed a device: what is registered there is not known. */
function unconfirmedText(
  context: RouteContext,
  { deviceRequested: device }: Access["service"],
): string | null {
  if (device === null) return null
  return screenTexts(context.get(localeContext).code)("deviceUnconfirmed", { device })
}

/**
 * Heading, other services and the way back. The page of a reseller's line is that of its customer, not the reseller's own access, and
 * leads back to the list of lines.
 */
async function aroundService(context: RouteContext, access: Access, head: ServiceHeadView) {
  const { service, services: all } = access
  const accounts = all.filter(({ kind }) => kind === "reseller")
  if (accounts.length === 0 || !(await isLine(context, service)))
    return { head, listed: all, accountLink: accountLinkOf(context) }
  const t = screenTexts(context.get(localeContext).code)
  const heading = t("lines.heading", { name: lineName(service) })
  return {
    title: heading,
    head: { ...head, heading },
    // The account has the list of all lines.
    listed: [...accounts, service],
    accountLink: { text: t("lines.back"), path: `${screenHref(context, pathOf.reseller.success)}#line` },
  }
}

async function isLine(context: RouteContext, { orderId }: Access["service"]): Promise<boolean> {
  return (await context.get(servicesContext).billing.order(orderId))?.kind === "line"
}

/** Null unless the customer is signed in. */
function accountLinkOf(context: RouteContext) {
  if (context.get(sessionContext).customer === null) return null
  const locale = context.get(localeContext)
  return { text: screenTexts(locale.code)("account.heading"), path: localPath(locale, accountPath) }
}

/** A payer who has no access to the renewed service sees what was paid, unless the page is to show other services. */
async function leaveForLinkedRenewal(context: RouteContext, url: URL): Promise<void> {
  const session = context.get(sessionContext)
  if (session.serviceId !== null || url.searchParams.has("services")) return
  if (await renewedByLink(context.get(servicesContext), session))
    throw redirect(screenHref(context, renewPath))
}

function reloadsOf(context: RouteContext, url: URL, { unsettled, timeline }: Awaiting) {
  return unsettled && !isCorrecting(url) ? pageReloads(context, url, timeline.at(-1)?.at ?? 0) : noReloads
}
