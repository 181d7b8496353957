import { DAY, type Instant } from "~/domain/calendar"
import type { Customer, Year } from "./year-of-a-shop"

/** Days before an end on which its customer is reminded, and the length of a term that is reminded of it like that. */
const REMINDERS = [
  { days: 7, step: "reminder-1" },
  { days: 1, step: "reminder-2" },
] as const
/** Passes run once a day, and twice in the evening: what is due earlier on a day is done then. */
const PASS_EVERY = DAY

type Event = {
  readonly kind: string
  readonly at: Instant
  readonly detail: { readonly step?: string; readonly paidUntil?: Instant }
}

/** A time in which a service had one end. */
type Stretch = {
  readonly from: Instant
  readonly end: Instant
  /** When the end was moved by a payment or a change of plan; infinite: it was not. */
  until: Instant
  readonly steps: { readonly step: string; readonly at: Instant }[]
}

/** What customers have heard too little, too much, too late or in another order, in words. */
export async function wrongMessages({ shop, customers }: Year): Promise<readonly string[]> {
  const { db, clock } = shop
  const rows = await db.selectFrom("service_events").selectAll().orderBy("position").execute()
  const mails = await db.selectFrom("mails").selectAll().orderBy("created_at").execute()
  return customers.flatMap((customer) => {
    const events = rows
      .filter(({ service_id }) => service_id === customer.serviceId)
      .map(({ kind, at, detail }): Event => ({ kind, at, detail: JSON.parse(detail ?? "{}") }))
    const about = mails.filter(({ detail }) => detail?.startsWith(`${customer.serviceId} `))
    const flaws = stretchesOf(events).flatMap((it) => [
      ...missedIn(it, clock.wall),
      ...disorderIn(
        it,
        about.filter(({ detail }) => detail?.endsWith(` ${it.end}`)).map(({ name }) => name),
      ),
    ])
    return flaws.map((flaw) => `${nameOf(customer)}: ${flaw}`)
  })
}

function nameOf({ habit, begins }: Customer): string {
  return `${habit} from day ${begins}`
}

const decisive: Readonly<Record<string, string>> = { suspended: "suspend", terminated: "terminate" }

function stretchesOf(events: readonly Event[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const { kind, at, detail } of events) {
    const { paidUntil, step = decisive[kind] } = detail
    begin(stretches, paidUntil, at)
    if (step !== undefined) stretches.at(-1)?.steps.push({ step, at })
  }
  return stretches
}

/** Begins another stretch if the end has moved. */
function begin(stretches: Stretch[], end: Instant | undefined, at: Instant): void {
  const present = stretches.at(-1)
  if (end === undefined || end === present?.end) return
  if (present) present.until = at
  stretches.push({ from: at, end, until: Number.POSITIVE_INFINITY, steps: [] })
}

function missedIn(stretch: Stretch, now: Instant): readonly string[] {
  const reminders = REMINDERS.map((reminder) => flawOf(stretch, reminder, now))
  return [...reminders, noticeFlaw(stretch)].filter((it) => it !== null)
}

function timesOf({ steps }: Stretch, step: string): readonly Instant[] {
  return steps.filter((it) => it.step === step).map(({ at }) => at)
}

function flawOf(stretch: Stretch, { days, step }: (typeof REMINDERS)[number], now: Instant): string | null {
  const { from, end, until } = stretch
  const due = end - days * DAY
  const [time, ...again] = timesOf(stretch, step)
  if (again.length > 0) return `${step} again`
  if (time !== undefined) return time >= due && time <= due + PASS_EVERY ? null : `${step} at another time`
  const isPromised = days * DAY <= (end - from) / 2 && due > from && due <= Math.min(until, now) - PASS_EVERY
  return isPromised ? `no ${step} of ${new Date(end).toISOString()}` : null
}

function noticeFlaw(stretch: Stretch): string | null {
  const [notice, ...again] = timesOf(stretch, "notice")
  if (again.length > 0) return "notice again"
  const [suspended] = timesOf(stretch, "suspend")
  if (suspended === undefined) return null
  const isInTime = notice !== undefined && notice <= suspended - DAY && notice >= stretch.end - DAY
  return isInTime ? null : "suspended without a notice a day before"
}

const order = [
  "renewal-reminder",
  "renewal-due",
  "service-suspended",
  "termination-notice",
  "service-terminated",
]

function disorderIn({ end }: Stretch, names: readonly string[]): readonly string[] {
  const places = names.map((name) => order.indexOf(name))
  const isInOrder = places.every((place, at) => at === 0 || (places[at - 1] ?? 0) <= place)
  const once = names.filter((name) => name !== "renewal-reminder")
  if (isInOrder && new Set(once).size === once.length) return []
  return [`messages about ${new Date(end).toISOString()}: ${names.join(", ")}`]
}
