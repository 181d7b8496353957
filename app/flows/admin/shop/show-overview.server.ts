import type { ConsoleOverview, HourSum, NeedQuery } from "~/billing/console-overview"
import type { OperatorSession } from "~/billing/operators/operators"
import { currenciesWithoutRateIn } from "~/billing/tax-admin"
import type { ConsoleServices } from "~/context/services.server"
import { DAY, type Day, dayIn, daysAfter, HOUR, type Instant, MINUTE } from "~/domain/calendar"
import type { HourlyFigure, Need } from "~/domain/console/console-need"
import { hourIn, startOfDay } from "~/domain/local-time"
import type { Currency } from "~/domain/money/money"
import { emailShownTo } from "~/domain/operators/operator"
import { type PurchaseStep, purchaseSteps, type StepCount } from "~/domain/orders/purchase-step"
import { productsOnSale } from "~/flows/services/all-products.server"
import {
  type ActionOutcome,
  type ActionRequest,
  type Actor,
  runOperatorAction,
} from "../run-operator-action.server"

const RENEWALS_OF = 30 * DAY
const WEEK = 7 * DAY

/** A figure by hour of the shop's day, with the same day a week ago. */
export type DayFigure = {
  readonly today: readonly number[]
  readonly lastWeek: readonly number[]
  readonly total: number
  /** Until the same time of that day, in whole hours. */
  readonly totalLastWeek: number
}

export type Overview = {
  readonly now: Instant
  /** Of the shop's calendar: today, and the first of the days of `renewals`. */
  readonly today: Day
  readonly renewalsSince: Day
  readonly needs: readonly Need[]
  readonly orders: DayFigure
  /** By currency, those with money alone. */
  readonly received: readonly (DayFigure & { readonly currency: Currency })[]
  readonly steps: readonly {
    readonly step: PurchaseStep
    readonly count: number
    readonly lastWeek: number
  }[]
  readonly renewals: { readonly renewed: number; readonly ended: number }
}

/** What needs a person, and the figures of the day. Figures come from sums, never from all orders. */
export async function showOverview(
  services: ConsoleServices,
  session: Pick<OperatorSession, "role" | "email">,
): Promise<Overview> {
  const now = services.now()
  const { timeZone } = services.shop
  const day = dayIn(timeZone, now)
  const [needs, today, lastWeek, steps, renewals] = await Promise.all([
    needsOf(services, session, now),
    dayOf(services, day, now),
    dayOf(services, daysAfter(day, -7), now),
    stepsOf(services, day),
    renewalsOf(services, now),
  ])
  const days = { today, lastWeek, now, timeZone }
  const currencies = [...new Set([...today, ...lastWeek].filter(isMoney).map(({ currency }) => currency))]
  return {
    now,
    today: day,
    renewalsSince: dayIn(timeZone, now - RENEWALS_OF),
    needs,
    orders: figureOf(days, "orders", ({ count }) => count),
    received: currencies.map((currency) => ({
      currency,
      ...figureOf(days, "received", (sum) => (sum.currency === currency ? sum.amount : 0)),
    })),
    steps,
    renewals,
  }
}

const isMoney = ({ figure, amount }: HourSum) => figure === "received" && amount !== 0

async function needsOf(
  {
    console: { overview, unknownShopFields, tax },
    gateways,
    enabledGateways,
    shop,
    catalogue,
  }: ConsoleServices,
  { role, email }: Pick<OperatorSession, "role" | "email">,
  now: Instant,
): Promise<readonly Need[]> {
  const down = [...gateways.values()]
    .filter((it) => !it.healthy())
    .map((it) => ({ id: it.id, since: it.health().downSince ?? now }))
  const day = dayIn(shop.timeZone, now)
  const currenciesWithoutRate = await currenciesWithoutRateIn(tax, () => productsOnSale(catalogue), day)
  const found = await openNeeds(
    { overview, timeZone: shop.timeZone },
    { now, down, enabledGateways, unknownShopFields, currenciesWithoutRate },
  )
  return found.map((it) => ({ ...it, takenBy: takerShownTo({ role, email }, it.takenBy) }))
}

type NeedSource = { readonly overview: ConsoleOverview; readonly timeZone: string }

/** What needs a person, the most urgent first. `down`: gateways that do not answer. */
export function openNeeds(
  { overview, timeZone }: NeedSource,
  query: Omit<NeedQuery, "yesterday" | "timeZone">,
): Promise<readonly Need[]> {
  return overview.needs({ ...query, yesterday: daysAfter(dayIn(timeZone, query.now), -1), timeZone })
}

