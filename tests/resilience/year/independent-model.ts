/**
 * What a customer has paid for and may expect, worked out day by day with a calendar of its own: a second opinion on the
 * rules of terms and dunning. It imports nothing from the application.
 */

/** A day of the simulation, from 0. */
export type DayNumber = number
export type ExpectedStatus = "none" | "active" | "suspended" | "terminated"

export const GRACE = 3
export const TERMINATED_AFTER = 14
/** 14 September 2026: the year has both changes of the clock, a January after long months, and a February of 28 days. */
const FIRST = { year: 2026, month: 8, day: 14 }
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

type Date = { readonly year: number; readonly month: number; readonly day: number }

function lengthOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 1 && isLeap ? 29 : (MONTH_LENGTHS[month] ?? 0)
}

function dateOf(number: DayNumber): Date {
  let { year, month } = FIRST
  let day = FIRST.day + number
  while (day > lengthOf(year, month)) {
    day -= lengthOf(year, month)
    month = (month + 1) % 12
    if (month === 0) year++
  }
  return { year, month, day }
}

function numberOf({ year, month, day }: Date): DayNumber {
  let number = day - FIRST.day
  for (let at = { year: FIRST.year, month: FIRST.month }; at.year !== year || at.month !== month; ) {
    number += lengthOf(at.year, at.month)
    at = at.month === 11 ? { year: at.year + 1, month: 0 } : { year: at.year, month: at.month + 1 }
  }
  return number
}

/** The same day so many months later, or the last one of a shorter month. */
function monthsAfter(anchor: DayNumber, months: number): DayNumber {
  const { year, month, day } = dateOf(anchor)
  const sum = month + months
  const target = { year: year + Math.floor(sum / 12), month: sum % 12 }
  return numberOf({ ...target, day: Math.min(day, lengthOf(target.year, target.month)) })
}

/** One customer's service, as a list of days. */
export type Expected = ReturnType<typeof expectedService>

export function expectedService(days: number) {
  const statuses: ExpectedStatus[] = Array<ExpectedStatus>(days).fill("none")
  const isPaid: boolean[] = Array<boolean>(days).fill(false)
  let anchor = 0
  let months = 0
  let end: DayNumber | null = null
  let paid = 0

  function fillFrom(day: DayNumber, until: DayNumber): void {
    for (let it = day; it < days; it++) {
      isPaid[it] = it < until
      statuses[it] = statusOn(it, until)
    }
  }

  return {
    statuses,
    isPaid,
    /** Months that were paid. */
    get months() {
      return paid
    },
    get end() {
      return end
    },
    /** Months are paid on a day: they follow what is left, or begin that day if the grace is over. */
    pay(day: DayNumber, length = 1): void {
      paid += length
      const isLate = end === null || day > end + GRACE
      // Within the grace the days since the end are paid after the fact.
      const from = end === null || isLate ? day : Math.min(day, end)
      if (isLate) anchor = day
      months = isLate ? length : months + length
      end = monthsAfter(anchor, months)
      fillFrom(from, end)
    },
    /** Another plan follows: its months are counted from the end of those that are paid. */
    follow(): void {
      if (end !== null) anchor = end
      months = 0
    },
    /** Months of another plan begin on a day, in place of what is left. */
    restart(day: DayNumber, length: number): void {
      anchor = day
      months = length
      end = monthsAfter(anchor, months)
      fillFrom(day, end)
    },
    /** What is left has become time until a day, which the shop has computed by the minute. */
    endsOn(day: DayNumber, until: DayNumber): void {
      end = until
      anchor = until
      months = 0
      fillFrom(day, until)
    },
  }
}

function statusOn(day: DayNumber, until: DayNumber): ExpectedStatus {
  if (day < until + GRACE) return "active"
  return day < until + GRACE + TERMINATED_AFTER ? "suspended" : "terminated"
}
