import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { isFirstLook, sessionContext, updateSession, withFirstLook } from "~/context/session.server"
import { DAY, dayIn, type Instant } from "~/domain/calendar"
import { isErased, normalizeEmail } from "~/domain/customers/email"
import type { LocaleCode } from "~/domain/locales"
import type { Order } from "~/domain/orders/order"
import { isDelayed, isRefunded, type TimelineEvent, withdrawnAt } from "~/domain/orders/timeline"
import { isStopped, type Service } from "~/domain/services/service"
import { setupIn } from "~/domain/shop/setup-steps"
import { deviceOf, playersFor } from "~/domain/shop/shop-links"
import type { ScreenTexts } from "~/i18n/load-screen-texts.server"
import { moneyText } from "~/ui/layout/format"
import { relativeDayText } from "~/ui/layout/relative-day.server"
import type { PaymentsView } from "~/ui/success/payments-card"
import type { ServiceHeadView } from "~/ui/success/service-head"
import type { SetupView } from "~/ui/success/setup-card"
import type { UpsellOffer } from "~/ui/upsell/upsell-panel"
import { type Writing, writingOf } from "../page-writing.server"
import { paymentsOfService } from "../services/payments-view.server"
import { isExternal, untilOf } from "../services/service-list.server"
import type { RenewalPart } from "./renewal-part.server"

type Shown = {
  readonly service: Service
  /** All that the visitor has access to. */
  readonly services: readonly Service[]
  /** The order just paid. */
  readonly order: Order | null
  readonly ready: boolean
  readonly unsettled: boolean
  /** Of that order; without one, of the order that created the service. */
  readonly timeline: readonly TimelineEvent[]
  readonly playlistAddress: string | null
  readonly upsell: UpsellOffer | null
  readonly part: RenewalPart
  /** The page answers a form: it has been looked at before. */
  readonly isAnswer: boolean
  readonly userAgent: string | null
  /** The order whose receipt the URL asks for. */
  readonly receipt: string | null
}

/** Texts of the service page that its loader gets ready. */
export type ServiceTexts = Readonly<
  Record<"details" | "qr" | "qrNote" | "register" | "email" | "renewalGone", string> & {
    addConnection: string | null
    changing: string | null
    settingUp: string | null
  }
>

/** What the service page says of its service, as texts in its language. */
export type ServicePart = {
  readonly head: ServiceHeadView
  readonly setup: SetupView
  /** What happens on which day to a service that is not renewed; null unless its end is near. */
  readonly ifNotRenewed: IfNotRenewed | null
  readonly payments: PaymentsView | null
  readonly texts: ServiceTexts
}

export type IfNotRenewed = {
  readonly heading: string
  readonly days: readonly { readonly day: string; readonly text: string }[]
}

/** What happens when to a service that nobody renews. */
type ServiceEnd = Readonly<Record<"paidUntil" | "suspension" | "termination", Instant>> & {
  /** Since when a payment in flight holds the suspension; null: none does. */
  readonly heldSince: Instant | null
}

/** Texts and formats of the page. */
type ServiceWriting = Writing & { readonly fromNow: (at: Instant) => string }

/** Loads what the service page says of its service. The first look at one just bought is recorded in the session. */
export async function servicePart(context: RouteContext, shown: Shown): Promise<ServicePart> {
  const services = context.get(servicesContext)
  const locale = context.get(localeContext)
  const writing = serviceWriting(context)
  const { t } = writing
  const unit = shown.upsell?.services[0]?.unit
  const end = shown.part.isDue ? ((await services.dunning?.endOf(shown.service.id)) ?? null) : null
  return {
    head: await headOf(services, shown, { writing, end, isFirst: takeFirstLook(context, shown) }),
    setup: setupOf(services, shown, { t, locale: locale.code }),
    ifNotRenewed:
      end && end.heldSince === null && shown.service.status === "Active" ? ifNotRenewed(end, writing) : null,
    payments: await paymentsOfService(context, { ...shown, read: readIn(shown) }),
    texts: {
      details: t("place.details"),
      qr: t("place.qr"),
      qrNote: t("place.qrNote"),
      register: t("place.register"),
      email: t("place.email"),
      renewalGone: t(services.invoiceRenewals ? "invoice.gone" : "renewal.gone"),
      changing: changingText(services, shown, t),
      settingUp: settingUpText(shown, t),
      addConnection: unit ? t("place.addConnection", { price: moneyText(unit, locale) }) : null,
    },
  }
}

/** Of the order just paid, or of the one that created the service. */
function readIn({ order, service, timeline }: Shown) {
  return { orderId: order?.id ?? service.orderId, timeline }
}

/** What a payment that is not carried out yet leads to; null: connections, which the page says itself. */
function changingText(
  { invoiceRenewals }: Pick<LoggedServices, "invoiceRenewals">,
  { order }: Shown,
  t: ScreenTexts,
): string | null {
  if (order?.kind === "plan-change") return t("plan.changing")
  return order?.kind === "renewal" && invoiceRenewals ? t("invoice.renewing") : null
}

/** Of an order that cost nothing, whose payment the page must not thank for; null: any other. */
function settingUpText({ order, timeline }: Shown, t: ScreenTexts): string | null {
  const isRecreated = timeline.some(({ kind }) => kind === "recreated")
  if (order?.total.minor !== 0 || isRecreated) return null
  return t(isDelayed(timeline) ? "place.settingUpDelayed" : "place.settingUp")
}

function serviceWriting(context: RouteContext): ServiceWriting {
  const { now, shop } = context.get(servicesContext)
  const locale = context.get(localeContext)
  const fromNow = (at: Instant) => relativeDayText(daysUntil(at, now(), shop.timeZone), locale)
  return { ...writingOf(context), fromNow }
}

