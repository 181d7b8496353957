import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import type { Instant } from "~/domain/calendar"
import { type AuthenticatedCustomer, ownsCredit } from "~/domain/customer"
import { maskedEmail } from "~/domain/email"
import { RenewalDraft } from "~/domain/forms/renewal-form"
import { localPath } from "~/domain/locales"
import { plus } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { NextPlan } from "~/domain/plan-change"
import { declineReasons, isEndNear, type RenewedItem } from "~/domain/renewal"
import { pathOf, RENEW } from "~/domain/screen-paths"
import type { Service } from "~/domain/service"
import { isTrial } from "~/domain/term"
import { topUpAmounts } from "~/domain/top-up"
import type { UsableCredit } from "~/domain/usable-credit"
import { priceRenewals, type ServiceRenewal } from "~/flows/checkout/price-renewal.server"
import { availableGateways, presetGateway } from "~/flows/payments/available-gateways.server"
import type { LawShown } from "~/ui/checkout/order-summary"
import type { DeclineView, RenewalView } from "~/ui/renewal/renewal-panel"
import { creditView } from "./credit-view.server"
import { invoiceLinks, invoicePart } from "./invoice-view.server"
import { lawOfVisitor } from "./law-view.server"
import { knownUsernames } from "./ordered-view.server"
import { type Writing, writingOf } from "./renewal-writing.server"
import { type Headline, serviceHeadline } from "./service-headline.server"

type Context = Readonly<RouterContextProvider>

/** What the service page says about renewals. */
export type RenewalPart = {
  /** Null: the service cannot be renewed here. */
  readonly renewal: RenewalView | null
  /** What the law of the visitor's country adds to the forms that order. */
  readonly law: LawShown
  /** Null: it may be renewed, or nothing is to be said. */
  readonly lastTerm: LastTermView | null
  /** The plan that the service gets with its next term; null: it keeps its own. */
  readonly next: NextPlan | null
  /** The end is near or over: the renewal comes first on the page. */
  readonly isDue: boolean
  /** The shortest renewal of each service that can be renewed, by service id. */
  readonly renewable: Readonly<Record<string, string>>
  /** Heading and notes of the page for a stopped service, and after a renewal; null: the usual ones. */
  readonly standing: Headline | null
}

/** The product is not renewed any more: a sentence, and what is sold instead. */
export type LastTermView = { readonly text: string; readonly action: string; readonly path: string }

type Shown = {
  readonly service: Service
  readonly services: readonly Service[]
  /** The order just paid. */
  readonly order: Order | null
  /** Of the request. */
  readonly headers: Headers
  /** What an order would use. */
  readonly credit: UsableCredit | undefined
}

/** Loads the renewal part of the service page. */
export async function renewalPart(
  context: Context,
  { service, services: all, order, headers, credit }: Shown,
  query: URLSearchParams,
): Promise<RenewalPart> {
  const services = context.get(servicesContext)
  const writing = writingOf(context)
  const law = await lawOfVisitor(context, headers)
  const { priced, chosen, others, next, isDue } = await renewalsOf(services, service, all)
  const { customer } = context.get(sessionContext)
  const renewal =
    chosen && (await viewOf(services, { chosen, others, writing, query, customer, isDue, law, credit }))
  const invoiced = await invoicePart(context, { service, writing, query, law, credit })
  const items = await renewedBy(services, order)
  const lastTerm = chosen ? null : await lastTermOf(context, service, writing)
  const shown = renewal ?? invoiced.renewal
  return {
    renewal: shown,
    law,
    lastTerm,
    next,
    isDue: isDue || invoiced.renewal !== null,
    renewable: { ...invoiced.renewable, ...renewableIn(priced, writing) },
    standing: await serviceHeadline(
      services,
      {
        service,
        order,
        items,
        known: knownUsernames(items, all),
        canRenew: (shown ?? lastTerm) !== null,
        hasSupport: services.shop.links.support !== null,
      },
      writing,
    ),
  }
}

/** The renewals of a service, and of the customer's others in its currency: one order has one. */
async function renewalsOf(services: LoggedServices, service: Service, all: readonly Service[]) {
  const own = all.filter(
    ({ customerId, currency }) => customerId === service.customerId && currency === service.currency,
  )
  const priced = await priceRenewals(services, services.catalogue, { candidates: own })
  const chosen = priced.find((it) => it.service.id === service.id) ?? null
  return {
    priced,
    chosen,
    others: priced.filter((it) => it.service.id !== service.id && it.choices.length > 0),
    next: chosen?.next ?? null,
    isDue: chosen !== null && isEndNear(chosen.service, services.now()),
  }
}

async function renewedBy(
  { billing }: Pick<LoggedServices, "billing">,
  order: Order | null,
): Promise<readonly RenewedItem[]> {
  return order?.kind === "renewal" ? billing.renewalItems(order.id) : []
}

function renewableIn(
  priced: readonly ServiceRenewal[],
  { t, day }: Writing,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    priced.flatMap(({ service: { id }, choices: [first] }) =>
      first ? [[id, t("renewal.until", { date: day(first.until) })]] : [],
    ),
  )
}

