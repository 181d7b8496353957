import { DAY, HOUR, type Instant, MINUTE } from "../calendar"
import { type Cycle, monthsOf } from "../catalogue/billing-cycle"
import type { Quote, QuoteLine } from "../catalogue/pricing"
import { type Currency, type Money, minus, money } from "../money/money"
import { endOfCycles, endOfTerm, newTerm, type Term, withDays } from "./term"

/**
 * What becomes of the paid time in a change to a dearer plan of the same cycle. `difference`: it keeps its end, and the
 * difference is paid. `convert`: it becomes as much time of the new plan as it is worth, and nothing is paid.
 */
export const planChangePolicies = ["difference", "convert"] as const
export type PlanChangePolicy = (typeof planChangePolicies)[number]

/**
 * How a change takes effect now. `same-end`: the paid time keeps its end. `new-term`: a term of the new cycle begins. `converted`:
 * see `PlanChangePolicy`.
 */
export const planChangeKinds = ["same-end", "new-term", "converted"] as const
export type PlanChangeKind = (typeof planChangeKinds)[number]

/** Time between two changes of a service that take effect. */
const PLAN_CHANGE_INTERVAL = 24 * HOUR

/** A plan with its cycle, and what one cycle of it costs with the extras of a service. */
export type PlanTarget = {
  readonly productId: string
  readonly name: string
  readonly cycle: Cycle
  readonly price: Money
}

/** The plan that follows when the paid time ends. */
export type NextPlan = PlanTarget & {
  /** Terms of it are paid: it begins then, and is not cancelled any more. Null: it begins with the end of the paid time. */
  readonly startsAt: Instant | null
}

/** The paid time of a service, and the price of one of its cycles before the discount. */
export type PaidTime = { readonly term: Term; readonly cycle: Cycle; readonly price: Money }

/** What has been bought for a service, oldest first. `paid`: payments and account credit less refunds, in minor units. */
export type Purchase =
  | { readonly kind: "terms"; readonly cycles: number; readonly paid: number }
  /** Connections for the rest of the time that is paid. */
  | (BoughtAt & { readonly kind: "connections"; readonly paid: number })
  | (BoughtAt & {
      readonly kind: "change"
      /** Value of the former plan's time that was moved to this one. */
      readonly moved: number
      /** Sum of what was paid before it. A later refund of that reduces the moved value. */
      readonly paidBefore: number
      readonly paid: number
    })

type BoughtAt = {
  readonly at: Instant
  /** Days that the operator had taken back by then, more than they had given: the time that was bought is shorter by them. */
  readonly takenDays: number
}

/** A share as a fraction of whole numbers. */
type Fraction = { readonly of: bigint; readonly per: bigint }

/** Value of cycles up to the one with the number `until`, and the number of cycles that it was paid for. */
type Part = { readonly paid: number; readonly until: number; readonly cycles: Fraction }

/**
 * Value of the unused time: each purchase by the share of its cycles that is left, rounded down, and in all never more than was
 * paid. `purchases`: oldest first.
 */
export function unusedValue(
  purchases: readonly Purchase[],
  { term, cycle, at, currency }: Pick<PaidTime, "term" | "cycle"> & { at: Instant; currency: Currency },
): Money {
  const time = { term, cycle, at: afterTakenDays(term, at) }
  const values = partsOf(purchases, time).map(({ paid, until, cycles }) => {
    const left = cyclesLeft({ ...time, until })
    const [isLeft, all] = [left.of * cycles.per, left.per * cycles.of]
    if (isLeft === 0n) return 0
    // Cycles that lie ahead are those of the purchases before.
    return isLeft >= all ? paid : Number((BigInt(paid) * isLeft) / all)
  })
  const paid = purchases.reduce((sum, it) => sum + it.paid, 0)
  const value = values.reduce((sum, it) => sum + it, 0)
  return money(Math.max(0, Math.min(value, paid)), currency)
}

type Time = Pick<PaidTime, "term" | "cycle"> & { readonly at: Instant }

