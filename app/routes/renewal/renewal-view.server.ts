import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { DAY, type Instant } from "~/domain/calendar"
import { type AuthenticatedCustomer, ownsAccount } from "~/domain/customers/customer"
import { RenewalDraft } from "~/domain/forms/renewal-form"
import { localPath } from "~/domain/locales"
import { type Money, plus } from "~/domain/money/money"
import { pathOf, RENEW } from "~/domain/orders/screen-paths"
import { topUpAmounts } from "~/domain/orders/top-up"
import type { UsableCredit } from "~/domain/payments/usable-credit"
import { missingCredit } from "~/domain/services/balance-renewal"
import { declineReasons } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { isTrial } from "~/domain/services/term"
import type { ServiceRenewal } from "~/flows/checkout/price-renewal.server"
import { availableGateways, presetGateway } from "~/flows/payments/available-gateways.server"
import type { UnpaidOrder } from "~/flows/services/show-access.server"
import type { LawShown } from "~/ui/checkout/order-summary"
import { AMOUNT, type DeclineView, type RenewalView } from "~/ui/renewal/renewal-panel"
import type { Writing } from "../page-writing.server"

type Shown = {
  readonly chosen: ServiceRenewal
  readonly others: readonly ServiceRenewal[]
  readonly writing: Writing
  readonly query: URLSearchParams
  readonly customer: AuthenticatedCustomer | null
  readonly isDue: boolean
  /** The visitor's unpaid order for the service. */
  readonly unpaid: UnpaidOrder | null
  readonly law: LawShown
  readonly credit: UsableCredit | undefined
}

/** The form that renews a service. */
export async function renewalView(
  services: LoggedServices,
  { chosen, others, writing, query, customer, isDue, unpaid, law, credit }: Shown,
): Promise<RenewalView> {
  const { t, day, plan, money } = writing
  const { service, choices, unit, lower } = chosen
  const draft = RenewalDraft.parse({ cycles: query.get("cycles") ?? undefined, also: query.getAll("also") })
  const gateways = await availableGateways(services, writing.locale)
  // A payment holds a step, and a late notice puts it off; there is none before the end is near.
  const open = openRenewal(unpaid)
  const stored = isDue ? ((await services.dunning?.endOf(service.id)) ?? null) : null
  return {
    serviceId: service.id,
    law,
    credit,
    heading: headingOf(service, writing),
    summary: open ? t("renewal.another") : summaryOf(chosen, writing),
    ...foldOf({ isDue, open, query }),
    notes: notesOf(chosen, { open, isHeld: stored?.heldSince != null, writing }),
    pay: t(isTrial(service.term) ? "trial.keepFor" : "renewal.pay", { amount: AMOUNT }),
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
    balance: await balanceOf(services, { chosen, others, customer, writing }),
    topUp: await topUpOf(services, { service, customer, writing, gateways }),
    decline: declineOf(service, stored ?? plannedEnd(services, chosen), writing),
  }
}

/** A renewal that is to be paid first: a new one would not pay it. */
export function openRenewal(unpaid: UnpaidOrder | null): UnpaidOrder | null {
  return unpaid?.kind === "renewal" ? unpaid : null
}

type Folding = {
  readonly isDue: boolean
  readonly open: UnpaidOrder | null
  readonly query: URLSearchParams
}

/** Folded until the end is near, and beside an open renewal, which a link that asks to renew leads to. What is chosen stays visible. */
export function foldOf({ isDue, open, query }: Folding): Pick<RenewalView, "isFolded" | "isAsked"> {
  const isChosen = query.has("cycles") || query.has("invoice")
  return { isFolded: !isDue || open !== null, isAsked: isChosen || (open === null && query.has(RENEW)) }
}

type NotesOn = {
  readonly open: UnpaidOrder | null
  readonly isHeld: boolean
  readonly writing: Writing
}

/** What the buyer must know before paying. */
function notesOf(renewal: ServiceRenewal, { open, isHeld, writing }: NotesOn): readonly string[] {
  const { t, day, money } = writing
  const { choices, announced } = renewal
  return [
    ...(open ? [t("renewal.inAddition", { order: open.id })] : []),
    ...(isHeld ? [t("renewal.held")] : []),
    ...(choices.length === 0 ? [t("renewal.ahead")] : []),
    noteOf(renewal, writing),
    ...(announced
      ? [t("renewal.announced", { date: day(announced.from), price: money(announced.price) })]
      : []),
  ]
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
    const how = access === "kept" && start === "later" ? "later" : access
    return t(`trial.${how}`, { date: moment(service.paidUntil) })
  }
  const date = day(service.paidUntil)
  if (access !== "kept") return t(`renewal.${access}`, { date })
  if (start === "within-grace") return t("renewal.grace", { date, graceEnd: moment(graceEnd) })
  return start === "later" ? t("renewal.later", { date }) : t("renewal.paidUntil", { date })
}

/** What happens when to a service that nobody renews. */
type ServiceEnd = Readonly<Record<"paidUntil" | "suspension" | "termination", Instant>>

function plannedEnd(
  { shop }: Pick<LoggedServices, "shop">,
  { service: { paidUntil }, worksUntil }: ServiceRenewal,
): ServiceEnd {
  const termination = worksUntil + (shop.terms?.terminateAfterDays ?? 0) * DAY
  return { paidUntil, suspension: worksUntil, termination }
}

