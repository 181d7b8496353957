import { plus } from "~/domain/money/money"
import { serviceName } from "~/ui/layout/plan-name"
import type { RenewedInMail } from "../../message"
import type { Writing } from "../writing"
import { boughtIn, button, type Composed, type ContentOf, note, paragraph } from "./composed"
import { openOrderOf, productOf, receiptOf } from "./receipt"

type AboutPaidOrder = ContentOf<"receipt" | "payment-received" | "new-reseller">
type AboutOpenOrder = ContentOf<"partly-paid" | "order-expired" | "order-unpaid" | "withdrawal">

/** The order is paid and what was bought is ready; for a new reseller too. */
export function receipt({ order, url }: AboutPaidOrder, writing: Writing): Composed {
  const { t, money } = writing
  const bought = boughtIn(order)
  const total = money(order.total)
  const lead = order.total.minor === 0 ? "leadFree" : "lead"
  return {
    subject: t(`receipt.${bought}.subject`),
    preview: t("receipt.preview", { total, order: order.id }),
    blocks: [
      paragraph(t(`receipt.${bought}.${lead}`, { total })),
      ...order.renewed.map((it) => paragraph(renewedText(it, writing))),
      button(t(`receipt.${bought}.action`), url),
      note(t(`receipt.${bought}.note`)),
    ],
    receipt: receiptOf(order, writing),
    reason: "order",
  }
}

/** Nothing is set up by a renewal, a top-up or further credits, which cause no such message. */
function setUpIn(order: AboutPaidOrder["order"]): "plan" | "upsell" | "reseller" | "plan-change" {
  const bought = boughtIn(order)
  if (bought === "reseller-credits") return "reseller"
  return bought === "renewal" || bought === "topup" ? "plan" : bought
}

function renewedText({ name, ending, until }: RenewedInMail, { t, locale, day }: Writing): string {
  return t("receipt.renewal.until", { plan: serviceName(name, ending, locale), date: day(until) })
}

/** The order is paid, and setting up takes longer. */
export function paymentReceived({ order, url }: AboutPaidOrder, writing: Writing): Composed {
  const { t, money } = writing
  return {
    subject: t("payment-received.subject"),
    preview: t("payment-received.preview"),
    blocks: [
      paragraph(t(`payment-received.lead.${setUpIn(order)}`, { total: money(order.total) })),
      paragraph(t("payment-received.next")),
      button(t("payment-received.action"), url),
    ],
    receipt: receiptOf(order, writing),
    reason: "order",
  }
}

/** A part of the total has arrived. After the deadline the rest cannot be paid. */
export function partlyPaid({ order, url }: AboutOpenOrder, writing: Writing): Composed {
  const { t, money, moment, setting } = writing
  const [due, received] = [money(order.due), money(order.received)]
  // Account credit has not arrived: what is missing is a part of what the buyer pays besides it.
  const total = money(plus(order.received, order.due))
  const deadline = moment(order.deadline)
  const isOpen = setting.now < order.deadline
  const next = isOpen ? t("partly-paid.open", { deadline }) : t("partly-paid.over")
  return {
    subject: t("partly-paid.subject", { due }),
    preview: t("partly-paid.preview", { received, total, order: order.id }),
    blocks: [
      paragraph(
        `${t("partly-paid.lead", { received, total, order: order.id })} ${next}`,
        isOpen ? deadline : null,
      ),
      button(isOpen ? t("partly-paid.action", { due }) : t("partly-paid.see"), url),
      ...(isOpen ? [note(t("partly-paid.note"))] : []),
    ],
    receipt: openOrderOf(order, writing),
    reason: "order",
  }
}

/** The order ended with a part of its total paid. */
export function orderExpired({ order, url }: AboutOpenOrder, writing: Writing): Composed {
  const { t, money, moment, setting } = writing
  const received = money(order.received)
  return {
    subject: t("order-expired.subject", { order: order.id }),
    preview: t("order-expired.preview", { received }),
    blocks: [
      paragraph(t("order-expired.lead", { deadline: moment(order.deadline), received }), received),
      ...(setting.supportUrl === null ? [] : [paragraph(t("order-expired.next"))]),
      button(t("order-expired.action"), url),
    ],
    receipt: openOrderOf(order, writing),
    reason: "order",
  }
}

