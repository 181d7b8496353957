import { DAY, type Day, dayIn, type Instant } from "~/domain/calendar"

export const NO_DAY = "0000-00-00"
export const NO_TIME = "0000-00-00 00:00:00"

/** Clock of an installation: WHMCS writes days and times in its local time zone without naming the zone. */
export type Clock = { now(): Instant; day(): Day; stamp(): string }

export function clockIn(timeZone: string, now: () => Instant): Clock {
  const wall = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
  return { now, day: () => dayIn(timeZone, now()), stamp: () => wall.format(now()) }
}

/**
 * Returns the same day so many months later, or the month's last day if it has no such day (31 January: 28 February).
 */
export function monthsAfter(day: Day, months: number): Day {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Whole days between two days; negative if `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY)
}

/** Formats a day as invoice lines do: 15/06/2026. */
export function inWords(day: Day): string {
  return day.split("-").reverse().join("/")
}
