import { cachedByKey } from "~/domain/cached-by-key"
import type { Instant } from "~/domain/calendar"
import { dateTagOf, type Locale } from "~/domain/locales"

const relativeIn = cachedByKey((iso) => new Intl.RelativeTimeFormat(iso, { numeric: "auto" }))

const timesIn = cachedByKey((key) => {
  const [tag = "", timeZone] = key.split(" ")
  return new Intl.DateTimeFormat(tag, {
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  })
})

/** Formats calendar days from today: "tomorrow", "in 3 days", "2 days ago". */
export function relativeDayText(days: number, { iso }: Locale): string {
  return relativeIn(iso).format(days, "day")
}

/** Formats a time of day with the zone's name, since buyers may be in another one. */
export function zonedTimeText(at: Instant, locale: Locale, timeZone: string): string {
  return timesIn(`${dateTagOf(locale)} ${timeZone}`)
    .format(at)
    .replace(/\s/g, "\u00a0")
}
