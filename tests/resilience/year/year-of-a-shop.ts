import type { NewRenewal } from "~/billing/services/renewals"
import type { LoggedServices } from "~/context/services.server"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { asRenewed, type PlanChangeKind } from "~/domain/services/plan-change"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { opened, paymentUpdate, placed, unique } from "../../contracts/billing/billing-fixtures"
import { type DunnedShop, openDunnedShop } from "../../fixtures/dunned-shop"
import { testPanel } from "../../fixtures/fake-upstreams"
import type { Engine } from "../../fixtures/temporary-database"
import {
  adoptEnd,
  changePlans,
  changingHabits,
  noteRenewal,
  type PlanName,
  PRICE,
  planOn,
} from "./changes-of-plan"
import { type DayNumber, type Expected, expectedService } from "./independent-model"

/** How customers renew: on which day after the end of their paid time, and how. Null: never. */
export const habits = {
  early: { day: -5, payments: 1, orders: 1 },
  "on the last day": { day: 0, payments: 1, orders: 1 },
  "within the grace": { day: 2, payments: 1, orders: 1 },
  "after the suspension": { day: 8, payments: 1, orders: 1 },
  "after the end for good": { day: 40, payments: 1, orders: 1 },
  "two orders at once": { day: -3, payments: 1, orders: 2 },
  "one order paid twice": { day: -4, payments: 2, orders: 1 },
  "from account credit": { day: -1, payments: 1, orders: 1 },
  never: null,
  ...changingHabits,
} as const
export type Habit = keyof typeof habits

/** 14 September 2026, as in the model. */
export const START = Date.UTC(2026, 8, 14)
/** Days on which customers begin: the last of September and of October are among them. */
const BEGINNINGS = 56

export type Customer = {
  readonly habit: Habit
  readonly begins: DayNumber
  readonly expected: Expected
  /** Status in the database on each day, and at the panel. */
  readonly stored: string[]
  readonly served: string[]
  /** Plan on each day in the database, and at the panel. */
  readonly plans: string[]
  readonly servedPlans: string[]
  /** Plan that is expected on each day. */
  readonly expectedPlans: string[]
  serviceId: string
  customerId: string
  /** What orders cost, in minor units. */
  charged: number
  /** When terms were last paid or changed. */
  since: DayNumber
  plan: PlanName
  /** The plan that follows from a day on. */
  next: { readonly plan: PlanName; readonly from: DayNumber | null } | null
}

type Options = {
  readonly customers: number
  readonly days?: number
  /** Passes die in the middle, and the panel fails on some days. */
  readonly faults: boolean
}

/** Runs a shop for a year, day by day, and returns what happened next to what was expected. */
export async function yearOfAShop(engine: Engine, { customers: count, days = 365, faults }: Options) {
  const shop = await openDunnedShop(engine)
  const { panel, provisioner } = testPanel()
  const services = {
    ...shop.billing,
    billing: shop.billing.billing,
    provisioner,
    now: () => shop.clock.wall,
    isClockReliable: () => true,
    wakeJobs: () => {},
    log: shop.services.log,
  } as unknown as LoggedServices
  const names = Object.keys(habits) as Habit[]
  const customers = Array.from({ length: count }, (_, index): Customer => {
    const habit = names[index % names.length] ?? "never"
    const begins = index % BEGINNINGS
    return {
      habit,
      begins,
      expected: expectedService(days),
      stored: [],
      served: [],
      plans: [],
      servedPlans: [],
      expectedPlans: [],
      serviceId: "",
      customerId: "",
      charged: 0,
      since: begins,
      plan: "basic",
      next: null,
    }
  })
  const year: Year = {
    shop,
    services,
    panel,
    customers,
    faults,
    lines: new Map(),
    linePlans: new Map(),
    received: 0,
    passes: 0,
    deaths: 0,
    changes: { "same-end": 0, "new-term": 0, converted: 0, chosen: 0, kept: 0 },
  }
  for (let day = 0; day < days; day++) await runDay(year, day)
  return year
}

export type Year = {
  readonly shop: DunnedShop
  readonly services: LoggedServices
  readonly panel: ReturnType<typeof testPanel>["panel"]
  readonly customers: readonly Customer[]
  readonly faults: boolean
  /** Status of each service at the panel. */
  readonly lines: Map<string, string>
  /** Product of each service at the panel. */
  readonly linePlans: Map<string, string>
  /** Money that customers have sent, in minor units. */
  received: number
  passes: number
  deaths: number
  readonly changes: Record<PlanChangeKind | "chosen" | "kept", number>
}

async function runDay(year: Year, day: DayNumber): Promise<void> {
  const { shop, services, customers } = year
  goTo(shop, START + day * DAY + 10 * HOUR)
  for (const customer of customers) {
    if (customer.begins === day) await begin(year, customer, day)
    else if (isPayday(customer, day)) await renew(year, customer, day)
    else await changePlans(year, customer, day)
  }
  while ((await runJobs(services)) > 0);
  goTo(shop, START + day * DAY + 20 * HOUR)
  await pass(year, day)
  await panelWork(year, day)
  await observe(year, day)
}

function goTo({ clock }: DunnedShop, at: number): void {
  clock.steady += at - clock.wall
  clock.wall = at
}

function isPayday({ habit, expected, begins }: Customer, day: DayNumber): boolean {
  const rule = habits[habit]
  if (rule === null || expected.end === null || day <= begins) return false
  return day === Math.max(expected.end + rule.day, begins + 1)
}

