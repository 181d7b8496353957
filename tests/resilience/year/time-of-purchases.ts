import { Temporal } from "temporal-polyfill"
import { expect } from "vitest"
import { DAY, type Instant } from "~/domain/calendar"
import { monthsOf } from "~/domain/catalogue/billing-cycle"
import { termPolicy } from "../../fixtures/term-policy"
import type { Checked } from "./money-of-purchases"
import type { Compared, StoredSales, StoredService } from "./stored-sales"

/** Paid time is added by what was paid and by the operator alone, each once and in full. */
export function expectPaidTime(compared: Compared): void {
  const { services, events, items } = compared.after
  for (const service of services) expectEnd(service, compared)
  // Each term that was added is one of a paid order.
  const added = events.filter(({ kind }) => kind === "renewed")
  expect(added).toHaveLength(items.filter(({ paid_until }) => paid_until !== null).length)
}

/** Nobody is served for longer than the grace. Call it after passes of dunning. */
export async function expectNoneOverdue({ billing, services }: Checked): Promise<void> {
  const diagnosis = await billing.operator.diagnose(services.now())
  expect(diagnosis.filter(({ check, ok }) => check === "services past their end" && ok === false)).toEqual([])
}

type Term = {
  readonly anchor: Instant
  /** Of a free trial. */
  readonly hours?: number
  readonly months: number
  readonly days: number
}
type Event = StoredSales["events"][number]
type Next = StoredSales["next"][number]

/** What is expected of a service. */
type Expected = {
  readonly term: Term | null
  readonly next: Next | undefined
  readonly status: StoredService["status"] | undefined
}

/** The end of a service follows from the end before and what has happened since. */
function expectEnd(service: StoredService, compared: Compared): void {
  const { before, after, deed } = compared
  const isOwn = ({ service_id }: { service_id: string }) => service_id === service.id
  const former = before.services.find(({ id }) => id === service.id)
  const events = after.events.filter(isOwn).slice(before.events.filter(isOwn).length)
  let expected: Expected = {
    term: former ? storedTerm(former) : null,
    next: before.next.find(isOwn),
    status: former?.status,
  }
  for (const event of events)
    expected = { ...expected, ...follow[event.kind]?.(expected, { event, service, compared }) }
  const { term } = expected
  if (term === null) return
  const happened = `${deed}: ${events.map(({ kind }) => kind)}`
  expect([service.id, happened, iso(service.paid_until)]).toEqual([service.id, happened, iso(endOf(term))])
}

type Following = { readonly event: Event; readonly service: StoredService; readonly compared: Compared }
type Follow = (expected: Expected, following: Following) => Partial<Expected>

/** What each event of a service changes. */
const follow: { readonly [Kind in Event["kind"]]?: Follow } = {
  started: (_, { event, service, compared }) => {
    const order = compared.after.orders.find(({ id }) => id === service.order_id)
    const hours = order?.trial_hours ?? 0
    const months = hours > 0 ? 0 : monthsOf(service.cycle ?? "monthly")
    return { term: { anchor: event.at, hours, months, days: 0 } }
  },
  suspended: () => ({ status: "Suspended" }),
  resumed: () => ({ status: "Active" }),
  terminated: () => ({ status: "Terminated" }),
  "plan-chosen": (_, { service, compared }) => ({
    next: compared.after.next.find(({ service_id }) => service_id === service.id),
  }),
  "plan-kept": () => ({ next: undefined }),
  extended: ({ term }, { event }) => ({
    term: term && { ...term, days: term.days + Number(detailOf(event).days) },
  }),
  renewed,
  "plan-changed": planChanged,
}

function detailOf({ detail }: Event): Readonly<Record<string, string | number>> {
  return JSON.parse(detail ?? "{}")
}

/** Cycles are added to the term, or are the first ones of the plan that follows. */
function renewed(expected: Expected, following: Following): Partial<Expected> {
  const { term, next } = expected
  if (term === null) return {}
  const { event, service, compared } = following
  const { order } = detailOf(event)
  const item = compared.after.items.find((it) => it.order_id === order && it.service_id === service.id)
  const allowed = termsAfter({ ...expected, term }, following)
  const ends = allowed.map((it) => iso(endOf(it)))
  const found = allowed.find((it) => endOf(it) === item?.paid_until)
  if (!found) return expect.fail(`${service.id} was renewed until ${iso(item?.paid_until)}, not ${ends}`)
  if (next?.starts_at !== null) return { term: found }
  const end = endOf(term)
  return { term: found, next: event.at < end ? { ...next, starts_at: end } : undefined }
}

/** Terms follow the paid time, or, after the grace, the payment. A payment that was seen within the grace counts as made then. */
function termsAfter(
  { term, next, status }: Expected & { readonly term: Term },
  { event, service }: Following,
): readonly Term[] {
  const { at } = event
  const end = endOf(term)
  const isNext = next?.starts_at === null
  const cycle = isNext ? next.cycle : service.cycle
  const months = Number(detailOf(event).cycles) * monthsOf(cycle ?? "monthly")
  const isAnew = isNext || isTrial(term)
  const early = isAnew ? { anchor: end, months, days: 0 } : { ...term, months: term.months + months }
  return at > graceEndOf(term, status) ? [{ anchor: at, months, days: 0 }, early] : [early]
}

/** A trial has no grace, and neither has a service that is not active any more. */
function graceEndOf(term: Term, status: Expected["status"]): Instant {
  const isEnded = status === "Suspended" || status === "Terminated"
  return endOf(term) + (isEnded || isTrial(term) ? 0 : termPolicy.graceDays * DAY)
}

function isTrial({ hours = 0 }: Term): boolean {
  return hours > 0
}

/** A change has the term that was shown, with the days that were given or taken since. A plan that follows changes no end. */
function planChanged({ term }: Expected, { event, service, compared }: Following): Partial<Expected> {
  const change = compared.after.changes.find(
    (it) => it.order_id === detailOf(event).order && it.service_id === service.id,
  )
  if (!change || change.kind === "same-end") return { next: undefined }
  const { kind, cycle, starts_at, term_anchor, extra_days } = change
  const days = extra_days + daysSince(change, compared.after)
  const anchor = kind === "new-term" ? starts_at : term_anchor
  const months = kind === "new-term" ? monthsOf(cycle) : 0
  return { term: term && { anchor, months, days }, next: undefined }
}

/** Days that the operator has given to a service since an order, less those taken back. */
function daysSince(
  { order_id, service_id }: StoredSales["changes"][number],
  { orders, events }: StoredSales,
): number {
  const placedAt = orders.find(({ id }) => id === order_id)?.placed_at ?? 0
  return events
    .filter((it) => it.service_id === service_id && it.kind === "extended" && it.at >= placedAt)
    .reduce((sum, event) => sum + Number(detailOf(event).days), 0)
}

function storedTerm({ term_anchor, term_count, extra_days, trial_hours, cycle }: StoredService): Term | null {
  if (term_anchor === null) return null
  const months = term_count * monthsOf(cycle ?? "monthly")
  return { anchor: term_anchor, hours: trial_hours ?? 0, months, days: extra_days }
}

function endOf({ anchor, hours = 0, months, days }: Term): Instant {
  const begin = Temporal.Instant.fromEpochMilliseconds(anchor).toZonedDateTimeISO(termPolicy.timeZone)
  return begin.add({ hours }).add({ months }).add({ days }).epochMilliseconds
}

function iso(at: Instant | null | undefined): string {
  return new Date(at ?? 0).toISOString()
}