/** Calendar days in the shop's time zone. */
function daysUntil(at: Instant, now: Instant, timeZone: string): number {
  return Math.round((Date.parse(dayIn(timeZone, at)) - Date.parse(dayIn(timeZone, now))) / DAY)
}

/** Whether this is the first look at what an order has bought, which is recorded. Nobody is congratulated on a refund or a withdrawal. */
function takeFirstLook(
  context: RouteContext,
  { order, ready, unsettled, isAnswer, timeline }: Shown,
): boolean {
  if (!order || !ready || unsettled || isAnswer || isGivenBack(timeline)) return false
  const session = context.get(sessionContext)
  const now = context.get(servicesContext).now()
  if (!isFirstLook(session, order.id, now)) return false
  updateSession(context, withFirstLook(session, order.id, now))
  return true
}

function isGivenBack(timeline: readonly TimelineEvent[]): boolean {
  return isRefunded(timeline) || withdrawnAt(timeline) !== null
}

type Look = { readonly writing: ServiceWriting; readonly end: ServiceEnd | null; readonly isFirst: boolean }

async function headOf(services: LoggedServices, shown: Shown, look: Look): Promise<ServiceHeadView> {
  const { service, ready, part } = shown
  const { writing, isFirst, end } = look
  const headline = isStopped(service) || isFirst ? part.headline : null
  const usual = isStopped(service) || (ready && !isFirst) ? writing.t("place.heading") : null
  return {
    isFirst,
    heading: headline?.heading ?? usual,
    pill: pillOf(service, { writing, isDue: part.isDue, end, now: services.now() }),
    until: headline?.namesEnd ? null : untilOf(service, services.now(), writing),
    notes: [...(headline?.notes ?? []), ...keptUntil(shown, look)],
    renews: await renewsOf(services, shown, writing),
  }
}

/** How long the login details of a paused service wait for a payment. */
function keptUntil({ service, part }: Shown, { end, writing: { t, day } }: Look): readonly string[] {
  if (service.status !== "Suspended" || !part.renewal || !end) return []
  return [t("place.keptUntil", { date: day(end.termination) })]
}

type Pill = ServiceHeadView["pill"]
type ServiceState = Omit<Look, "isFirst"> & { readonly isDue: boolean; readonly now: Instant }

function pillOf(service: Service, { writing, isDue, end, now }: ServiceState): Pill {
  const { t } = writing
  if (service.status === "Pending") return { tone: "plain", text: t("place.preparing") }
  if (service.status === "Suspended") return { tone: "near", text: t("place.paused") }
  if (service.status !== "Active") return { tone: "plain", text: t("place.ended") }
  const { paidUntil } = service
  if (!isDue || paidUntil === null) return { tone: "good", text: t("place.active") }
  if (isExternal(service))
    return paidUntil > now
      ? { tone: "good", text: t("place.active") }
      : { tone: "near", text: t("place.overdue") }
  return { tone: "near", text: nearEnd(paidUntil, { writing, end, now }) }
}

/** Ahead of the end its day counts, after it the day on which the service is suspended, unless a payment holds that. */
function nearEnd(
  paidUntil: Instant,
  { writing: { t, fromNow }, end, now }: Omit<ServiceState, "isDue">,
): string {
  if (end && end.heldSince !== null) return t("place.held")
  if (paidUntil > now || end === null) return t("place.ends", { when: fromNow(paidUntil) })
  return t("place.pauses", { when: fromNow(end.suspension) })
}

/** Whether it renews, where nothing else says it, and that a message comes before its end, if one does. */
async function renewsOf(
  services: LoggedServices,
  { service, part }: Shown,
  { t }: Writing,
): Promise<string | null> {
  const { renewal } = part
  if (
    !renewal ||
    isExternal(service) ||
    service.balanceRenewal ||
    service.declinedAt !== null ||
    service.status !== "Active"
  )
    return null
  const isReminded = !part.isDue && (await remindsOf(services, service))
  return isReminded ? `${t("place.notByItself")} ${t("place.reminder")}` : t("place.notByItself")
}

/** Whether its customer is reminded by mail before its end: not a reseller's customer, and not after unsubscribing or an erasure. */
async function remindsOf(
  { billing, mailer, mails, shop }: LoggedServices,
  service: Service,
): Promise<boolean> {
  if (mailer === null || !shop.terms?.reminders.length) return false
  const order = await billing.order(service.orderId)
  if (order?.kind !== "plan" || isErased(order.email)) return false
  return (await mails.suppressionsOf(normalizeEmail(order.email))).length === 0
}

function ifNotRenewed({ paidUntil, suspension, termination }: ServiceEnd, { t, day }: Writing): IfNotRenewed {
  const days = [
    { day: day(paidUntil), text: t("place.ifNotEnd") },
    { day: day(suspension), text: t("place.ifNotPaused") },
    { day: day(termination), text: t("place.ifNotOver") },
  ]
  // Without a grace period it pauses on the day of its end.
  return { heading: t("place.ifNot"), days: days.filter((it, index) => it.day !== days[index + 1]?.day) }
}

function setupOf(
  { shop }: LoggedServices,
  { playlistAddress, userAgent }: Shown,
  { t, locale }: { t: ScreenTexts; locale: LocaleCode },
): SetupView {
  const own = deviceOf(userAgent)
  const apps = playersFor(shop.apps, own, playlistAddress)
  const devices = setupIn(shop.setup, locale)
  const tab = own === "other" ? "computer" : "phone"
  return {
    heading: t("place.setup"),
    devices: devices.map(({ device, steps }) => ({
      device,
      steps,
      name: t(`devices.${device}`),
      apps: device === tab ? apps : [],
    })),
    apps: devices.some(({ device }) => device === tab) ? [] : apps,
  }
}
