import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { documentTexts } from "~/documents/texts"
import { BASE } from "~/domain/base-path"
import type { Instant } from "~/domain/calendar"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { type Locale, localPath } from "~/domain/locales"
import { type Money, plus } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { ACCOUNT, documentPath, orderWithdrawalPath } from "~/domain/orders/screen-paths"
import {
  creditedOf,
  partialPayments,
  type TimelineEvent,
  usedAccountCredit,
  withdrawnAt,
} from "~/domain/orders/timeline"
import { topUpAsPaid } from "~/domain/orders/top-up"
import { withdrawalEnd } from "~/domain/orders/withdrawal-period"
import type { Service } from "~/domain/services/service"
import { offersWithdrawal } from "~/domain/shop/country-law"
import { refundOfOrder } from "~/flows/payments/refund-of-order.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { taxNote } from "~/middleware/pricing/tax-note.server"
import { dateTimeText } from "~/ui/layout/format"
import type { PaymentsView } from "~/ui/success/payments-card"
import { type Writing, writingOf } from "../page-writing.server"
import { knownUsernames } from "./known-usernames.server"

/** Most payments that are listed of a service, and of a whole account. */
const OF_SERVICE = 24
const OF_ACCOUNT = 60

type Shown = {
  /** All services that the visitor has access to. */
  readonly services: readonly Service[]
  /** The order whose receipt the URL asks for. */
  readonly receipt: string | null
  /** The timeline that the page has read already; missing: none. */
  readonly read?: { readonly orderId: string; readonly timeline: readonly TimelineEvent[] }
}

/** Payments of a service, with the receipt that is asked for, or that of the last one, which is printed. Null: none. */
export async function paymentsOfService(
  context: RouteContext,
  { service, ...shown }: Shown & { readonly service: Service },
): Promise<PaymentsView | null> {
  const orders = await context.get(servicesContext).billing.paidOrdersOf(service.id, OF_SERVICE)
  return paymentsIn(context, orders, { ...shown, query: `serviceid=${service.id}` })
}

/** The same of all services of a customer, and of account credit that was bought. */
export async function paymentsOfAccount(
  context: RouteContext,
  { customer, ...shown }: Shown & { readonly customer: AuthenticatedCustomer },
): Promise<PaymentsView | null> {
  const { billing } = context.get(servicesContext)
  const orders = await billing.paidOrdersOfCustomer(customer, OF_ACCOUNT)
  return paymentsIn(context, orders, { ...shown, query: ACCOUNT })
}

async function paymentsIn(
  context: RouteContext,
  paid: readonly Order[],
  { services: accessible, receipt: asked, read, query }: Shown & { readonly query: string },
): Promise<PaymentsView | null> {
  const { billing, hasExternalBilling, shop, now } = context.get(servicesContext)
  const writing = writingOf(context)
  const { t, lines: named } = writing
  const timeline: Timeline = async (id) => (read?.orderId === id ? read.timeline : billing.timeline(id))
  const payments = await Promise.all(
    paid
      .filter(({ total }) => total.minor > 0)
      .toSorted((one, other) => paidAtOf(other) - paidAtOf(one))
      .map((order) => paymentOf({ billing, hasExternalBilling }, { order, timeline, writing })),
  )
  const shown = payments.find(({ order }) => order.id === asked) ?? payments[0]
  if (!shown) return null
  const { order: chosen, day, since } = shown
  const credit = usedAccountCredit(await timeline(chosen.id), chosen.total.currency)
  const renewed = chosen.kind === "renewal" ? await billing.renewalItems(chosen.id) : []
  const invoice = hasExternalBilling ? await billing.externalInvoiceOf(chosen.id) : null
  return {
    query,
    rows: payments.flatMap((payment) => rowOf(payment, writing)),
    withdrawal: withdrawalIn(chosen, { since, shop, now: now(), locale: context.get(localeContext) }),
    receipt: {
      isAsked: chosen.id === asked,
      orderId: chosen.id,
      ...(invoice && { invoice: { label: t("payments.invoice"), number: invoice } }),
      day,
      lines: named(chosen.lines, knownUsernames(renewed, accessible)),
      total: chosen.total,
      credit: credit.minor > 0 ? credit : null,
      credited: since.credited,
      refund: since.refund,
      seller: shop.legal.seller ?? shop.brand.name,
      tax: taxNote(chosen, { legal: shop.legal, locale: context.get(localeContext) }),
      documents: await documentsOf(context, chosen),
      declared: declaredIn(chosen, { locale: context.get(localeContext), timeZone: shop.timeZone }),
    },
    texts: {
      heading: t("payments.heading"),
      receipt: t("payments.receipt"),
      earlier: t("payments.earlier"),
      order: t("payments.order"),
      date: t("payments.date"),
      seller: t("payments.seller"),
      credit: t("payments.credit"),
      credited: t("payments.credited"),
      refunded: t("payments.refunded"),
    },
  }
}

/** A paid order with the day of its payment, and what has become of it since. */
type Payment = { readonly order: Order; readonly day: string; readonly since: Since }

type Listed = { readonly order: Order; readonly timeline: Timeline; readonly writing: Writing }