/** Null: the service has ended already. */
function declineOf(
  service: ServiceRenewal["service"],
  end: ServiceEnd,
  writing: Writing,
): DeclineView | null {
  const { t } = writing
  if (service.status === "Terminated") return null
  const ending = endingOf(service, end, writing)
  if (service.declinedAt !== null) {
    const text = [t("renewal.declined"), ...ending].join(" ")
    return { isDeclined: true, text, undo: t("renewal.undecline") }
  }
  return {
    isDeclined: false,
    summary: t("renewal.decline"),
    lead: [...ending, t("renewal.declineLead")].join(" "),
    reasonText: t("renewal.declineReason"),
    reasons: declineReasons.map((value) => ({ value, text: t(`reason.${value}`) })),
    confirm: t("renewal.declineConfirm"),
  }
}

/** Until when a service that nobody renews works, and when it ends for good. A free trial has an end of hours and minutes. */
function endingOf(
  { status, term }: Pick<Service, "status" | "term">,
  { paidUntil, suspension, termination }: ServiceEnd,
  { t, day, moment }: Writing,
): readonly string[] {
  const dayOf = isTrial(term) ? moment : day
  const forGood = t("renewal.endsForGood", { date: day(termination) })
  if (status === "Suspended") return [t("renewal.pausedNow"), forGood]
  const [end, date] = [dayOf(paidUntil), dayOf(suspension)]
  return [t(end === date ? "renewal.worksUntil" : "renewal.worksBeyond", { end, date }), forGood]
}

type Consenting = Pick<Shown, "customer" | "writing" | "chosen" | "others">

/**
 * Renewal from account credit: consent and its end with one press. Null: there is none, it is not this visitor's to decide on, or the
 * service has ended, which account credit does not bring back by itself.
 */
async function balanceOf(
  { payments, now }: Pick<LoggedServices, "payments" | "now">,
  { chosen, others, customer, writing }: Consenting,
): Promise<RenewalView["balance"]> {
  const { service } = chosen
  const { t } = writing
  const { id, customerId, currency, balanceRenewal: isOn } = service
  if (!ownsAccount(customer, service) || service.status === "Terminated") return null
  const credit = await payments.accountCredit(customerId, currency)
  if (!isOn && credit.minor <= 0) return null
  const funds = { credit, missing: missingCredit(chosen, { credit, others }), at: now() }
  return {
    serviceId: id,
    intent: isOn ? "balance-off" : "balance-on",
    text: isOn ? consentText(chosen, funds, writing) : offerText(chosen, funds, writing),
    action: t(isOn ? "balance.stop" : "balance.start"),
  }
}

/** `missing`: of the price, when the service is to be renewed. */
type Funds = { readonly credit: Money; readonly missing: Money; readonly at: Instant }

function consentText(
  { service: { paidUntil }, unit }: ServiceRenewal,
  { credit, missing, at }: Funds,
  { t, moment, money }: Writing,
): string {
  const amounts = { credit: money(credit), price: money(unit), missing: money(missing) }
  const isShort = missing.minor > 0
  // After the end it is tried again and again.
  const [plan, short] =
    paidUntil > at
      ? [t("balance.on", amounts), t("balance.missingBy", { ...amounts, date: moment(paidUntil) })]
      : [t("balance.late", amounts), t("balance.missing", amounts)]
  return [plan, ...(isShort ? [short] : []), t("balance.nothing")].join(" ")
}

function offerText({ unit }: ServiceRenewal, { credit, missing }: Funds, { t, money }: Writing): string {
  const offer = t("balance.off", { credit: money(credit), price: money(unit) })
  return missing.minor > 0 ? `${offer} ${t("balance.missing", { missing: money(missing) })}` : offer
}

/** Account credit that may be bought. Null: the credit is not this visitor's, or there is as much as a customer may have. */
async function topUpOf(
  { billing, payments, shop, newId, now }: LoggedServices,
  {
    service,
    customer,
    writing: { t, money },
    gateways,
  }: Pick<Shown, "customer" | "writing"> & Pick<ServiceRenewal, "service"> & Pick<RenewalView, "gateways">,
): Promise<RenewalView["topUp"]> {
  const { customerId, currency } = service
  if (!ownsAccount(customer, service) || shop.terms === null || gateways.length === 0) return null
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

/** The product is not renewed any more: a sentence, and what is sold instead. */
export type LastTermView = { readonly text: string; readonly action: string; readonly path: string }

/** What is said of a service whose product is not renewed any more; null: it may be renewed, or nothing is to be said. */
export async function lastTermView(
  context: RouteContext,
  { id, productId, paidUntil, status }: Service,
  { t, day }: Writing,
): Promise<LastTermView | null> {
  const services = context.get(servicesContext)
  if (services.shop.terms === null || paidUntil === null) return null
  const product = (await services.catalogue.plans()).find(({ id }) => id === productId)
  if (product?.renewalPrice !== "none") return null
  const suspension = (await services.dunning?.endOf(id))?.suspension ?? paidUntil
  const [end, date] = [day(paidUntil), day(suspension)]
  return {
    text:
      status === "Active" ? t(end === date ? "last.until" : "last.beyond", { end, date }) : t("last.over"),
    action: t("last.action"),
    path: localPath(context.get(localeContext), pathOf.viewer.checkout),
  }
}