/** The purchases whose cycles belong to the present term, with the cycles of each: the newest has the last ones. */
function partsOf(purchases: readonly Purchase[], time: Time): readonly Part[] {
  const parts: Part[] = []
  let until = time.term.count
  for (const [index, purchase] of [...purchases.entries()].toReversed()) {
    parts.push(partOf(purchase, { ...time, until, before: purchases.slice(0, index) }))
    // All that was bought before has become part of a change.
    if (purchase.kind === "change") return parts
    if (purchase.kind === "terms") until -= purchase.cycles
    // A term that began anew has none of the cycles that were bought before.
    if (until < 0) return parts
  }
  return parts
}

type Bought = Time & { readonly until: number; readonly before: readonly Purchase[] }

function partOf(purchase: Purchase, { before, until, ...time }: Bought): Part {
  if (purchase.kind === "terms")
    return { paid: purchase.paid, until, cycles: { of: BigInt(purchase.cycles), per: 1n } }
  const cycles = cyclesLeft({ ...time, at: purchase.at + purchase.takenDays * DAY, until })
  if (purchase.kind === "connections") return { paid: purchase.paid, until, cycles }
  const refunded = purchase.paidBefore - before.reduce((sum, { paid }) => sum + paid, 0)
  const moved = Math.max(0, purchase.moved - Math.max(0, refunded))
  return { paid: moved + purchase.paid, until, cycles }
}

/** Days that were taken back count as used. */
function afterTakenDays({ extraDays }: Term, at: Instant): Instant {
  return at + Math.max(0, -extraDays) * DAY
}

/** Number of cycles from a time to the end of the cycle with the number `until`, without the days given by the operator. */
function cyclesLeft({ term, cycle, at, until }: Time & { readonly until: number }): Fraction {
  const endOf = (count: number) => endOfCycles({ ...term, count }, cycle)
  if (endOf(until) <= at) return { of: 0n, per: 1n }
  let running = until
  while (endOf(running - 1) > at) running -= 1
  const end = endOf(running)
  const length = BigInt(end - endOf(running - 1))
  return { of: BigInt(until - running) * length + BigInt(end - at), per: length }
}

/** A change of plan that may be chosen, with all its figures. */
export type PlanChange = PlanTarget &
  (
    | {
        readonly when: "now"
        readonly kind: PlanChangeKind
        /** Value of the unused time. */
        readonly credit: Money
        /** Price of the time of the new plan, of which `credit` is taken off. */
        readonly charge: Money
        readonly due: Money
        readonly term: Term
        readonly until: Instant
      }
    | { readonly when: "at-end"; readonly from: Instant }
  )

type Changing = PaidTime & {
  readonly at: Instant
  readonly zone: string
  readonly unused: Money
  readonly policy: PlanChangePolicy
}

/**
 * The change to another plan or cycle, null if it is the present one. Now: to a plan of the same cycle that costs as much or more,
 * and to a longer cycle. Everything else waits for the end of the paid time, and so does what the unused time is worth more than.
 */
export function planChange(
  present: Changing & { readonly productId: string },
  target: PlanTarget,
): PlanChange | null {
  if (target.productId === present.productId && target.cycle === present.cycle) return null
  const { term, cycle } = present
  const atEnd = { ...target, when: "at-end", from: endOfTerm(term, cycle) } as const
  const kind = kindOf(present, target)
  if (kind === null) return atEnd
  return figures[kind](present, target) ?? atEnd
}

function kindOf({ cycle, price, policy }: Changing, target: PlanTarget): PlanChangeKind | null {
  const [months, targetMonths] = [monthsOf(cycle), monthsOf(target.cycle)]
  const isDearer = target.price.minor * months >= price.minor * targetMonths
  // Time is converted only into time that costs as much or more: a longer cycle at a lower price is bought as a whole.
  if (policy === "convert" && isDearer) return "converted"
  if (targetMonths > months) return "new-term"
  return targetMonths === months && isDearer && policy === "difference" ? "same-end" : null
}

type Figures = (present: Changing, target: PlanTarget) => PlanChange | null

