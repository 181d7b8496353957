import { expect } from "vitest"
import { DAY, HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  type PlanChangeKind,
  type PlanChangePolicy,
  type PlanTarget,
  planChange,
  planChangeQuote,
} from "~/domain/services/plan-change"
import { plan } from "../../contracts/billing/billing-fixtures"
import type { DayNumber } from "./independent-model"
import { type Customer, orderOf, pay, START, type Year } from "./year-of-a-shop"

/** Price of a month, in minor units. */
export const PRICE = 2_000

/** Customers who change their plan and go back, again and again. */
export const changingHabits = {
  "pays the difference and goes back": { day: 0, payments: 1, orders: 1 },
  "converts and goes back": { day: -2, payments: 1, orders: 1 },
  "converts and lets it end": null,
  "takes a longer cycle and goes back": { day: 0, payments: 1, orders: 1 },
} as const

const euro = (minor: number): Money => money(minor, "EUR")
const plans = {
  basic: { productId: plan.id, name: plan.name, cycle: "monthly", price: euro(PRICE) },
  plus: { productId: "plus", name: "Plus", cycle: "monthly", price: euro(2 * PRICE) },
  quarter: { productId: "quarter", name: "3 months", cycle: "quarterly", price: euro(5_400) },
} as const satisfies Record<string, PlanTarget>
export type PlanName = keyof typeof plans

const monthsOf = { basic: 1, plus: 1, quarter: 3 } as const

/** What each kind of customer does so many days after the last payment. */
type Deed = (year: Year, customer: Customer, day: DayNumber) => Promise<void>
const deeds: { readonly [habit in keyof typeof changingHabits]: Readonly<Record<number, Deed>> } = {
  "pays the difference and goes back": {
    10: (year, customer, day) => changeNow(year, customer, { day, to: "plus", policy: "difference" }),
    12: chooseBasic,
    // Every third time the customer thinks again.
    15: (year, customer) =>
      customer.expected.months % 3 === 0 ? keepPlan(year, customer) : Promise.resolve(),
  },
  "converts and goes back": {
    10: (year, customer, day) => changeNow(year, customer, { day, to: "plus", policy: "convert" }),
    12: chooseBasic,
  },
  // Early enough to be reminded a week before the end.
  "converts and lets it end": {
    1: (year, customer, day) => changeNow(year, customer, { day, to: "plus", policy: "convert" }),
  },
  "takes a longer cycle and goes back": {
    10: (year, customer, day) => changeNow(year, customer, { day, to: "quarter", policy: "difference" }),
    20: chooseBasic,
  },
}

/** What a customer does on a day without a payment. */
export async function changePlans(year: Year, customer: Customer, day: DayNumber): Promise<void> {
  const { habit, since } = customer
  if (!isChanging(habit)) return
  await deeds[habit][day - since]?.(year, customer, day)
}

function isChanging(habit: Customer["habit"]): habit is keyof typeof changingHabits {
  return habit in changingHabits
}

type Changing = { readonly day: DayNumber; readonly to: PlanName; readonly policy: PlanChangePolicy }

async function changeNow(year: Year, customer: Customer, { day, to, policy }: Changing): Promise<void> {
  const { shop } = year
  const { billing } = shop.billing
  if (planOn(customer, day) !== plans.basic.productId) return
  const { customerId, serviceId } = customer
  const service = await billing.service(serviceId)
  const at = shop.clock.wall
  const facts = await billing.planFacts(serviceId, at)
  if (!service?.term || service.cycle === null || service.paidUntil === null || !facts)
    throw new Error("no term")
  const { productId, name, term, cycle, paidUntil } = service
  const { unused } = facts
  const present = { productId, term, cycle, price: plans.basic.price, at, zone: term.zone, unused, policy }
  const change = planChange(present, plans[to])
  if (change?.when !== "now") throw new Error(`${to} is not to be had now`)
  checkFigures(change, { at, end: paidUntil, unused })
  const { kind, credit, until } = change
  const order = await billing.placePlanChange({
    ...orderOf(shop, customerId),
    serviceId,
    quote: planChangeQuote(change, { name }),
    target: plans[to],
    kind,
    credit,
    from: at,
    term: change.term,
    until,
  })
  if (order.status === "placed") await pay(year, order, { amount: order.total.minor, times: 1 })
  year.changes[kind] += 1
  customer.charged += order.total.minor
  customer.plan = to
  customer.next = null
  customer.since = day
  if (kind === "new-term") customer.expected.restart(day, monthsOf[to])
  await adoptEnd(year, customer, day)
  expect((await billing.planFacts(serviceId, at))?.unused.minor).toBeLessThanOrEqual(
    unused.minor + order.total.minor,
  )
}

