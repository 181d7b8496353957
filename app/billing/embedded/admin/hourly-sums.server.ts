import { sql } from "kysely"
import type { HourPeriod, HourSum } from "~/billing/console-overview"
import { DAY, HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { type HourlyFigure, hourlyFigures } from "~/domain/console/console-need"
import type { DbContext } from "../db/transaction.server"

/** A transaction of the hour may be written some moments after its end. */
const CLOSES_AFTER = 5 * MINUTE

/** Hours that are summed by one query, so that none of them reads many rows. */
const SUMMED_AT_ONCE = DAY

/** See `ConsoleOverview.hours`. */
export async function hours(ctx: DbContext, { from, until, now }: HourPeriod): Promise<readonly HourSum[]> {
  const closed = Math.min(until, lastClosed(now))
  const kept = closed > from ? await keptSums(ctx, { from, until: closed }) : []
  if (closed >= until) return kept
  return [...kept, ...(await counted(ctx, { from: Math.max(from, closed), until }))]
}

function lastClosed(now: Instant): Instant {
  return Math.floor((now - CLOSES_AFTER) / HOUR) * HOUR
}

type Hours = { readonly from: Instant; readonly until: Instant }

async function keptSums(ctx: DbContext, period: Hours): Promise<readonly HourSum[]> {
  const kept = await storedSums(ctx, period)
  const missing = daysWithout(new Set(kept.map(({ hour }) => hour)), period)
  if (missing.length === 0) return kept
  for (const day of missing) await store(ctx, day)
  return storedSums(ctx, period)
}

/** The parts of the period, of a day at most, in which an hour has no sum. */
function daysWithout(known: ReadonlySet<Instant>, { from, until }: Hours): readonly Hours[] {
  const parts: Hours[] = []
  for (let at = from; at < until; at += SUMMED_AT_ONCE) {
    const part = { from: at, until: Math.min(until, at + SUMMED_AT_ONCE) }
    if (hoursOf(part).some((hour) => !known.has(hour))) parts.push(part)
  }
  return parts
}

function hoursOf({ from, until }: Hours): readonly Instant[] {
  return Array.from({ length: Math.round((until - from) / HOUR) }, (_, at) => from + at * HOUR)
}

function storedSums({ db }: DbContext, { from, until }: Hours): Promise<HourSum[]> {
  return (
    db
      .selectFrom("hourly_sums")
      .selectAll()
      // Older versions have kept another figure.
      .where("figure", "in", hourlyFigures)
      .where("hour", ">=", from)
      .where("hour", "<", until)
      .orderBy("hour")
      .execute()
  )
}

/** Every hour gets a row, also one without orders: it shows that the hour was summed. */
async function store(ctx: DbContext, part: Hours): Promise<void> {
  const sums = await counted(ctx, part)
  const empty = hoursOf(part)
    .filter((hour) => !sums.some((it) => it.hour === hour && it.figure === "orders" && it.currency === "EUR"))
    .map((hour): HourSum => ({ hour, figure: "orders", currency: "EUR", count: 0, amount: 0 }))
  await ctx.db
    .insertInto("hourly_sums")
    .values([...sums, ...empty])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function counted(ctx: DbContext, hours: Hours): Promise<readonly HourSum[]> {
  const sums = await Promise.all([orders(ctx, hours), received(ctx, hours), renewals(ctx, hours)])
  return sums.flat()
}

type Counted = Omit<HourSum, "figure" | "count" | "amount" | "hour"> &
  Record<"place" | "count" | "amount", string | number | bigint>

/** Sums come as texts or numbers, depending on the engine. */
function sumOf(figure: HourlyFigure, { place, currency, count, amount }: Counted): HourSum {
  return { hour: Number(place) * HOUR, figure, currency, count: Number(count), amount: Number(amount) }
}

/** The number of the hour since 1970; both engines divide integers to an integer. */
const hourOf = (column: string) => sql<number>`${sql.ref(column)} / ${sql.lit(HOUR)}`

async function orders({ db }: DbContext, { from, until }: Hours): Promise<readonly HourSum[]> {
  const rows = await db
    .selectFrom("invoices")
    .select((row) => [
      hourOf("paid_at").as("place"),
      "currency",
      row.fn.countAll().as("count"),
      row.fn.sum("total").as("amount"),
    ])
    .where("paid_at", ">=", from)
    .where("paid_at", "<", until)
    .groupBy([hourOf("paid_at"), "currency"])
    .execute()
  return rows.map((row) => sumOf("orders", row))
}

/** Through the gateways and outside them. */
async function received({ db }: DbContext, { from, until }: Hours): Promise<readonly HourSum[]> {
  const entries = db
    .selectFrom("payments")
    .select(["booked_at", "currency", "amount"])
    .where("booked_at", ">=", from)
    .where("booked_at", "<", until)
    .unionAll(
      db
        .selectFrom("outside_payments")
        .select(["booked_at", "currency", "amount"])
        .where("booked_at", ">=", from)
        .where("booked_at", "<", until),
    )
  const rows = await db
    .selectFrom(entries.as("entries"))
    .select((row) => [
      hourOf("booked_at").as("place"),
      "currency",
      row.fn.countAll().as("count"),
      row.fn.sum("amount").as("amount"),
    ])
    .groupBy([hourOf("booked_at"), "currency"])
    .execute()
  return rows.map((row) => sumOf("received", row))
}

async function renewals({ db }: DbContext, { from, until }: Hours): Promise<readonly HourSum[]> {
  const rows = await db
    .selectFrom("invoices")
    .innerJoin("orders", "orders.id", "invoices.order_id")
    .select((row) => [
      hourOf("invoices.paid_at").as("place"),
      "invoices.currency",
      row.fn.countAll().as("count"),
      row.fn.sum("invoices.total").as("amount"),
    ])
    .where("invoices.paid_at", ">=", from)
    .where("invoices.paid_at", "<", until)
    .where("orders.kind", "=", "renewal")
    .groupBy([hourOf("invoices.paid_at"), "invoices.currency"])
    .execute()
  return rows.map((row) => sumOf("renewals", row))
}

/** See `ConsoleOverview.endedTerms`. Counted by days, so that no query reads many rows. */
export async function endedTerms({ db }: DbContext, { from, until }: Hours): Promise<number> {
  let sum = 0
  for (let at = from; at < until; at += SUMMED_AT_ONCE) {
    const { count } = await db
      .selectFrom("services")
      .select((row) => row.fn.countAll().as("count"))
      .where("paid_until", ">=", at)
      .where("paid_until", "<", Math.min(until, at + SUMMED_AT_ONCE))
      .where("status", "!=", "Cancelled")
      .executeTakeFirstOrThrow()
    sum += Number(count)
  }
  return sum
}
