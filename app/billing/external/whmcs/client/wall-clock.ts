import { z } from "zod"
import { type Day, type Instant, MINUTE } from "~/domain/calendar"

/** WHMCS writes days and times as its own wall shows them, and does not say the zone: the operator does. */
export type WallClock = {
  /** "2026-11-20 13:05:00", or a day, which begins at midnight. Null for `0000-00-00` and what is no time. */
  instantOf(text: string): Instant | null
  /** An instant as WHMCS writes it. */
  stampOf(instant: Instant): string
}

const STAMP = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/

export function wallClock(timeZone: string): WallClock {
  // Swedish writes dates the ISO way, so no pieces have to be put together.
  const wall = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
  const stampOf = (instant: Instant) => wall.format(instant)

  /** How far the zone is ahead of UTC at an instant. */
  function offsetAt(instant: Instant): number {
    const shown = Date.parse(`${stampOf(instant).replace(" ", "T")}Z`)
    return Math.round((shown - instant) / MINUTE) * MINUTE
  }

  return {
    stampOf,
    instantOf(text) {
      const [, day, time = "00:00"] = STAMP.exec(text.trim()) ?? []
      const asUtc = dayIn(day ?? "") === null ? Number.NaN : Date.parse(`${day}T${time}Z`)
      if (Number.isNaN(asUtc)) return null
      // The offset depends on the instant that is looked for: the second look is right but in the hour that clocks skip.
      const near = asUtc - offsetAt(asUtc)
      return asUtc - offsetAt(near)
    },
  }
}

/** A calendar day; null for `0000-00-00`, "" and what is none. A time after it does not matter. */
export function dayIn(text: string): Day | null {
  const day = STAMP.exec(text.trim())?.[1]
  const isNone = day === undefined || day.startsWith("0000") || Number.isNaN(Date.parse(day))
  return isNone ? null : day
}

export const MaybeDay = z
  .string()
  .nullish()
  .transform((text) => dayIn(text ?? ""))
