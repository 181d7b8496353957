import { Temporal } from "temporal-polyfill"
import type { Instant } from "./calendar"

/**
 * Parses a date and time: "2026-11-20T18:00" in the time zone, or with an offset ("…Z", "…+01:00"). A date alone is its
 * first moment. Null if the text is none.
 */
export function localInstant(text: string, timeZone: string): Instant | null {
  const written = text.replace(" ", "T")
  try {
    if (/(Z|[+-]\d\d:\d\d)$/.test(written)) return Temporal.Instant.from(written).epochMilliseconds
    if (ONLY_DAY.test(written)) return startOfDay(written, timeZone) ?? null
    return Temporal.PlainDateTime.from(written).toZonedDateTime(timeZone).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The first moment of a typed day, such as "2026-11-20", in a time zone. Undefined if the text is no day of the calendar. */
export function startOfDay(text: string, timeZone: string): Instant | undefined {
  return plainDateIn(text)?.toZonedDateTime(timeZone).epochMilliseconds
}

/** The first moment after a typed day, which may have 23 or 25 hours. Undefined if the text is no day of the calendar. */
export function endOfDay(text: string, timeZone: string): Instant | undefined {
  return plainDateIn(text)?.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds
}

/** The hour of the day in a time zone, from 0 to 23. */
export function hourIn(at: Instant, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).hour
}

const ONLY_DAY = /^\d{4}-\d\d-\d\d$/

function plainDateIn(text: string): Temporal.PlainDate | undefined {
  if (!ONLY_DAY.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Date and time in a time zone, as `localInstant` parses them: "2026-11-20 18:00". */
export function localText(at: Instant, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDateTime()
  return local.toString({ smallestUnit: "minute" }).replace("T", " ")
}
