import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { documentTexts } from "~/documents/texts"
import { isProformaOffered } from "~/domain/accounting/tax-document"
import { BASE } from "~/domain/base-path"
import { DAY, dayIn, type Instant } from "~/domain/calendar"
import { isErased, normalizeEmail } from "~/domain/customers/email"
import { type Locale, localPath } from "~/domain/locales"
import { plus } from "~/domain/money/money"
import type { Order, OrderKind } from "~/domain/orders/order"
import { proformaPath } from "~/domain/orders/screen-paths"
import { outstanding } from "~/domain/orders/settlement"
import { isLightning, opensWallet } from "~/domain/payments/coin"
import { coinMinutes, methodWords } from "~/domain/shop/payment-methods"
import type { Pay } from "~/flows/payments/get-order-progress.server"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { coinText } from "~/ui/form/coin-name"
import { dayText, moneyText } from "~/ui/layout/format"
import { relativeDayText, zonedTimeText } from "~/ui/layout/relative-day.server"
import type { LookingView } from "~/ui/waiting/waiting-looking"
import type { WaitingTexts } from "~/ui/waiting/waiting-screen"

type Shown = {
  readonly order: Order
  readonly pay: Pay | null
  readonly until: Instant
  /** Whether it is for a service of somebody else. */
  readonly isForeign: boolean
  readonly newChoice: string | null
}
type Writing = { readonly t: ScreenTexts; readonly locale: Locale }

/** What the waiting page says of an order's state. */
export async function waitingTexts(
  context: RouteContext,
  { order, pay, until, isForeign, newChoice }: Shown,
): Promise<WaitingTexts> {
  const services = context.get(servicesContext)
  const locale = context.get(localeContext)
  const t = screenTexts(locale.code)
  const writing = { t, locale }
  const { received } = order
  const left = outstanding(order)
  const amount = moneyText(left, locale)
  // Account credit has not arrived: what is missing is a part of what the buyer pays besides it.
  const sums = { received: moneyText(received, locale), total: moneyText(plus(received, left), locale) }
  const support = supportOf(services, order, writing)
  return {
    heading: headingOf({ order, pay }, writing),
    lead: leadOf(services, { order, pay }, { t, sums }),
    pay: isPartlyPaid(order)
      ? t("unpaid.payRest", { amount })
      : t("unpaid.pay", { amount, host: pay?.host ?? "" }),
    alreadyPaid: t("unpaid.alreadyPaid"),
    check: t("unpaid.check"),
    wallet: pay?.transfer && opensWallet(pay.transfer) ? t("unpaid.wallet") : null,
    ...transferTexts(pay, t),
    payBy: payByOf(services, { pay, until }, writing),
    safe: t((await isMailed(services, order)) ? "unpaid.email" : "unpaid.comeBack"),
    looking: searchTexts(services, { order, pay }, writing),
    ...cancellationTexts(services, order, { t, sums }),
    newChoice,
    editHeading: t("unpaid.editHeading"),
    edit: t(keepsService.includes(order.kind) ? "unpaid.editOfService" : "unpaid.edit"),
    justPaid: t("unpaid.justPaid"),
    outcome: outcomeOf(order, t),
    didPay: support && { text: t("unpaid.didPay"), href: support.href },
    proforma: isForeign ? null : proformaLink(order, locale),
  }
}

/** The buyer has the service already, and returns there. */
const keepsService: readonly OrderKind[] = ["upsell", "renewal", "topup", "plan-change"]

/** The result of a payment that opens no account; null: the kind of the order names it. */
function outcomeOf({ kind }: Order, t: ScreenTexts): string | null {
  return kind === "reseller-credits" ? t("lines.creditsAdded") : null
}

/** The page of an order's pro forma invoice; null for an order without one. */
function proformaLink(order: Order, locale: Locale): WaitingTexts["proforma"] {
  if (!isProformaOffered(order)) return null
  const href = `${BASE}${localPath(locale, proformaPath.replace(":file", order.id))}`
  return { text: documentTexts(locale.code)("kind.proforma"), href }
}

/** What a transfer is sent to, and what alone. A Lightning invoice is paid, and takes nothing else. */
function transferTexts(pay: Pay | null, t: ScreenTexts): Pick<WaitingTexts, "sendTo" | "sendOnly"> {
  if (!pay?.transfer) return { sendTo: "", sendOnly: "" }
  const { coin } = pay.transfer
  return isLightning(coin)
    ? { sendTo: t("unpaid.payInvoice"), sendOnly: t("unpaid.invoiceOnly") }
    : { sendTo: t("unpaid.sendTo"), sendOnly: t("unpaid.sendOnly", { coin: coinText(coin) }) }
}

/** A part has arrived: what is still to be paid is the rest. */
function isPartlyPaid({ received }: Pick<Order, "received">): boolean {
  return received.minor > 0
}

/** The heading where it names an amount, or how the payment has ended; null: the page's own. */
function headingOf({ order, pay }: Pick<Shown, "order" | "pay">, { t, locale }: Writing): string | null {
  if (isPartlyPaid(order)) return t("unpaid.missing", { amount: moneyText(outstanding(order), locale) })
  if (pay?.ended) return t(pay.expired ? "unpaid.runOut" : "unpaid.failed")
  if (!pay?.transfer) return null
  const { amount, coin } = pay.transfer
  return t("unpaid.send", { amount, coin: coin.currency })
}

