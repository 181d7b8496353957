import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { DAY, type Instant } from "~/domain/calendar"
import type { AuthenticatedCustomer } from "~/domain/customer"
import { RenewalDraft } from "~/domain/forms/renewal-form"
import type { LocaleCode } from "~/domain/locales"
import type { Order } from "~/domain/order"
import { declineReasons, type RenewedItem } from "~/domain/renewal"
import type { Service } from "~/domain/service"
import { priceRenewals, type ServiceRenewal } from "~/flows/checkout/price-renewal.server"
import { availableGateways } from "~/flows/payments/available-gateways.server"
import { type RenewalTexts, renewalTexts } from "~/i18n/load-renewal-texts.server"
import { dayText, moneyText } from "~/ui/layout/format"
import { planName } from "~/ui/layout/plan-name"
import type { DeclineView, RenewalView } from "~/ui/renewal/renewal-panel"

type Context = Readonly<RouterContextProvider>

/** Texts and formats of one page. */
type Writing = {
  readonly locale: LocaleCode
  readonly t: RenewalTexts
  readonly day: (at: Instant) => string
  readonly plan: (name: string) => string
  readonly money: (amount: ServiceRenewal["unit"]) => string
}

function writingOf(context: Context): Writing {
  const locale = context.get(localeContext)
  const { timeZone } = context.get(servicesContext).shop
  return {
    locale: locale.code,
    t: renewalTexts(locale.code),
    day: (at) => dayText(at, locale, timeZone),
    plan: (name) => planName(name, locale),
    money: (amount) => moneyText(amount, locale),
  }
}

/** What the service page says about renewals. */
export type RenewalPart = {
  /** Null: the service cannot be renewed here. */
  readonly renewal: RenewalView | null
  /** The end is near or over: the renewal comes first on the page. */
  readonly isDue: boolean
  /** The shortest renewal of each service that can be renewed, by service id. */
  readonly renewable: Readonly<Record<string, string>>
  /** Heading and notes of the page for a stopped service, and after a renewal; null: the usual ones. */
  readonly standing: Headline | null
}

export type Headline = { readonly heading: string; readonly notes: readonly string[] }

/** The end counts as near from so long before. */
const NEAR = 7 * DAY

type Shown = {
  readonly service: Service
  readonly services: readonly Service[]
  /** The order just paid. */
  readonly order: Order | null
}

/** Loads the renewal part of the service page. */
export async function renewalPart(
  context: Context,
  { service, services: all, order }: Shown,
  query: URLSearchParams,
): Promise<RenewalPart> {
  const services = context.get(servicesContext)
  const writing = writingOf(context)
  const own = all.filter(
    ({ customerId, currency }) => customerId === service.customerId && currency === service.currency,
  )
  const priced = await priceRenewals(services, services.catalogue, own)
  const chosen = priced.find((it) => it.service.id === service.id) ?? null
  const others = priced.filter((it) => it.service.id !== service.id && it.choices.length > 0)
  const { customer } = context.get(sessionContext)
  const renewal = chosen && (await viewOf(services, { chosen, others, writing, query, customer }))
  const items = order?.kind === "renewal" ? await services.billing.renewalItems(order.id) : []
  return {
    renewal,
    isDue: chosen !== null && chosen.service.paidUntil - services.now() < NEAR,
    renewable: Object.fromEntries(
      priced.flatMap(({ service: { id }, choices: [first] }) =>
        first ? [[id, writing.t("until", { date: writing.day(first.until) })]] : [],
      ),
    ),
    standing: headlineOf(service, items, { writing, canRenew: chosen !== null }),
  }
}

type Part = {
  readonly chosen: ServiceRenewal
  readonly others: readonly ServiceRenewal[]
  readonly writing: Writing
  readonly query: URLSearchParams
  readonly customer: AuthenticatedCustomer | null
}

/** Whether a customer may decide about the account's credit. */
export function ownsCredit(
  customer: AuthenticatedCustomer | null,
  { customerId }: Pick<Service, "customerId">,
): boolean {
  return customer?.id === customerId && customer.reach === "account"
}

type Consenting = Pick<Part, "customer" | "writing"> & Pick<ServiceRenewal, "service" | "unit">

/** Renewal from account credit: consent and its end with one press. Null: the credit is not this visitor's to decide on. */
async function balanceOf(
  { payments }: Pick<LoggedServices, "payments">,
  { service, customer, writing: { t, money }, unit }: Consenting,
): Promise<RenewalView["balance"]> {
  const { id, customerId, currency, balanceRenewal: isOn } = service
  if (!ownsCredit(customer, service)) return null
  const credit = await payments.accountCredit(customerId, currency)
  return {
    serviceId: id,
    intent: isOn ? "balance-off" : "balance-on",
    text: t(isOn ? "balance.on" : "balance.off", { credit: money(credit), price: money(unit) }),
    action: t(isOn ? "balance.stop" : "balance.start"),
  }
}

