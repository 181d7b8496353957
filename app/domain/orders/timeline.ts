import type { Instant } from "../calendar"
import { type Currency, type Money, money } from "../money/money"
import type { OrderKind } from "./order"

/** Kinds of timeline events (specification, Payments). */
export const timelineKinds = [
  "placed",
  "handed-off",
  "seen",
  "partly-paid",
  "paid",
  "rest-waived",
  "overpaid",
  "credited",
  "part-credited",
  "credit-used",
  "credit-returned",
  "payment-failed",
  "payment-expired",
  "refunded",
  "refunded-to-credit",
  "late",
  "provisioning-delayed",
  "provisioned",
  "renewed",
  "credit-added",
  "cancelled",
  "expired",
  "flagged",
  "released",
  "refused",
  "requoted",
  "gateway-changed",
  "email-corrected",
  "restarted",
  "recreated",
  "withdrawn",
] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** What the operator's timeline of an order consists of: its events, and all that is recorded about it elsewhere. */
export type TimelineSource =
  | "event"
  | "attempt"
  | "coin"
  | "callback"
  | "ledger"
  | "job"
  | "mail"
  | "note"
  | "approval"
  | "refund"

/** An append-only event of an order. Buyer and operator read the same timeline. */
export type TimelineEvent = {
  readonly kind: TimelineKind
  readonly at: Instant
  readonly amount: Money | null
  /** Gateway, transaction or reason for the operator; never a secret. */
  readonly reference: string | null
}

/** Start of the reference of an operator's decision. */
export const OPERATOR_REFERENCE = "operator: "

/**
 * The timeline for the buyer: references are for the operator and never reach a browser. An order that cost nothing is paid with its
 * placing, and no payment was received.
 */
export function buyerTimeline(timeline: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const isPaidFree = ({ kind, amount }: TimelineEvent) => kind === "paid" && amount?.minor === 0
  return timeline.filter((event) => !isPaidFree(event)).map((event) => ({ ...event, reference: null }))
}

/** Whether an order was paid by this event since an operator has waived its rest: the event before says so, with the amount. */
export function isPaidByWaiving({ kind, amount, reference }: TimelineEvent): boolean {
  return kind === "paid" && amount?.minor === 0 && reference?.startsWith(OPERATOR_REFERENCE) === true
}

/** What an operator has waived of the price; undefined: nothing. */
export function waivedOf(timeline: readonly TimelineEvent[]): Money | undefined {
  return timeline.find(({ kind }) => kind === "rest-waived")?.amount ?? undefined
}

/** Kinds whose amount, which is below zero, has gone back to the buyer: as money, or as account credit. */
export const refundKinds = ["refunded", "refunded-to-credit"] as const satisfies readonly TimelineKind[]

function isRefund({ kind }: TimelineEvent): boolean {
  return (refundKinds as readonly TimelineKind[]).includes(kind)
}

/** Whether some of what was paid has gone back. */
export function isRefunded(timeline: readonly TimelineEvent[]): boolean {
  return timeline.some(isRefund)
}

/** When the buyer has withdrawn from the order; null: not. */
export function withdrawnAt(timeline: readonly TimelineEvent[]): Instant | null {
  return timeline.find(({ kind }) => kind === "withdrawn")?.at ?? null
}

/** What became account credit of an order that did not fit its service any more when it was paid; null: nothing. */
export function creditedInstead(timeline: readonly TimelineEvent[]): Money | null {
  const paid = timeline.findLastIndex(({ kind }) => kind === "paid")
  // A part that was paid before the order was cancelled became account credit before a late payment.
  return timeline.slice(paid + 1).find(({ kind }) => kind === "part-credited")?.amount ?? null
}

/** What of a paid order became account credit in place of what was bought: see `creditedInstead`, and external billing's. Null: nothing. */
export function creditedOf(
  { kind }: { readonly kind: OrderKind },
  timeline: readonly TimelineEvent[],
): Money | null {
  // All that a top-up was paid with is account credit, as it was ordered.
  if (kind === "topup") return null
  const added = timeline.find((event) => event.kind === "credit-added")?.amount
  return creditedInstead(timeline) ?? added ?? null
}

/** A payment of a part of an order. */
export type PartialPayment = { readonly at: Instant; readonly amount: Money }

/**
 * The payments in parts that have paid an order, oldest first. Empty: one payment has, or account credit, or the operator has received
 * what was left, whose amount the timeline does not have.
 */
export function partialPayments(timeline: readonly TimelineEvent[]): readonly PartialPayment[] {
  const paid = timeline.findIndex(({ kind }) => kind === "paid")
  if (!timeline[paid]?.amount) return []
  const parts = timeline.slice(0, paid + 1).flatMap(({ kind, at, amount }) =>
    // Nothing was paid with what an operator has waived.
    amount && amount.minor > 0 && (kind === "partly-paid" || kind === "paid") ? [{ at, amount }] : [],
  )
  return parts.length > 1 ? parts : []
}

/** What has gone back in all, in minor units. */
export function refundedAmount(timeline: readonly TimelineEvent[]): number {
  return timeline.filter(isRefund).reduce((sum, { amount }) => sum - (amount?.minor ?? 0), 0)
}

/** Whether an operator has marked an order as paid: no payment of its own has paid it. */
export function isMarkedPaid(timeline: readonly TimelineEvent[]): boolean {
  return timeline.some(({ kind, amount }) => kind === "paid" && amount === null)
}

/** Account credit that pays for an order: what was used less what was returned. Zero, if there is none, in the currency. */
export function usedAccountCredit(timeline: readonly TimelineEvent[], currency: Currency): Money {
  const sumOf = (kind: TimelineKind) =>
    timeline.reduce((sum, it) => (it.kind === kind ? sum + (it.amount?.minor ?? 0) : sum), 0)
  return money(sumOf("credit-used") - sumOf("credit-returned"), currency)
}

/** Whether provisioning has failed and is being retried, for a new or a recreated service. */
export function isDelayed(timeline: readonly TimelineEvent[]): boolean {
  const decisive = timeline.filter(({ kind }) => decisiveKinds.includes(kind))
  return decisive.at(-1)?.kind === "provisioning-delayed"
}

const decisiveKinds: readonly TimelineKind[] = ["provisioning-delayed", "provisioned", "recreated"]
