/** A calendar day as ISO text ("2026-11-20"), independent of time zones. Days compare as strings. */
export type Day = string

/** A point in time in milliseconds since 1970, UTC. */
export type Instant = number

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The latest instant up to `now` with whole minutes left until `until`: makes a page's countdown change once a minute. */
export function byTheMinute(now: Instant, until: Instant): Instant {
  return until - Math.ceil((until - now) / MINUTE) * MINUTE
}

/** The day that many days after another one; a negative number: before it. */
export function daysAfter(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/** The calendar day of an instant in a time zone ("Europe/Madrid"): the shop's, not the server's. */
export function dayIn(timeZone: string, instant: Instant): Day {
  // The Swedish locale formats dates as ISO 8601.
  const calendar =
    calendars.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" })
  calendars.set(timeZone, calendar)
  return calendar.format(instant)
}