type Sums = Pick<Writing, "t"> & { readonly sums: { readonly received: string; readonly total: string } }

/** The state in one sentence. Where credit is external, who takes the payments decides about late ones. */
function leadOf(services: Selling, { order, pay }: Pick<Shown, "order" | "pay">, { t, sums }: Sums): string {
  const partly = isPartlyPaid(order)
  if (order.status === "expired")
    return withContact(services, partly ? expiredPartlyIn(order) : expiredIn(services), { t, sums })
  return partly ? t("unpaid.arrived", sums) : t(unpaidLeadOf(pay))
}

type Selling = Pick<LoggedServices, "isCreditExternal" | "shop">

function expiredIn({ isCreditExternal }: Selling) {
  return isCreditExternal ? "unpaid.expiredExternal" : "unpaid.expired"
}

/** Texts about money that only a person can assign, who asks for the order's number. */
const settledByHand: ReadonlySet<string> = new Set([
  "unpaid.expiredExternal",
  "unpaid.expiredPartly",
  "unpaid.partExternal",
  "unpaid.abortExternal",
  "unpaid.lookingExternal",
] satisfies Text[])
type Text = Parameters<ScreenTexts>[0]

/** A text, with the request to get in touch where that is what helps, and the shop has a contact. */
function withContact({ shop }: Selling, key: Text, { t, sums }: Pick<Writing, "t"> & Partial<Sums>): string {
  const text = t(key, sums)
  return settledByHand.has(key) && shop.links.support !== null ? `${text} ${t("unpaid.tellOrder")}` : text
}

/** What has become of the part that was paid for an expired order. */
function expiredPartlyIn({ received, credited }: Pick<Order, "received" | "credited">) {
  return credited.minor >= received.minor ? "unpaid.expiredCredited" : "unpaid.expiredPartly"
}

/** What becomes of the part that has been paid, and of a payment still to come, if the order is cancelled. */
function cancellationTexts(
  services: Selling,
  order: Order,
  writing: Sums,
): Pick<WaitingTexts, "paidPart" | "abort"> {
  const text = (own: Text, external: Text) =>
    withContact(services, services.isCreditExternal ? external : own, writing)
  const paidPart = isPartlyPaid(order) ? text("unpaid.partCredit", "unpaid.partExternal") : null
  return { paidPart, abort: paidPart ?? text("unpaid.abort", "unpaid.abortExternal") }
}

/** The sentence of an open order of which nothing has arrived. */
function unpaidLeadOf(pay: Pay | null) {
  if (!pay?.ended) return "unpaid.notYet"
  return pay.expired ? "unpaid.runOutLead" : "unpaid.failedLead"
}

/** What the page says while it looks for a payment: how long the method takes, and what becomes of a late payment. */
function searchTexts(
  services: LoggedServices,
  { order, pay }: Pick<Shown, "order" | "pay">,
  { t, locale }: Writing,
): LookingView {
  const { shop, isCreditExternal } = services
  const minutes = pay?.coin
    ? coinMinutes(shop.methods, order.gateway, pay.coin)
    : methodWords(shop.methods, order.gateway, locale.code).minutes
  const range = minutes && { from: String(minutes.from), to: String(minutes.to) }
  return {
    heading: t("unpaid.looking"),
    lead: t("unpaid.lookingLead"),
    notes: [
      ...(range ? [t("unpaid.lookingRange", range)] : []),
      withContact(services, isCreditExternal ? "unpaid.lookingExternal" : "unpaid.lookingLate", { t }),
    ],
    check: t("unpaid.check"),
    notPaid: t("unpaid.notPaid"),
    support: supportOf(services, order, { t, locale }),
  }
}

function supportOf({ shop }: Pick<LoggedServices, "shop">, { id }: Order, { t }: Writing) {
  const href = shop.links.support
  return href === null ? null : { text: t("unpaid.support", { order: id }), href }
}

/** Whether a message follows the payment: with a mail server, to an address that mail does not come back from. */
async function isMailed({ mailer, mails }: LoggedServices, { email }: Order): Promise<boolean> {
  if (mailer === null || isErased(email)) return false
  return (await mails.suppressionsOf(normalizeEmail(email))).every(({ scope }) => scope !== "all")
}

/** Until when a coin's amount is valid, and until when to pay if that is another moment. */
function payByOf(services: LoggedServices, { pay, until }: Pick<Shown, "pay" | "until">, writing: Writing) {
  const amountUntil = pay?.transfer?.expiresAt
  const texts = [
    ...(amountUntil
      ? [writing.t("unpaid.amountUntil", { when: whenText(amountUntil, services, writing) })]
      : []),
    ...(amountUntil === until
      ? []
      : [writing.t("unpaid.payBy", { when: whenText(until, services, writing) })]),
  ]
  return texts.join(" ")
}

/** "16:40 CET today", "tomorrow at 16:40 CET"; further away the date. */
function whenText(at: Instant, { now, shop }: LoggedServices, { t, locale }: Writing): string {
  const { timeZone } = shop
  const days = Math.round((Date.parse(dayIn(timeZone, at)) - Date.parse(dayIn(timeZone, now()))) / DAY)
  const time = zonedTimeText(at, locale, timeZone)
  if (days === 0) return t("unpaid.todayAt", { time })
  const day = Math.abs(days) === 1 ? relativeDayText(days, locale) : dayText(at, locale, timeZone)
  return t("unpaid.dayAt", { day, time })
}
