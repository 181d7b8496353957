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
    if (/^\d{4}-\d\d-\d\d$/.test(written))
      return Temporal.PlainDate.from(written).toZonedDateTime(timeZone).epochMilliseconds
    return Temporal.PlainDateTime.from(written).toZonedDateTime(timeZone).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Date and time in a time zone, as `localInstant` parses them: "2026-11-20 18:00". */
export function localText(at: Instant, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDateTime()
  return local.toString({ smallestUnit: "minute" }).replace("T", " ")
}