/** The shortest renewal of each service that can be renewed, by service id, as a text. */
export async function renewableServices(
  context: Context,
  all: readonly Service[],
): Promise<Readonly<Record<string, string>>> {
  const services = context.get(servicesContext)
  const writing = writingOf(context)
  const [first] = all
  return {
    ...(first && (await invoiceLinks(services, first.customerId, writing))),
    ...renewableIn(await priceRenewals(services, services.catalogue, { candidates: all }), writing),
  }
}

/** What the page says of a service whose product is not renewed any more. */
async function lastTermOf(
  context: Context,
  { productId, paidUntil, status }: Service,
  { t, day }: Writing,
): Promise<LastTermView | null> {
  const services = context.get(servicesContext)
  if (services.shop.terms === null || paidUntil === null) return null
  const product = (await services.catalogue.plans()).find(({ id }) => id === productId)
  if (product?.renewalPrice !== "none") return null
  return {
    text: status === "Active" ? t("last.until", { date: day(paidUntil) }) : t("last.over"),
    action: t("last.action"),
    path: localPath(context.get(localeContext), pathOf.viewer.checkout),
  }
}

/** The renewal of one service for a visitor of its link, who may know nothing else of it. */
export type LinkedRenewal = {
  readonly heading: string
  readonly notes: readonly string[]
  /** Null: it cannot be renewed at the moment. */
  readonly renewal: RenewalView | null
  readonly lastTerm: LastTermView | null
  readonly signIn: { readonly text: string; readonly action: string }
}

/** Loads the page of a renewal link. */
export async function linkedRenewal(
  context: Context,
  service: Service,
  { query, headers }: { query: URLSearchParams; headers: Headers },
): Promise<LinkedRenewal> {
  const services = context.get(servicesContext)
  const writing = writingOf(context)
  const { t, plan } = writing
  const [chosen] = await priceRenewals(services, services.catalogue, { candidates: [service] })
  const email = (await services.billing.order(service.orderId))?.email ?? ""
  const law = await lawOfVisitor(context, headers)
  const credit = await creditView(context, service)
  const part = { others: [], writing, query, customer: null, isDue: true, law, credit }
  const renewal = chosen && (await viewOf(services, { ...part, chosen }))
  const lastTerm = chosen ? null : await lastTermOf(context, service, writing)
  const gone = renewal || lastTerm ? [] : [t("renewal.gone")]
  return {
    lastTerm,
    heading: t("link.heading", { plan: plan(service.name) }),
    notes: [t("link.for", { email: maskedEmail(email) }), ...gone],
    // What the link does not allow: to change the price, to renew no more.
    renewal: renewal ? { ...renewal, lower: null, decline: null } : null,
    signIn: signInOf(writing),
  }
}

function signInOf({ t }: Writing): LinkedRenewal["signIn"] {
  return { text: t("link.signIn"), action: t("link.signInAction") }
}

/** What a renewal that was paid by its link has led to. */
export async function renewedByLinkView(
  context: Context,
  order: Order,
): Promise<Omit<LinkedRenewal, "renewal" | "lastTerm">> {
  const writing = writingOf(context)
  const { t, day, plan } = writing
  const items = await context.get(servicesContext).billing.renewalItems(order.id)
  const untils = items.flatMap(({ name, until }) =>
    until === null ? [] : [t("renewal.each", { plan: plan(name), date: day(until) })],
  )
  return { heading: t("link.paid"), notes: [...untils, t("renewal.sameDetails")], signIn: signInOf(writing) }
}

type Part = {
  readonly chosen: ServiceRenewal
  readonly others: readonly ServiceRenewal[]
  readonly writing: Writing
  readonly query: URLSearchParams
  readonly customer: AuthenticatedCustomer | null
  readonly isDue: boolean
  readonly law: LawShown
  readonly credit: UsableCredit | undefined
}

type Consenting = Pick<Part, "customer" | "writing"> & Pick<ServiceRenewal, "service" | "unit">

/** Renewal from account credit: consent and its end with one press. Null: there is none, or it is not this visitor's to decide on. */
async function balanceOf(
  { payments }: Pick<LoggedServices, "payments">,
  { service, customer, writing: { t, money }, unit }: Consenting,
): Promise<RenewalView["balance"]> {
  const { id, customerId, currency, balanceRenewal: isOn } = service
  if (!ownsCredit(customer, service)) return null
  const credit = await payments.accountCredit(customerId, currency)
  if (!isOn && credit.minor <= 0) return null
  return {
    serviceId: id,
    intent: isOn ? "balance-off" : "balance-on",
    text: t(isOn ? "balance.on" : "balance.off", { credit: money(credit), price: money(unit) }),
    action: t(isOn ? "balance.stop" : "balance.start"),
  }
}

