/** A calendar day as ISO text ("2026-11-20"): days compare as text and never drift across time zones. */
export type Day = string

/** A point in time in milliseconds since 1970, UTC. */
export type Instant = number

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The last moment up to `now` from which whole minutes are left until `until`: what a page says by the minute. */
export function byTheMinute(now: Instant, until: Instant): Instant {
  return until - Math.ceil((until - now) / MINUTE) * MINUTE
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/** The calendar day an instant falls on in a zone ("Europe/Madrid"): the shop's day, not the server's. */
export function dayIn(timeZone: string, instant: Instant): Day {
  // Swedish writes dates the ISO way, so no pieces have to be put together.
  const calendar =
    calendars.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" })
  calendars.set(timeZone, calendar)
  return calendar.format(instant)
}
