import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { JobListed, MailListed } from "~/billing/orders/order-admin"
import { type Command, CommandError } from "~/cli/command"
import { amount, ELSEWHERE, jsonAmount, jsonTime, time } from "~/cli/format"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import { percentText } from "~/domain/money/basis-points"
import { money } from "~/domain/money/money"
import { taxesOf } from "~/domain/orders/order-tax"
import { jsonJob, stateOf } from "../jobs.server"
import { jsonMail, outcomeOf } from "../mail/mail-log.server"

type OrderDetails = NonNullable<Awaited<ReturnType<EmbeddedBilling["operator"]["order"]>>>

type GatewayRefund = Awaited<ReturnType<EmbeddedBilling["refunds"]["ofOrder"]>>[number]

/** An order has few messages; the limit only bounds the query. */
const MAX_MAILS = 1_000

export const showOrder: Command = {
  about: "show one order: lines, payments, service, timeline with messages",
  args: ["NUMBER"],
  async run({ billing, args: [number = ""] }) {
    const shown = await billing.operator.order(number)
    if (!shown) throw new CommandError(`Order "${number}" not found.`)
    const jobs = await billing.operator.jobs(shown.order.id)
    const mails = await billing.operator.mails({ orderId: shown.order.id, limit: MAX_MAILS })
    const refunds = await billing.refunds.ofOrder(shown.order.id)
    const lines = [
      ...orderIn(shown),
      shown.order.trialHours === undefined ? null : `Free trial  ${shown.order.trialHours} hours`,
      shown.tags.length === 0 ? null : `Tags  ${shown.tags.join(", ")}`,
      serviceIn(shown),
      ...jobs.flatMap((job) => jobIn(job, shown.order.id)),
      "Payments",
      ...shown.movements.map(paymentIn),
      ...creditIn(shown),
      ...coinReferencesIn(shown),
      ...refundsIn(refunds),
      chargebackIn(shown),
      ...refundableIn(shown),
      ...unappliedIn(shown),
      "Timeline",
      ...timelineIn(shown, mails),
      ...notesIn(shown),
    ]
    return {
      text: lines.filter(Boolean).join("\n"),
      data: { order: jsonOrder(shown, { jobs, mails, refunds }) },
    }
  },
}

type Related = {
  readonly jobs: readonly JobListed[]
  readonly mails: readonly MailListed[]
  readonly refunds: readonly GatewayRefund[]
}