/** The one reminder of an order that nobody has paid. */
export function orderUnpaid({ order, url }: AboutOpenOrder, writing: Writing): Composed {
  const { t, money, moment } = writing
  const product = productOf(order, writing)
  const gaps = { product, total: money(order.total), deadline: moment(order.deadline) }
  return {
    subject: t("order-unpaid.subject"),
    preview: t("order-unpaid.preview", gaps),
    blocks: [
      paragraph(t("order-unpaid.lead", gaps), gaps.deadline),
      button(t("order-unpaid.action", { due: money(order.due) }), url),
      note(t("order-unpaid.note")),
    ],
    receipt: null,
    reason: "reminder",
  }
}

/** The operator has checked an order that was on hold, and its buyer can go on. */
export function orderReleased(
  { order, isChanged, url }: ContentOf<"order-released">,
  writing: Writing,
): Composed {
  const { t, money, moment } = writing
  const about = { order: order.id, deadline: moment(order.deadline) }
  const pay = [
    paragraph(t("order-released.lead", about), about.deadline),
    button(t("order-released.action", { due: money(order.due) }), url),
    note(t("order-released.note")),
  ]
  const look = [paragraph(t("order-released.changed", about)), button(t("order-released.see"), url)]
  return {
    subject: t("order-released.subject"),
    preview: t("order-released.preview", about),
    blocks: isChanged ? look : pay,
    receipt: isChanged ? null : openOrderOf(order, writing),
    reason: "order",
  }
}

/** Money that an order could not take has become credit. */
export function accountCredit(content: ContentOf<"account-credit">, { t, money }: Writing): Composed {
  const { order, event, url } = content
  const amount = money(content.amount)
  return {
    subject: t("account-credit.subject", { amount }),
    preview: t("account-credit.preview", { order: order.id }),
    blocks: [
      paragraph(t(`account-credit.lead.${event}`, { amount, order: order.id }), amount),
      paragraph(t("account-credit.next")),
      button(t("account-credit.action"), url),
    ],
    receipt: null,
    reason: "order",
  }
}

export function refund(
  { order, url, claimUrl, isCredit, hasEnded, ...content }: ContentOf<"refund">,
  { t, money }: Writing,
): Composed {
  const amount = money(content.amount)
  const taken = claimUrl === null ? "refund.next" : "refund.claim"
  return {
    subject: t("refund.subject", { amount }),
    preview: t("refund.preview", { order: order.id }),
    blocks: [
      paragraph(
        `${t("refund.lead", { amount, order: order.id })} ${t(isCredit ? "refund.credit" : taken)}`,
        amount,
      ),
      ...(hasEnded ? [paragraph(t("refund.ended"))] : []),
      claimUrl === null
        ? button(t("refund.action"), url)
        : button(t("refund.claimAction", { amount }), claimUrl),
    ],
    receipt: null,
    reason: "order",
  }
}

/** A business is confirmed after the sale: what it gets back, and which documents it has now. */
export function invoiceReplaced(
  { order, url, ...content }: ContentOf<"invoice-replaced">,
  { t, money }: Writing,
): Composed {
  const amount = money(content.amount)
  return {
    subject: t("invoice-replaced.subject", { amount }),
    preview: t("invoice-replaced.preview", { order: order.id }),
    blocks: [
      paragraph(t("invoice-replaced.lead", { amount, order: order.id }), amount),
      paragraph(t("invoice-replaced.documents")),
      note(t("invoice-replaced.next")),
      button(t("invoice-replaced.action"), url),
    ],
    receipt: null,
    reason: "order",
  }
}

/** The shop has received the buyer's withdrawal: when, from what, and what follows. */
export function withdrawal({ order, url }: AboutOpenOrder, writing: Writing): Composed {
  const { t, moment, setting } = writing
  const gaps = { order: order.id, moment: moment(order.withdrawnAt ?? setting.now) }
  return {
    subject: t("withdrawal.subject", gaps),
    preview: t("withdrawal.preview", gaps),
    blocks: [
      paragraph(t("withdrawal.lead", gaps), gaps.moment),
      paragraph(t("withdrawal.declaration", gaps)),
      paragraph(t("withdrawal.next")),
      button(t("withdrawal.action"), url),
    ],
    receipt: order.paidAt === null ? openOrderOf(order, writing) : receiptOf(order, writing),
    reason: "order",
  }
}