type Figures = { readonly kind: PlanChangeKind; readonly due: Money; readonly until: Instant }

/** What a change costs or gives, worked out roughly from the share of a month at the price of Basic that is left. */
function checkFigures(
  { kind, due, until }: Figures,
  { at, end, unused }: { readonly at: Instant; readonly end: Instant; readonly unused: Money },
): void {
  const left = end - at
  const worth = (days: number) => (PRICE * left) / (days * DAY)
  // A month has 28 to 31 days, and one of them an hour more or less.
  expect(unused.minor).toBeGreaterThan(worth(31) - 5)
  expect(unused.minor).toBeLessThan(worth(28) + 5)
  const gained = until - at
  const checks: Record<PlanChangeKind, () => void> = {
    "same-end"() {
      expect(until).toBe(end)
      expect(Math.abs(due.minor - unused.minor)).toBeLessThanOrEqual(2)
    },
    "new-term": () => expect(due.minor).toBe(plans.quarter.price.minor - unused.minor),
    converted() {
      expect(due.minor).toBe(0)
      // Half of the time that was left, of a month that may be longer or shorter.
      expect(gained).toBeGreaterThan((left / 2) * (28 / 31) - HOUR)
      expect(gained).toBeLessThan((left / 2) * (31 / 28) + HOUR)
    },
  }
  checks[kind]()
}

async function chooseBasic({ shop, changes }: Year, customer: Customer, day: DayNumber): Promise<void> {
  if (planOn(customer, day) === plans.basic.productId) return
  const { billing } = shop.billing
  expect(await billing.chooseNextPlan(customer.serviceId, plans.basic, shop.clock.wall)).toBe(true)
  changes.chosen += 1
  customer.next = { plan: "basic", from: null }
}

async function keepPlan({ shop, changes }: Year, customer: Customer): Promise<void> {
  if (customer.next?.from !== null) return
  expect(await shop.billing.billing.keepPlan(customer.serviceId, shop.clock.wall)).toBe(true)
  changes.kept += 1
  customer.next = null
}

/** Notes what a renewal has to cost, and which plan it is for. */
export async function noteRenewal(
  year: Year,
  customer: Customer,
  { day, order }: { readonly day: DayNumber; readonly order: Order },
): Promise<void> {
  const { expected, next } = customer
  const renewed = next?.plan ?? customer.plan
  expect(order.total).toEqual(plans[renewed].price)
  if (next?.from === null) {
    customer.next = { plan: next.plan, from: await endOf(year, customer, NIGHT) }
    expected.follow()
  }
  expected.pay(day, monthsOf[renewed])
  customer.charged += order.total.minor
  customer.since = day
}

/** Converted time ends at any time of the day: the model takes over the end, whose length has been checked. */
export async function adoptEnd(year: Year, customer: Customer, day: DayNumber): Promise<void> {
  if (customer.habit.startsWith("converts"))
    customer.expected.endsOn(day, await endOf(year, customer, EVENING))
}

/** The evening pass, and the last jobs of the day. */
const EVENING = 20 * HOUR + 2 * MINUTE
const NIGHT = EVENING + HOUR

/** The day at whose `time` the paid time is over. */
async function endOf({ shop }: Year, { serviceId }: Customer, time: number): Promise<DayNumber> {
  const service = await shop.billing.billing.service(serviceId)
  return Math.ceil(((service?.paidUntil ?? 0) - START - time) / DAY)
}

/** The product that a customer has to have on the evening of a day. */
export function planOn(customer: Customer, day: DayNumber): string {
  const { next } = customer
  if (next?.from != null && day >= next.from) {
    customer.plan = next.plan
    customer.next = null
  }
  return plans[customer.plan].productId
}