function takerShownTo({ role, email }: Pick<OperatorSession, "role" | "email">, taker: string | null) {
  return taker === null || taker === email ? taker : emailShownTo(role, taker)
}

/** The hours of a day of the shop's calendar; those of a zone with half hours begin in the hour before. */
async function dayOf(
  { console: { overview }, shop }: ConsoleServices,
  day: Day,
  now: Instant,
): Promise<readonly HourSum[]> {
  const [from, until] = [startOf(day, shop.timeZone), startOf(daysAfter(day, 1), shop.timeZone)]
  return overview.hours({ from, until: Math.min(until, wholeHour(now) + HOUR), now })
}

function startOf(day: Day, timeZone: string): Instant {
  return wholeHour(startOfDay(day, timeZone) ?? Date.parse(day))
}

const wholeHour = (at: Instant) => Math.floor(at / HOUR) * HOUR

type Days = {
  readonly today: readonly HourSum[]
  readonly lastWeek: readonly HourSum[]
  readonly now: Instant
  readonly timeZone: string
}

function figureOf(
  { today, lastWeek, now, timeZone }: Days,
  figure: HourlyFigure,
  amountIn: (sum: HourSum) => number,
): DayFigure {
  const [shown, before] = [today, lastWeek].map((sums) =>
    byHour(
      sums.filter((it) => it.figure === figure),
      timeZone,
      amountIn,
    ),
  )
  return {
    today: shown ?? [],
    lastWeek: before ?? [],
    total: sumOf(shown ?? []),
    totalLastWeek: sumOf((before ?? []).slice(0, hourOfDay(wholeHour(now), timeZone) + 1)),
  }
}

const HOURS_OF_DAY = 24

/** By the clock of the shop: a clock change leaves one hour empty, or has two in one. */
function byHour(
  sums: readonly HourSum[],
  timeZone: string,
  amountIn: (sum: HourSum) => number,
): readonly number[] {
  const values = new Array<number>(HOURS_OF_DAY).fill(0)
  for (const sum of sums) {
    const at = hourOfDay(sum.hour, timeZone)
    values[at] = (values[at] ?? 0) + amountIn(sum)
  }
  return values
}

/** That of the middle of an hour: in a zone with half hours the first one of a day begins the day before. */
function hourOfDay(hour: Instant, timeZone: string): number {
  return hourIn(hour + 30 * MINUTE, timeZone)
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

async function stepsOf({ steps }: ConsoleServices, day: Day): Promise<Overview["steps"]> {
  const before = daysAfter(day, -WEEK / DAY)
  const [today, lastWeek] = await Promise.all([steps.steps(day, day), steps.steps(before, before)])
  return purchaseSteps.map((step) => ({
    step,
    count: countOf(today, step),
    lastWeek: countOf(lastWeek, step),
  }))
}

const countOf = (counts: readonly StepCount[], step: PurchaseStep) =>
  sumOf(counts.filter((it) => it.step === step).map(({ count }) => count))

async function renewalsOf(
  { console: { overview } }: ConsoleServices,
  now: Instant,
): Promise<Overview["renewals"]> {
  const until = wholeHour(now)
  const from = until - RENEWALS_OF
  const [sums, ended] = await Promise.all([
    overview.hours({ from, until, now }),
    overview.endedTerms({ from, until }),
  ])
  const renewals = sums.filter(({ figure }) => figure === "renewals")
  return { renewed: sumOf(renewals.map(({ count }) => count)), ended }
}

type NeedRequest = Pick<ActionRequest, "formKey"> & { readonly need: string }

/** Takes something that needs a person. The value: false if another operator has it. */
export function takeNeed(
  services: ConsoleServices,
  actor: Actor,
  { need, formKey }: NeedRequest,
): Promise<ActionOutcome<boolean>> {
  const request = { action: "take-need", subject: need, reason: null, formKey } as const
  return runOperatorAction(services, actor, request, async () => {
    const { operatorId } = actor.session
    const taken = await services.console.overview.take({ need, operatorId, at: services.now() })
    return { after: { taken }, value: taken }
  })
}

/** Gives back what the operator had taken. */
export function leaveNeed(
  services: ConsoleServices,
  actor: Actor,
  { need, formKey }: NeedRequest,
): Promise<ActionOutcome<boolean>> {
  const request = { action: "leave-need", subject: need, reason: null, formKey } as const
  return runOperatorAction(services, actor, request, async () => {
    const left = await services.console.overview.leave(need, actor.session.operatorId)
    return { after: { left }, value: left }
  })
}