async function begin(year: Year, customer: Customer, day: DayNumber): Promise<void> {
  const { shop } = year
  const at = shop.clock.wall
  const order = await placed(shop.billing, {
    at,
    deadline: at + DAY,
    accessScope: { reach: "account" },
    accountCreditScope: "account",
  })
  customer.serviceId = order.serviceId
  customer.customerId = order.customerId
  customer.charged += PRICE
  await pay(year, order, { amount: PRICE, times: 1 })
  customer.expected.pay(day)
}

async function renew(year: Year, customer: Customer, day: DayNumber): Promise<void> {
  const rule = habits[customer.habit]
  for (let index = 0; index < (rule?.orders ?? 0); index++) await renewOnce(year, customer, day)
}

async function renewOnce(year: Year, customer: Customer, day: DayNumber): Promise<void> {
  const order = await year.shop.billing.billing.placeRenewal(await renewalOf(year, customer))
  await noteRenewal(year, customer, { day, order })
  // Credit from an earlier payment has paid it.
  if (order.status === "active") return
  // Who pays from credit sends enough for three months at once.
  const amount = customer.habit === "from account credit" ? 3 * PRICE : order.total.minor
  await pay(year, order, { amount, times: habits[customer.habit]?.payments ?? 0 })
  await adoptEnd(year, customer, day)
}

/** Opens as many payments as are made, since none can be opened for an order that is paid. */
export async function pay(
  year: Year,
  order: Order,
  { amount, times }: { amount: number; times: number },
): Promise<void> {
  const { billing, clock } = year.shop
  const attempts = []
  for (let index = 0; index < times; index++)
    attempts.push(await opened(billing, order, order.total.minor - index))
  for (const attempt of attempts) {
    await billing.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", amount), clock.wall)
    year.received += amount
  }
}

async function renewalOf({ shop }: Year, { serviceId, customerId }: Customer): Promise<NewRenewal> {
  const service = await shop.billing.billing.service(serviceId)
  if (!service?.cycle) throw new Error(`No service ${serviceId}`)
  const renewed = asRenewed(service, await shop.billing.billing.nextPlan(serviceId))
  const terms = await shop.billing.billing.renewalTerms(serviceId)
  if (!renewed.cycle || !terms?.price) throw new Error(`Service ${serviceId} cannot be renewed`)
  const item = { serviceId, cycles: 1, amount: terms.price }
  return {
    ...orderOf(shop, customerId),
    items: [item],
    quote: renewalQuote([renewalLine({ ...renewed, cycle: renewed.cycle }, item)]),
  }
}

/** What all orders of a customer have. */
export function orderOf({ clock }: DunnedShop, customerId: string) {
  const at = clock.wall
  return {
    key: unique(),
    customerId,
    gateway: "offshore",
    locale: "de-de",
    address: null,
    number: unique,
    at,
    deadline: at + DAY,
    accessScope: { reach: "account" },
    accountCreditScope: "account",
    holdReason: null,
    browser: null,
  } as const
}

/** The pass of the evening, after passes in which nothing was due; every third one dies on its way, and another takes over. */
async function pass(year: Year, day: DayNumber): Promise<void> {
  const { shop } = year
  if (year.faults && day % 3 === 0) {
    let ids = 0
    const dying = shop.startWithIds(() => {
      if (++ids > day % 7) throw new Error("killed")
      return unique()
    })
    await shop.dunning.observe(shop.clock.wall)
    await dying().catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== "killed") throw error
      year.deaths++
    })
  }
  // At the same time every evening: a step that is due so many days after another is then due on that day.
  shop.wait(2 * MINUTE)
  await shop.runOnce(shop.startInstance())
  year.passes++
}

/** The panel is told of the day; on some days it fails at first. */
async function panelWork({ shop, services, panel, faults }: Year, day: DayNumber): Promise<void> {
  panel.broken = faults && day % 5 === 0
  for (const queue of ["services", "terms"] as const) while ((await runJobs(services, queue)) > 0);
  panel.broken = false
  shop.wait(HOUR)
  for (const queue of ["services", "terms"] as const) while ((await runJobs(services, queue)) > 0);
}

const atPanel: Readonly<Record<string, string>> = {
  create: "Active",
  resume: "Active",
  suspend: "Suspended",
  terminate: "Terminated",
}

async function observe({ shop, customers, ...panel }: Year, day: DayNumber): Promise<void> {
  const rows = await shop.db.selectFrom("services").select(["id", "status", "product_id"]).execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  noteCalls(panel)
  for (const customer of customers) {
    const { serviceId, begins, stored, served, plans, servedPlans, expectedPlans } = customer
    const { status, product_id } = found.get(serviceId) ?? { status: "none", product_id: "none" }
    stored[day] = status.toLowerCase()
    plans[day] = product_id
    served[day] = (panel.lines.get(serviceId) ?? "none").toLowerCase()
    servedPlans[day] = panel.linePlans.get(serviceId) ?? "none"
    expectedPlans[day] = day < begins ? "none" : planOn(customer, day)
  }
}

function noteCalls({ panel, lines, linePlans }: Pick<Year, "panel" | "lines" | "linePlans">): void {
  for (const { what, line } of panel.received.splice(0)) {
    const status = atPanel[what]
    if (status !== undefined) lines.set(line.id, status)
    linePlans.set(line.id, line.productId)
  }
}