/** Account credit that may be bought. Null: the credit is not this visitor's, or there is as much as a customer may have. */
async function topUpOf(
  {
    billing,
    payments,
    shop,
    newId,
    now,
  }: Pick<LoggedServices, "billing" | "payments" | "shop" | "newId" | "now">,
  {
    service,
    customer,
    writing: { t, money },
    gateways,
  }: Omit<Consenting, "unit"> & Pick<RenewalView, "gateways">,
): Promise<RenewalView["topUp"]> {
  const { customerId, currency } = service
  if (!ownsCredit(customer, service) || shop.terms === null || gateways.length === 0) return null
  const credit = await payments.accountCredit(customerId, currency)
  const open = await billing.payableTopUps(customerId, currency, now())
  const amounts = topUpAmounts(shop.terms.topUps, plus(credit, open))
  if (amounts.length === 0) return null
  return {
    summary: t("topUp.summary"),
    note: t("topUp.note"),
    legend: t("topUp.amount"),
    refused: t("topUp.gone"),
    amounts: amounts.map((amount) => ({ minor: amount.minor, text: money(amount) })),
    key: newId(),
  }
}

async function viewOf(
  services: LoggedServices,
  { chosen, others, writing, query, customer, isDue, law, credit }: Part,
): Promise<RenewalView> {
  const { t, day, plan, money } = writing
  const { service, choices, unit, lower, announced } = chosen
  const draft = RenewalDraft.parse({ cycles: query.get("cycles") ?? undefined, also: query.getAll("also") })
  const gateways = await availableGateways(services, writing.locale)
  const isHeld = Boolean((await services.dunning?.endOf(service.id))?.heldSince)
  return {
    serviceId: service.id,
    law,
    credit,
    heading: headingOf(service, writing),
    summary: summaryOf(chosen, writing),
    isFolded: !isDue,
    isAsked: query.has(RENEW),
    notes: [
      ...(isHeld ? [t("renewal.held")] : []),
      ...(choices.length === 0 ? [t("renewal.ahead")] : []),
      noteOf(chosen, writing),
      ...(announced
        ? [t("renewal.announced", { date: day(announced.from), price: money(announced.price) })]
        : []),
    ],
    choices: choices.map(({ cycles, until, total }) => ({
      value: String(cycles),
      total,
      text: t("renewal.until", { date: day(until) }),
    })),
    field: "cycles",
    value: String(choices.find(({ cycles }) => cycles === draft.cycles)?.cycles ?? 1),
    also: others.flatMap(({ service: { id, name, username }, choices: [first] }) =>
      first
        ? [
            {
              serviceId: id,
              total: first.total,
              text: t("renewal.alsoUntil", { plan: plan(name), username, date: day(first.until) }),
              isChosen: draft.also.includes(id),
            },
          ]
        : [],
    ),
    alsoText: t("renewal.also"),
    gone: t("renewal.gone"),
    lower: lower && {
      text: t("renewal.lower", { price: money(lower), own: money(unit) }),
      action: t("renewal.takeLower", { price: money(lower) }),
      price: lower.minor,
    },
    gateways,
    gateway: presetGateway(services, gateways),
    key: services.newId(),
    balance: await balanceOf(services, { service, customer, writing, unit }),
    topUp: await topUpOf(services, { service, customer, writing, gateways }),
    decline: declineOf(service, services.now(), writing),
  }
}

function headingOf({ term }: ServiceRenewal["service"], { t }: Writing): string {
  return t(isTrial(term) ? "trial.keep" : "renewal.heading")
}

/** The shortest renewal, with its price. */
function summaryOf({ choices: [first] }: ServiceRenewal, { t, day, money }: Writing): string {
  return first
    ? `${t("renewal.until", { date: day(first.until) })}: ${money(first.total)}`
    : t("renewal.heading")
}

/** Until when the service is paid, and what the payment will lead to. */
function noteOf({ service, access, start, graceEnd }: ServiceRenewal, { t, day, moment }: Writing): string {
  if (isTrial(service.term)) {
    const standing = access === "kept" && start === "later" ? "later" : access
    return t(`trial.${standing}`, { date: moment(service.paidUntil) })
  }
  const date = day(service.paidUntil)
  if (access !== "kept") return t(`renewal.${access}`, { date })
  if (start === "within-grace") return t("renewal.grace", { date, graceEnd: day(graceEnd) })
  return start === "later" ? t("renewal.later", { date }) : t("renewal.paidUntil", { date })
}

function declineOf(service: ServiceRenewal["service"], at: Instant, { t, day }: Writing): DeclineView {
  const date = day(service.paidUntil)
  if (service.declinedAt !== null) {
    const text = service.paidUntil > at ? t("renewal.declined", { date }) : t("renewal.declinedEnded")
    return { isDeclined: true, text, undo: t("renewal.undecline") }
  }
  return {
    isDeclined: false,
    summary: t("renewal.decline"),
    lead: t("renewal.declineLead", { date }),
    reasonText: t("renewal.declineReason"),
    reasons: declineReasons.map((value) => ({ value, text: t(`reason.${value}`) })),
    confirm: t("renewal.declineConfirm"),
  }
}
