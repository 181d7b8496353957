import type { QuoteLine } from "~/domain/catalogue/pricing"
import { type Money, minus, times } from "~/domain/money/money"
import { discountText, rateText } from "~/ui/layout/format"
import { namedLines, planName, serviceName } from "~/ui/layout/plan-name"
import type { OrderInMail } from "../../message"
import type { Receipt, ReceiptRow } from "../message-document"
import type { Writing } from "../writing"

/** The receipt of a paid order. */
export function receiptOf(order: OrderInMail, writing: Writing): Receipt {
  const { t, money } = writing
  const { total, waived } = order
  return {
    title: t("order.heading"),
    order: t("order.number", { order: order.id }),
    lines: rowsOf(order, writing),
    sums: waived ? waivedSums(total, waived, writing) : [],
    result: { label: t("order.totalPaid"), amount: money(waived ? minus(total, waived) : total) },
    notes: [
      ...taxNotes(order, writing),
      ...paymentNotes(order, writing),
      ...(order.invoiceNumber === undefined ? [] : [t("order.document", { number: order.invoiceNumber })]),
      ...(order.externalInvoice ? [t("order.externalInvoice", { number: order.externalInvoice })] : []),
    ],
  }
}

/** The price, and what of it nobody has paid. */
function waivedSums(total: Money, waived: Money, { t, money, locale }: Writing): Receipt["sums"] {
  return [
    { label: t("order.total"), amount: money(total) },
    { label: t("order.waived"), amount: discountText(times(waived, -1), locale) },
  ]
}

/** What was ordered, what has arrived and, until the deadline, what is left to pay. */
export function openOrderOf(order: OrderInMail, writing: Writing): Receipt {
  const { t, money, moment, setting, locale } = writing
  const takenOff = (amount: Money) => discountText(times(amount, -1), locale)
  const received = { label: t("order.received"), amount: money(order.received) }
  const isOpen = setting.now < order.deadline
  return {
    title: t("order.headingOpen"),
    order: t("order.number", { order: order.id }),
    lines: rowsOf(order, writing),
    sums: [
      { label: t("order.total"), amount: money(order.total) },
      ...(order.usedAccountCredit.minor > 0
        ? [{ label: t("order.credit"), amount: takenOff(order.usedAccountCredit) }]
        : []),
      ...(isOpen && order.received.minor > 0 ? [{ ...received, amount: takenOff(order.received) }] : []),
    ],
    result: isOpen ? { label: t("order.due"), amount: money(order.due) } : received,
    notes: [...taxNotes(order, writing), t("order.placedAt", { moment: moment(order.placedAt) })],
  }
}

/** The plan of an order, or what was added to one. */
export function productOf(order: OrderInMail, writing: Writing): string {
  return rowsOf(order, writing)[0]?.label ?? ""
}

function rowsOf({ lines, endings, addsTo }: OrderInMail, writing: Writing): readonly ReceiptRow[] {
  return namedLines(lines, writing.locale, endings).map((line) => rowOf(line, addsTo, writing))
}

function rowOf(line: QuoteLine, addsTo: OrderInMail["addsTo"], writing: Writing): ReceiptRow {
  const { t, locale, money } = writing
  switch (line.kind) {
    case "plan":
    case "renewal":
    case "planChange":
      return { label: planName(line.name, locale), amount: money(line.amount) }
    case "discount":
      return { label: t("order.discount", { code: line.code }), amount: discountText(line.amount, locale) }
    case "unusedTime":
      return {
        label: t("order.unusedTime", { plan: planName(line.name, locale) }),
        amount: discountText(line.amount, locale),
      }
    case "moreConnections":
      return { label: connectionsText(line.quantity, addsTo, writing), amount: money(line.amount) }
    default:
      return { label: t(`order.${line.kind}`), amount: money(line.amount) }
  }
}

/** "2 extra connections · 12 months (…WZ7M)". */
function connectionsText(count: number, addsTo: OrderInMail["addsTo"], { t, locale }: Writing): string {
  const text = t("order.moreConnections", { count })
  return addsTo ? `${text} · ${serviceName(addsTo.name, addsTo.ending, locale)}` : text
}

function taxNotes({ taxes = [] }: OrderInMail, { t, money, locale }: Writing): string[] {
  return taxes.map(({ rate, amount, net }) => {
    if (rate === null) return t("order.taxSum", { amount: money(amount) })
    const words = { rate: rateText(rate, locale), amount: money(amount) }
    if (!net) return t("order.tax", words)
    return `${t("order.taxElsewhere", words)}, ${t("order.withoutTax", { amount: money(net) })}`
  })
}

function paymentNotes(order: OrderInMail, writing: Writing): string[] {
  const { t, moment } = writing
  return [
    ...(order.paidAt === null ? [] : [t("order.paidAt", { moment: moment(order.paidAt) })]),
    ...(order.paidUntil === null ? [] : [t(untilKey(order), { moment: moment(order.paidUntil) })]),
    ...(order.received.minor > 0 ? [t("order.method", { method: methodOf(order, writing) })] : []),
    ...creditNote(order, writing),
    ...declarationNotes(order, writing),
  ]
}

/** As the checkout calls it. */
function methodOf({ methodName, gateway }: OrderInMail, { t }: Writing): string {
  return methodName ?? t(`order.gateway.${gateway}`)
}

function untilKey({ isTrial }: OrderInMail): "order.trialUntil" | "order.paidUntil" {
  return isTrial ? "order.trialUntil" : "order.paidUntil"
}

function creditNote({ usedAccountCredit }: OrderInMail, { t, money }: Writing): string[] {
  return usedAccountCredit.minor > 0 ? [t("order.fromCredit", { amount: money(usedAccountCredit) })] : []
}

/** The buyer's declarations, as they were made. */
function declarationNotes({ declarations }: OrderInMail, { t, moment }: Writing): string[] {
  if (!declarations) return []
  const { at, consent, acknowledgement } = declarations
  return [t("order.declared", { moment: moment(at) }), consent, acknowledgement]
}
