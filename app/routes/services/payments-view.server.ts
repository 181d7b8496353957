import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { documentTexts } from "~/documents/texts"
import { BASE } from "~/domain/base-path"
import type { Instant } from "~/domain/calendar"
import type { AuthenticatedCustomer } from "~/domain/customer"
import { type Locale, localPath } from "~/domain/locales"
import type { Money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { ACCOUNT, documentPath, orderWithdrawalPath } from "~/domain/screen-paths"
import type { Service } from "~/domain/service"
import { offersWithdrawal } from "~/domain/shop/country-law"
import { type TimelineEvent, usedAccountCredit, withdrawnAt } from "~/domain/timeline"
import { topUpAsPaid } from "~/domain/top-up"
import { withdrawalEnd } from "~/domain/withdrawal-period"
import { refundOfOrder } from "~/flows/payments/refund-of-order.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { taxNote } from "~/middleware/pricing/tax-note.server"
import { dateTimeText } from "~/ui/layout/format"
import type { PaymentsView } from "~/ui/success/payments-card"
import { type Writing, writingOf } from "../page-writing.server"
import { knownUsernames } from "./known-usernames.server"

type Context = Readonly<RouterContextProvider>

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
  context: Context,
  { service, ...shown }: Shown & { readonly service: Service },
): Promise<PaymentsView | null> {
  const orders = await context.get(servicesContext).billing.paidOrdersOf(service.id, OF_SERVICE)
  return paymentsIn(context, orders, { ...shown, query: `serviceid=${service.id}` })
}

/** The same of all services of a customer, and of account credit that was bought. */
export async function paymentsOfAccount(
  context: Context,
  { customer, ...shown }: Shown & { readonly customer: AuthenticatedCustomer },
): Promise<PaymentsView | null> {
  const { billing } = context.get(servicesContext)
  const orders = await billing.paidOrdersOfCustomer(customer, OF_ACCOUNT)
  return paymentsIn(context, orders, { ...shown, query: ACCOUNT })
}

async function paymentsIn(
  context: Context,
  paid: readonly Order[],
  { services: inReach, receipt: asked, read, query }: Shown & { readonly query: string },
): Promise<PaymentsView | null> {
  const { billing, hasExternalBilling, shop, now } = context.get(servicesContext)
  const locale = context.get(localeContext)
  const writing = writingOf(context)
  const { t, day, lines: named } = writing
  const timeline: Timeline = async (id) => (read?.orderId === id ? read.timeline : billing.timeline(id))
  const orders = await Promise.all(
    paid.filter(({ total }) => total.minor > 0).map((order) => orderAsPaid(order, timeline)),
  )
  const chosen = orders.find(({ id }) => id === asked) ?? orders[0]
  if (!chosen) return null
  const since = await Promise.all(orders.map((order) => sinceOf({ billing }, { order, timeline })))
  const ofChosen = since[orders.indexOf(chosen)]
  const credit = usedAccountCredit(await timeline(chosen.id), chosen.total.currency)
  const renewed = chosen.kind === "renewal" ? await billing.renewalItems(chosen.id) : []
  const invoice = hasExternalBilling ? await billing.externalInvoiceOf(chosen.id) : null
  return {
    query,
    rows: orders.flatMap(({ id, lines, total, placedAt }, row) => {
      const [line] = named(lines)
      return line ? [{ id, line, total, day: day(placedAt), notes: notesOf(since[row], writing) }] : []
    }),
    withdrawal: withdrawalIn(chosen, { since: ofChosen, shop, now: now(), locale }),
    receipt: {
      isAsked: chosen.id === asked,
      orderId: chosen.id,
      ...(invoice && { invoice: { label: t("payments.invoice"), number: invoice } }),
      day: day(chosen.placedAt),
      lines: named(chosen.lines, knownUsernames(renewed, inReach)),
      total: chosen.total,
      credit: credit.minor > 0 ? credit : null,
      refund: ofChosen?.refund ?? null,
      seller: shop.legal.seller ?? shop.brand.name,
      tax: taxNote(chosen, { legal: shop.legal, locale }),
      documents: await documentsOf(context, chosen),
      declared: declaredIn(chosen, { locale, timeZone: shop.timeZone }),
    },
    texts: {
      heading: t("payments.heading"),
      receipt: t("payments.receipt"),
      earlier: t("payments.earlier"),
      order: t("payments.order"),
      date: t("payments.date"),
      seller: t("payments.seller"),
      credit: t("payments.credit"),
      refunded: t("payments.refunded"),
    },
  }
}

/** What has become of a paid order since. */
type Since = { readonly refund: Money | null; readonly withdrawn: Instant | null }

/** The timeline of an order without days of withdrawal is not read for one. */
async function sinceOf(
  services: Pick<LoggedServices, "billing">,
  { order, timeline }: { readonly order: Order; readonly timeline: Timeline },
): Promise<Since> {
  const hasDays = order.saleTerms?.withdrawalDays != null
  return {
    refund: await refundOfOrder(services, { order, timeline }),
    withdrawn: hasDays ? withdrawnAt(await timeline(order.id)) : null,
  }
}

function notesOf(since: Since | undefined, { t, day, money }: Writing): string {
  const notes = [
    since?.withdrawn && t("payments.withdrawn", { date: day(since.withdrawn) }),
    since?.refund && `${t("payments.refunded")} ${money(since.refund)}`,
  ]
  return notes.filter(Boolean).join(", ")
}

/** An order's invoice and credit notes, each with its files: "Invoice 2026-000001", "Invoice 2026-000001 (PDF)". */
async function documentsOf(
  context: Context,
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
  readonly since: Since | undefined
  readonly now: Instant
  readonly locale: Locale
}

/** The page to withdraw from an order, in a shop that has one; null once it is withdrawn from. */
function withdrawalIn(order: Order, { since, shop, now, locale }: Withdrawable): string | null {
  const end = withdrawalEnd(order, shop.timeZone)
  if (since?.withdrawn || end === null || now > end || !offersWithdrawal(shop.legal.law)) return null
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