async function paymentOf(reads: Reads, { order, timeline, writing }: Listed): Promise<Payment> {
  const paid = await orderAsPaid(order, timeline)
  const day = await dayOf(paid, timeline, writing)
  return { order: paid, day, since: await sinceOf(reads, { order: paid, timeline }) }
}

function rowOf({ order: { id, lines, total }, day, since }: Payment, writing: Writing): PaymentsView["rows"] {
  const [line] = writing.lines(lines)
  return line ? [{ id, line, total, day, notes: notesOf(since, writing) }] : []
}

/** Orders from before it was stored have the time at which they were placed. */
function paidAtOf({ paidAt, placedAt }: Order): Instant {
  return paidAt ?? placedAt
}

/** The day on which an order was paid; of payments on several days each, with what was paid on it. */
async function dayOf(order: Order, timeline: Timeline, { t, day, money }: Writing): Promise<string> {
  const last = day(paidAtOf(order))
  // Only one that took more than a day can have been paid on several.
  if (day(order.placedAt) === last) return last
  const parts = Map.groupBy(partialPayments(await timeline(order.id)), ({ at }) => day(at))
  if (parts.size < 2) return last
  return [...parts]
    .map(([date, paid]) => {
      const amount = money(paid.map((it) => it.amount).reduce(plus))
      return t("payments.part", { amount, date })
    })
    .join(", ")
}

/** What has become of a paid order since. */
type Since = {
  readonly refund: Money | null
  readonly credited: Money | null
  readonly withdrawn: Instant | null
}

type Reads = Pick<LoggedServices, "billing" | "hasExternalBilling">
type PaidOrder = { readonly order: Order; readonly timeline: Timeline }

/** The timeline of an order without days of withdrawal is not read for one, nor for account credit without any. */
async function sinceOf(services: Reads, { order, timeline }: PaidOrder): Promise<Since> {
  const hasDays = order.saleTerms?.withdrawalDays != null
  return {
    credited: mayBeCredited(services, order) ? creditedOf(order, await timeline(order.id)) : null,
    refund: await refundOfOrder(services, { order, timeline }),
    withdrawn: hasDays ? withdrawnAt(await timeline(order.id)) : null,
  }
}

/** External billing has the account credit of its customers. */
function mayBeCredited({ hasExternalBilling }: Reads, { kind, credited, received, total }: Order): boolean {
  if (hasExternalBilling) return kind === "renewal" || kind === "plan-change"
  return credited.minor !== 0 || received.minor < total.minor
}

function notesOf(since: Since, { t, day, money }: Writing): string {
  const notes = [
    since.credited && `${t("payments.credited")}: ${money(since.credited)}`,
    since.withdrawn && t("payments.withdrawn", { date: day(since.withdrawn) }),
    since.refund && `${t("payments.refunded")} ${money(since.refund)}`,
  ]
  return notes.filter(Boolean).join(", ")
}

/** An order's invoice and credit notes, each with its files: "Invoice 2026-000001", "Invoice 2026-000001 (PDF)". */
async function documentsOf(
  context: RouteContext,
  { id, tax }: Order,
): Promise<PaymentsView["receipt"]["documents"]> {
  if (!tax) return []
  const locale = context.get(localeContext)
  const words = documentTexts(locale.code)
  const hrefOf = (file: string) => `${BASE}${localPath(locale, documentPath.replace(":file", file))}`
  const issued = await context.get(servicesContext).documents.taxDocumentsOf(id)
  return issued.flatMap(({ kind, number }) => {
    const name = `${words(`kind.${kind}`)} ${number}`
    const files = (["pdf", "xml"] as const).map((form) => ({
      text: `${name} (${form.toUpperCase()})`,
      href: hrefOf(`${number}.${form}`),
    }))
    return [{ text: name, href: hrefOf(number) }, ...files]
  })
}

type Timeline = (orderId: string) => Promise<readonly TimelineEvent[]>

/** See `topUpAsPaid`; no other order's timeline is read for it. */
async function orderAsPaid(order: Order, timeline: Timeline): Promise<Order> {
  return order.kind === "topup" ? topUpAsPaid(order, await timeline(order.id)) : order
}

type Withdrawable = Pick<LoggedServices, "shop"> & {
  readonly since: Since
  readonly now: Instant
  readonly locale: Locale
}

/** The page to withdraw from an order, in a shop that has one; null once it is withdrawn from. */
function withdrawalIn(order: Order, { since, shop, now, locale }: Withdrawable): string | null {
  const end = withdrawalEnd(order, shop.timeZone)
  if (since.withdrawn || end === null || now > end || !offersWithdrawal(shop.legal.law)) return null
  return `${BASE}${localPath(locale, orderWithdrawalPath(order.id))}`
}

/** The buyer's declarations as they were made. */
function declaredIn(
  { saleTerms }: Order,
  { locale, timeZone }: { readonly locale: Locale; readonly timeZone: string },
): readonly string[] {
  const declarations = saleTerms?.declarations
  if (!declarations) return []
  const { at, consent, acknowledgement } = declarations
  const moment = dateTimeText(at, locale, timeZone)
  return [screenTexts(locale.code)("law.declared", { moment }), consent, acknowledgement]
}
