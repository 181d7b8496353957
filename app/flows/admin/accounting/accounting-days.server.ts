import { daysOfQuarter, monthOf, type Quarter, quarterOf } from "~/domain/accounting/accounting"
import { type Day, dayIn, type Instant } from "~/domain/calendar"
import { endOfDay, startOfDay } from "~/domain/local-time"

/** Whole days of the shop's calendar. Documents have a day, entries of the ledgers a time. */
export type AccountingDays = {
  readonly firstDay: Day
  readonly lastDay: Day
  /** Where the first day begins, and where the last one ends. */
  readonly from: Instant
  readonly until: Instant
}

type ShopTime = { readonly timeZone: string; readonly now: Instant }

/**
 * A span of days as they are typed. Without a first day it is that of the last one's month; without a last one it is today.
 * Null if they are no days, or in the wrong order.
 */
export function accountingDaysIn(
  typed: { readonly from?: string | undefined; readonly to?: string | undefined },
  { timeZone, now }: ShopTime,
): AccountingDays | null {
  const lastDay = typed.to || dayIn(timeZone, now)
  const firstDay = typed.from || `${lastDay.slice(0, 7)}-01`
  const [from, until] = [startOfDay(firstDay, timeZone), endOfDay(lastDay, timeZone)]
  if (from === undefined || until === undefined) return null
  return from < until ? { firstDay, lastDay, from, until } : null
}

export type AccountingPreset = "this-month" | "last-month" | "this-quarter" | "last-quarter"

/** The spans that a bookkeeper asks for most, as of today. */
export function accountingPresets({
  timeZone,
  now,
}: ShopTime): readonly { readonly preset: AccountingPreset; readonly from: Day; readonly to: Day }[] {
  const today = dayIn(timeZone, now)
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const spans = {
    "this-month": monthOf(year, month),
    "last-month": monthOf(year, month - 1),
    "this-quarter": daysOfQuarter(quarterOf(today)),
    "last-quarter": daysOfQuarter(quarterBefore(quarterOf(today))),
  } satisfies Record<AccountingPreset, { from: Day; until: Day }>
  const presets = ["this-month", "last-month", "this-quarter", "last-quarter"] as const
  return presets.map((preset) => ({ preset, from: spans[preset].from, to: spans[preset].until }))
}

/** The quarter before one: its return is due when it has ended. */
function quarterBefore({ year, quarter }: Quarter): Quarter {
  return quarter > 1 ? { year, quarter: quarter - 1 } : { year: year - 1, quarter: 4 }
}

/** The quarter that has ended last, whose return is the next to be made. */
export function lastQuarter({ timeZone, now }: ShopTime): Quarter {
  return quarterBefore(quarterOf(dayIn(timeZone, now)))
}