/** An order in `--json` output. */
function jsonOrder(
  { order, email, address, affiliateId, service, ...shown }: OrderDetails,
  { jobs, mails, refunds }: Related,
) {
  return {
    number: order.id,
    kind: order.kind,
    status: order.status,
    decision: order.decision,
    email,
    address,
    affiliateId,
    gateway: order.gateway,
    locale: order.locale,
    placedAt: jsonTime(order.placedAt),
    deadline: jsonTime(order.deadline),
    lines: order.lines.map((line) => ({ name: nameOf(line), amount: jsonAmount(line.amount) })),
    total: jsonAmount(order.total),
    taxes: (taxesOf(order) ?? []).map(({ basisPoints, amount: minor }) => ({
      percent: basisPoints === null ? null : basisPoints / 100,
      amount: jsonAmount(money(minor, order.total.currency)),
    })),
    received: jsonAmount(order.received),
    credited: jsonAmount(order.credited),
    trialHours: order.trialHours ?? null,
    service: service && {
      number: service.id,
      status: service.status,
      username: service.username,
      host: service.host,
    },
    jobs: jobs.map(jsonJob),
    payments: shown.movements.map(({ bookedAt, gateway, transactionId, ...it }) => ({
      at: jsonTime(bookedAt),
      gateway,
      transactionId,
      amount: jsonAmount(it.amount),
    })),
    creditMovements: shown.creditMovements.map(({ at, cause, ...it }) => ({
      at: jsonTime(at),
      cause,
      amount: jsonAmount(it.amount),
    })),
    gatewayRefunds: refunds.map(jsonRefund),
    refundable: {
      credit: jsonAmount(shown.refundable.credit),
      outside: jsonAmount(shown.refundable.outside),
      received: jsonAmount(shown.refundable.received),
    },
    chargeback: shown.chargeback && {
      amount: jsonAmount(shown.chargeback.amount),
      at: jsonTime(shown.chargeback.at),
      gateway: shown.chargeback.gateway,
      isOpen: shown.chargeback.isOpen,
    },
    notApplied: shown.unapplied.map(({ at, gateway, reason, detail, count }) => ({
      at: jsonTime(at),
      gateway,
      reason,
      detail,
      count,
    })),
    timeline: shown.timeline.map(({ at, kind, reference, ...it }) => ({
      at: jsonTime(at),
      kind,
      amount: it.amount && jsonAmount(it.amount),
      reference,
    })),
    mails: mails.map(jsonMail),
    attempts: shown.attempts.map(({ gateway, coin, status, paymentId, ...attempt }) => ({
      gateway,
      coin,
      status,
      amount: jsonAmount(attempt.amount),
      received: jsonAmount(attempt.received),
      paymentId,
      openedAt: jsonTime(attempt.openedAt),
    })),
    coinReferences: shown.coinReferences.map(({ at, ...it }) => ({ at: jsonTime(at), ...it })),
    callbacks: shown.callbacks.map(({ at, gateway, status, received, transactionId }) => ({
      at: jsonTime(at),
      gateway,
      status,
      received: jsonAmount(received),
      transactionId,
    })),
    notes: shown.notes.map(({ at, operator, text }) => ({ at: jsonTime(at), operator, text })),
    tags: shown.tags,
  }
}

/** Events and messages of an order, oldest first. A message follows the events of the same time, which caused it. */
function timelineIn({ timeline }: OrderDetails, mails: readonly MailListed[]): string[] {
  const events = timeline.map(({ at, kind, amount: money, reference }) => ({
    at,
    text: `${kind}  ${money ? amount(money) : ""}  ${reference ?? ""}`,
  }))
  const messages = mails.map((mail) => ({
    at: mail.createdAt,
    text: `message  ${mail.name}  ${mail.email ?? "the operator"}  ${outcomeOf(mail)}  ${mail.id}`,
  }))
  return [...events, ...messages.toReversed()]
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }) => `  ${time(at)}  ${text}`)
}

function notesIn({ notes }: OrderDetails): string[] {
  if (notes.length === 0) return []
  return ["Notes", ...notes.map(({ at, operator, text }) => `  ${time(at)}  ${operator}  ${text}`)]
}

/** A job of the order and, if the job has failed, the command that runs it now. */
function jobIn(job: JobListed, orderId: string): string[] {
  const line = `Job ${job.id}  ${job.topic}  ${stateOf(job)}`
  return job.tries === 0 ? [line] : [line, `  to run it now: npm run admin -- jobs retry ${orderId}`]
}

function jsonRefund({ id, at, gateway, amount: sum, state, detail, claimUrl, address }: GatewayRefund) {
  return { id, at: jsonTime(at), gateway, amount: jsonAmount(sum), state, detail, claimUrl, address }
}

/** What gateways pay back: sent, refused, or on its way. */
function refundsIn(refunds: readonly GatewayRefund[]): string[] {
  if (refunds.length === 0) return []
  return [
    "Refunds through gateways",
    ...refunds.map(({ at, gateway, amount: sum, state, detail, claimUrl }) =>
      ["", time(at), gateway, amount(sum), state, detail, claimUrl].filter((it) => it !== null).join("  "),
    ),
  ]
}

