import { DAY, type Instant } from "~/domain/calendar"

export type Growth = {
  readonly orders: number
  /** Time of the measurement: the most recent orders were placed on the day before and are open. */
  readonly now: Instant
}

type Column = string | number
/** SQL expression of each column for row `i`, for both engines; rows that `from` excludes are omitted. */
type Filling = { readonly from?: string; readonly of: Readonly<Record<string, Column>> }
export type Fillings = Readonly<Record<string, Filling>>

/** Of twenty closed orders ten are paid, nine expired and one is cancelled. */
const PAID = "i % 20 < 10"
const EXPIRED = "i % 20 between 10 and 18"
/** Every tenth order is open, with a payment attempt. */
const OPEN_SHARE = 10
const YEARS = 3 * 365 * DAY

export type RowTemplates = ReturnType<typeof rowTemplates>

/** Returns the SQL expressions of order `i` for all tables. */
export function rowTemplates({ orders, now }: Growth) {
  const decided = orders - Math.trunc(orders / OPEN_SHARE)
  const isOpen = `i > ${decided}`
  const [isPaid, isExpired] = [`(i <= ${decided} and ${PAID})`, `(i <= ${decided} and ${EXPIRED})`]
  const lately = `${now - DAY} + (i % 1000) * 80000`
  const longAgo = `${now - 9 * DAY} - (${orders} - i) * ${Math.trunc(YEARS / orders)}`
  return {
    now,
    decided,
    isOpen,
    isPaid,
    isExpired,
    at: `case when ${isOpen} then ${lately} else ${longAgo} end`,
    surplus: "case when i % 200 = 0 then 500 else 0 end",
    euros: { currency: "'EUR'" },
    choose: (paid: Column, givenUp: Column, open: Column) =>
      `case when ${isPaid} then ${paid} when ${isOpen} then ${open} else ${givenUp} end`,
  }
}

/** Returns an id that looks random and is unique, because the factor is odd. */
export function id(letter: string): string {
  return `'${letter}' || cast((i * 2654435761) % 4294967296 as text)`
}