async function viewOf(
  services: LoggedServices,
  { chosen, others, writing, query, customer }: Part,
): Promise<RenewalView> {
  const { t, day, plan, money } = writing
  const { service, choices, unit, lower, announced } = chosen
  const draft = RenewalDraft.parse({ cycles: query.get("cycles") ?? undefined, also: query.getAll("also") })
  const gateways = await availableGateways(services, writing.locale)
  const isHeld = Boolean((await services.dunning?.endOf(service.id))?.heldSince)
  return {
    serviceId: service.id,
    heading: t("heading"),
    notes: [
      ...(isHeld ? [t("held")] : []),
      ...(choices.length === 0 ? [t("ahead")] : []),
      noteOf(chosen, writing),
      ...(announced ? [t("announced", { date: day(announced.from), price: money(announced.price) })] : []),
    ],
    choices:
      gateways.length === 0
        ? []
        : choices.map(({ cycles, until, total }) => ({
            cycles,
            total,
            text: t("until", { date: day(until) }),
          })),
    cycles: choices.find(({ cycles }) => cycles === draft.cycles)?.cycles ?? 1,
    also: others.flatMap(({ service: { id, name, username }, choices: [first] }) =>
      first
        ? [
            {
              serviceId: id,
              total: first.total,
              text: t("alsoUntil", { plan: plan(name), username, date: day(first.until) }),
              isChosen: draft.also.includes(id),
            },
          ]
        : [],
    ),
    alsoText: t("also"),
    gone: t("gone"),
    lower: lower && {
      text: t("lower", { price: money(lower), own: money(unit) }),
      action: t("takeLower", { price: money(lower) }),
      price: lower.minor,
    },
    gateways,
    gateway: gateways[0]?.id ?? null,
    key: services.newId(),
    balance: await balanceOf(services, { service, customer, writing, unit }),
    decline: declineOf(service, writing),
  }
}

/** Until when the service is paid, and what the payment will lead to. */
function noteOf({ service, access, start, graceEnd }: ServiceRenewal, { t, day }: Writing): string {
  const date = day(service.paidUntil)
  if (access !== "kept") return t(access, { date })
  if (start === "within-grace") return t("grace", { date, graceEnd: day(graceEnd) })
  return start === "later" ? t("later", { date }) : t("paidUntil", { date })
}

function declineOf(service: ServiceRenewal["service"], { t, day }: Writing): DeclineView {
  const date = day(service.paidUntil)
  if (service.declinedAt !== null)
    return { isDeclined: true, text: t("declined", { date }), undo: t("undecline") }
  return {
    isDeclined: false,
    summary: t("decline"),
    lead: t("declineLead", { date }),
    reasonText: t("declineReason"),
    reasons: declineReasons.map((value) => ({ value, text: t(`reason.${value}`) })),
    confirm: t("declineConfirm"),
  }
}

type About = { readonly writing: Writing; readonly canRenew: boolean }

function headlineOf(
  { id, status }: Service,
  items: readonly RenewedItem[],
  { writing: { t, day, plan }, canRenew }: About,
): Headline | null {
  const own = items.find(({ serviceId }) => serviceId === id)?.until
  if (own) {
    const others = items.filter(({ serviceId }) => serviceId !== id)
    const until = others.flatMap(({ name, until }) =>
      until === null ? [] : [t("each", { plan: plan(name), date: day(until) })],
    )
    return { heading: t("renewed", { date: day(own) }), notes: [t("sameDetails"), ...until] }
  }
  if (status !== "Suspended" && status !== "Terminated") return null
  const heading = t(status === "Suspended" ? "suspended" : "ended")
  return { heading, notes: canRenew ? [] : [t("stopped")] }
}

/** What an unpaid renewal will lead to if it is paid now, for the waiting page; empty for other orders. */
export async function renewalNotes(context: Context, order: Order): Promise<readonly string[]> {
  if (order.kind !== "renewal") return []
  const services = context.get(servicesContext)
  const { billing } = services
  const { t, day, plan } = writingOf(context)
  const items = await billing.renewalItems(order.id)
  const found = await Promise.all(items.map(({ serviceId }) => billing.service(serviceId)))
  const priced = await priceRenewals(
    services,
    services.catalogue,
    found.filter((it) => it !== null),
  )
  return items.flatMap(({ serviceId, cycles, name }) => {
    const choices = priced.find(({ service }) => service.id === serviceId)?.choices ?? []
    const until = choices.find((it) => it.cycles === cycles)?.until
    return until === undefined ? [] : [t("waiting", { plan: plan(name), date: day(until) })]
  })
}