/** "  2026-06-15 12:00      20.00 EUR  offshore  tx1"; below zero: paid back. */
function paymentIn({
  bookedAt,
  amount: sum,
  gateway,
  transactionId,
}: OrderDetails["movements"][number]): string {
  const where = [gateway ?? ELSEWHERE, transactionId].filter((it) => it !== null)
  return ["", time(bookedAt), amount(sum).padStart(14), ...where].join("  ")
}

/** What became account credit; below zero: it was used for the order, or taken back. */
function creditIn({ creditMovements }: OrderDetails): string[] {
  if (creditMovements.length === 0) return []
  return [
    "Account credit",
    ...creditMovements.map(({ at, amount: sum, cause }) =>
      ["", time(at), amount(sum).padStart(14), cause].join("  "),
    ),
  ]
}

/** By what payments in coins are found on their networks. */
function coinReferencesIn({ coinReferences }: OrderDetails): string[] {
  if (coinReferences.length === 0) return []
  return [
    "Coin references",
    ...coinReferences.map(({ at, gateway, kind, value }) => ["", time(at), gateway, kind, value].join("  ")),
  ]
}

/** What a gateway has taken back by itself. */
function chargebackIn({ chargeback }: OrderDetails): string | null {
  if (!chargeback) return null
  const { amount: sum, at, gateway, isOpen } = chargeback
  const state = isOpen ? "open" : "dealt with"
  return `Chargeback  ${[amount(sum), gateway, time(at), state].filter(Boolean).join("  ")}`
}

function refundableIn({ refundable: { credit, outside, received } }: OrderDetails): string[] {
  if (credit.minor + outside.minor + received.minor === 0) return []
  return [
    `Refundable  ${amount(credit)} as account credit; ${amount(received)} of payments, ${amount(outside)} received elsewhere`,
  ]
}

function unappliedIn({ unapplied }: OrderDetails): string[] {
  if (unapplied.length === 0) return []
  return [
    "Payment updates not applied",
    ...unapplied.map(
      ({ at, gateway, reason, detail, count }) =>
        `  ${time(at)}  ${count} ×  ${gateway}  ${reason}  ${detail}`,
    ),
  ]
}

function orderIn({ order, email, address, affiliateId, movements }: OrderDetails): string[] {
  const { total, deadline } = order
  // Also outside the gateways, which `order.received` is without.
  const received = money(
    movements.reduce((sum, it) => sum + it.amount.minor, 0),
    total.currency,
  )
  return [
    `Order ${order.id}  ${order.kind}  ${statusOf(order)}  ${email}  ${order.gateway}  ${order.locale}`,
    `  from ${address ?? "unknown address"}${affiliateId === null ? "" : `, affiliate ${affiliateId}`}`,
    ...order.lines.map((line) => `  ${amount(line.amount).padStart(14)}  ${nameOf(line)}`),
    `  ${amount(total).padStart(14)}  total, ${amount(received)} received, due ${time(deadline)}`,
    ...describeTax(order),
  ]
}

function statusOf({ status, decision }: OrderDetails["order"]): string {
  return decision === null ? status : `${status} (${decision})`
}

function describeTax(order: OrderDetails["order"]): string[] {
  const { currency } = order.total
  return (taxesOf(order) ?? []).map(({ basisPoints, amount: minor }) => {
    const rate = basisPoints === null ? "" : ` at ${percentText(basisPoints)}`
    return `  ${amount(money(minor, currency)).padStart(14)}  of it tax${rate}`
  })
}

function nameOf(line: QuoteLine): string {
  if (line.kind === "discount") return line.code
  if (line.kind === "accountCredit") return "account credit"
  if (line.kind === "invoiceRest") return "tax, other items and credit"
  if (line.kind === "unusedTime") return `unused time of ${line.name}`
  return line.kind === "moreConnections" ? `${line.quantity} × ${line.name}` : line.name
}

function serviceIn({ service }: OrderDetails): string | null {
  if (!service) return null
  const { id, status, username, host } = service
  return `Service ${id}  ${status}  ${username}  ${host ?? "not provisioned"}`
}