const figures: Record<PlanChangeKind, Figures> = {
  "same-end": (present, target) => {
    const { term, cycle, at } = present
    const left = cyclesLeft({ term, cycle, at: afterTakenDays(term, at), until: term.count })
    const charge = money(roundedUp(BigInt(target.price.minor) * left.of, left.per), target.price.currency)
    return charged(present, target, { kind: "same-end", charge, term })
  },

  "new-term": (present, target) => {
    const term = withDays(newTerm(present.at, present.zone, 1), daysLeft(present))
    return charged(present, target, { kind: "new-term", charge: target.price, term })
  },

  converted: (present, target) => {
    const { at, zone, unused } = present
    const until = convertedEnd(present, target)
    if (until === null || until - at < DAY) return null
    // No cycles have begun yet: those of renewals are counted from the end.
    const term = withDays(newTerm(until, zone, 0), daysLeft(present))
    return charged(present, target, { kind: "converted", charge: unused, term })
  },
}

type Charged = { readonly kind: PlanChangeKind; readonly charge: Money; readonly term: Term }

/** Null: the unused time is worth more than the new one. The rest would be account credit that was never paid in. */
function charged(
  { unused }: Changing,
  target: PlanTarget,
  { kind, charge, term }: Charged,
): PlanChange | null {
  const due = minus(charge, unused)
  if (due.minor < 0) return null
  const until = endOfTerm(term, target.cycle)
  return { ...target, when: "now", kind, credit: unused, charge, due, term, until }
}

/** Days given by the operator that are not used: they follow the paid cycles. */
function daysLeft({ term, cycle, at }: Changing): number {
  const days =
    at <= endOfCycles(term, cycle) ? term.extraDays : Math.floor((endOfTerm(term, cycle) - at) / DAY)
  return Math.max(0, days)
}

/** The end of as much time of a plan as the unused time is worth, rounded down to a minute. Null: the plan is free. */
function convertedEnd({ unused, at, zone }: Changing, { price, cycle }: PlanTarget): Instant | null {
  if (price.minor <= 0) return null
  const whole = Math.floor(unused.minor / price.minor)
  const [from, to] = [whole, whole + 1].map((count) => endOfTerm(newTerm(at, zone, count), cycle))
  if (from === undefined || to === undefined) return null
  const part = (BigInt(to - from) * BigInt(unused.minor % price.minor)) / BigInt(price.minor)
  return Math.floor((from + Number(part)) / MINUTE) * MINUTE
}

function roundedUp(of: bigint, per: bigint): number {
  return Number((of + per - 1n) / per)
}

/** The order of a change that takes effect now: the time of the new plan, less the value of the unused time. */
export function planChangeQuote(
  { productId, name, cycle, charge, credit, due }: Extract<PlanChange, { when: "now" }>,
  former: { readonly name: string },
): Quote {
  const plan = { kind: "planChange", productId, name, months: monthsOf(cycle), amount: charge } as const
  const unused = {
    kind: "unusedTime",
    name: former.name,
    amount: money(-credit.minor, credit.currency),
  } as const
  return { lines: credit.minor === 0 ? [plan] : [plan, unused], total: due }
}

/** The line of a quote or order that names the plan of a change; null: it is for something else. */
export function planChangeLine(
  lines: readonly QuoteLine[],
): Extract<QuoteLine, { kind: "planChange" }> | null {
  return lines.find((line) => line.kind === "planChange") ?? null
}

/** When a service may be changed again; null: now. `changedAt`: when its plan was last changed. */
export function changeableFrom(changedAt: Instant | null, at: Instant): Instant | null {
  const from = changedAt === null ? at : changedAt + PLAN_CHANGE_INTERVAL
  return from <= at ? null : from
}

/** A service as its next renewal finds it: with the plan that follows, whose cycles begin at the end of the paid time. */
export function asRenewed<
  S extends {
    readonly productId: string
    readonly name: string
    readonly cycle: Cycle | null
    readonly term: Term | null
    readonly paidUntil: Instant | null
  },
>(service: S, next: NextPlan | null): S {
  if (next === null || service.term === null || service.paidUntil === null) return service
  const { productId, name, cycle, startsAt } = next
  const named = { ...service, productId, name }
  if (startsAt !== null) return named
  return { ...named, cycle, term: newTerm(service.paidUntil, service.term.zone, 0) }
}

/** Part of an amount that is paid, if only a part of what the order sells is, rounded down. In minor units. */
export function paidShare(amount: number, order: { readonly total: number; readonly paid: number }): number {
  if (order.paid >= order.total) return amount
  return Number((BigInt(amount) * BigInt(order.paid)) / BigInt(order.total))
}
