import { z } from "zod"
import { type Day, type Instant, MINUTE } from "~/domain/calendar"

/** Converts WHMCS's local times. WHMCS sends no time zone, so the operator configures it (`WHMCS_TIME_ZONE`). */
export type WallClock = {
  /** Parses "2026-11-20 13:05:00", or a day as its midnight. Null for `0000-00-00` and invalid times. */
  instantOf(text: string): Instant | null
  /** Formats an instant as WHMCS does, in its time zone. */
  stampOf(instant: Instant): string
}

const STAMP = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/

export function wallClock(timeZone: string): WallClock {
  // The Swedish locale formats dates as ISO 8601 does.
  const wall = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
  const stampOf = (instant: Instant) => wall.format(instant)

  /** The zone's offset from UTC at an instant, in milliseconds, rounded to a minute. */
  function offsetAt(instant: Instant): number {
    const shown = Date.parse(`${stampOf(instant).replace(" ", "T")}Z`)
    return Math.round((shown - instant) / MINUTE) * MINUTE
  }

  return {
    stampOf,
    instantOf(text) {
      const [, day, time = "00:00"] = STAMP.exec(text.trim()) ?? []
      const asUtc = parseDay(day ?? "") === null ? Number.NaN : Date.parse(`${day}T${time}Z`)
      if (Number.isNaN(asUtc)) return null
      // The offset depends on the result, so it is computed twice. Wrong only for times in a skipped DST hour.
      const near = asUtc - offsetAt(asUtc)
      return asUtc - offsetAt(near)
    },
  }
}

/** Parses a calendar day and ignores a time after it. Null for `0000-00-00`, "" and invalid days. */
export function parseDay(text: string): Day | null {
  const day = STAMP.exec(text.trim())?.[1]
  const isNone = day === undefined || day.startsWith("0000") || Number.isNaN(Date.parse(day))
  return isNone ? null : day
}

export const MaybeDay = z
  .string()
  .nullish()
  .transform((text) => parseDay(text ?? ""))
