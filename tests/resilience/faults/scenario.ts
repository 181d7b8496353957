import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { sweep } from "~/flows/jobs/reconcile.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { violations } from "../invariants/violations"
import type { BillingSetup } from "./billing-setups"
import { type FaultyShop, type LineName, openFaultyShop } from "./fault-injected-shop"
import type { InjectedFault, ObservedCall } from "./faults"
import { type Journey, type JourneyContext, type Step, walked } from "./journey"
import { work } from "./order-steps"
import { comeBack, decide, retryPaymentStep } from "./payment-steps"

/** A journey with an injected fault. */
export type Cell = {
  readonly journey: Journey
  readonly gateway: GatewayId
  readonly billingSetup: BillingSetup
  readonly trouble: InjectedFault
  /** Whether a failed step is retried after the fault is removed; otherwise the journey ends. */
  readonly retries: boolean
}

export type Outcome = {
  readonly violations: readonly string[]
  /** Number of injected faults. */
  readonly faults: number
  /** Whether the journey reached its goal. */
  readonly held: boolean
}

const MAX_TRIES = 3
const nothing: InjectedFault = {
  name: "nothing",
  kind: "nothing",
  fault: "nothing",
  before: 0,
  begin: () => {},
  mend: () => {},
}

/** The upstream calls of a journey without faults, and the violations if it does not reach its goal. */
export type FaultlessRun = { readonly calls: readonly ObservedCall[]; readonly violations: readonly string[] }

/** Runs a journey without faults. */
export async function runWithoutFaults(way: Omit<Cell, "trouble" | "retries">): Promise<FaultlessRun> {
  const { journey, billingSetup } = way
  try {
    return await withShop(billingSetup, async (shop) => {
      const traveller = await travel({ ...way, trouble: nothing, retries: true }, shop)
      const calls = Object.entries(shop.lines).flatMap(([line, { calls }]) =>
        calls.map((call) => ({ line: line as LineName, call })),
      )
      const found = await settled(shop, new Map([[traveller.email, journey.purchases]]))
      const isLost = !(await journey.arrived(traveller))
      return { calls, violations: isLost ? [...found, "the journey did not reach its goal"] : found }
    })
  } catch (error) {
    return { calls: [], violations: [`thrown: ${error}`] }
  }
}

/** Runs a journey with its fault, advances time until all work is done, and checks the invariants. */
export async function runCell(cell: Cell): Promise<Outcome> {
  try {
    return await withShop(cell.billingSetup, (shop) => runIn(shop, cell))
  } catch (error) {
    return { violations: [`thrown: ${error}`], faults: 1, held: false }
  }
}

async function runIn(shop: FaultyShop, cell: Cell): Promise<Outcome> {
  const traveller = await travel(cell, shop)
  await cell.trouble.mend(shop)
  const found = await settled(shop, new Map([[traveller.email, cell.journey.purchases]]))
  const held = await cell.journey.arrived(traveller)
  const spoiled = Object.values(shop.lines).map((line) => line.spoiled())
  const faults = Math.max(
    1,
    spoiled.reduce((sum, it) => sum + it, 0),
  )
  const isLost = cell.retries && !held && !cell.trouble.isTooLate
  return {
    violations: isLost ? [...found, "the journey did not reach its goal after a retry"] : found,
    faults,
    held,
  }
}

async function withShop<T>(setup: BillingSetup, act: (shop: FaultyShop) => Promise<T>): Promise<T> {
  const shop = await openFaultyShop(setup)
  try {
    return await act(shop)
  } finally {
    await shop.close()
  }
}

async function travel(cell: Cell, shop: FaultyShop): Promise<JourneyContext> {
  const { journey, gateway, trouble, retries } = cell
  const traveller: JourneyContext = { shop, gateway, email: "ana@example.test", payUrls: [] }
  const mend = async () => trouble.mend(shop)
  await walk(cell, traveller, retries ? mend : null)
  if (retries && !(await journey.arrived(traveller))) await startOver(traveller, mend)
  return traveller
}

async function walk({ journey, trouble }: Cell, traveller: JourneyContext, mend: Mend): Promise<void> {
  for (const [index, step] of journey.steps.entries()) {
    traveller.shop.wait(5 * SECOND)
    if (index === trouble.before) await trouble.begin(traveller.shop)
    if (!(await goes(step, traveller, mend))) return
  }
}

/** Removes the fault; null: the fault stays. */
type Mend = (() => Promise<void>) | null

/** Runs a step; if it fails, removes the fault and retries it. */
async function goes(step: Step, traveller: JourneyContext, mend: Mend): Promise<boolean> {
  let wentWell = await walked(step, traveller)
  for (let attempts = 1; mend && !wentWell && attempts < MAX_TRIES; attempts++) {
    await mend()
    traveller.shop.wait(5 * SECOND)
    wentWell = await walked(step, traveller)
  }
  return wentWell
}

/** Retries a failed or expired payment, as the waiting page offers. */
async function startOver(traveller: JourneyContext, mend: () => Promise<void>): Promise<void> {
  await mend()
  for (const step of [retryPaymentStep, decide("paid"), comeBack, work]) {
    traveller.shop.wait(5 * SECOND)
    await walked(step, traveller)
  }
}

/** Enough time for every job to exhaust its attempts; then jumps of hours and days. */
const pauses = [
  SECOND,
  10 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  2 * HOUR,
  DAY,
  HOUR,
  DAY,
  DAY,
  8 * DAY,
]

/** Advances time: runs jobs and sweeps, and the gateways send pending callbacks. */
async function settled(shop: FaultyShop, meant: ReadonlyMap<string, number>): Promise<readonly string[]> {
  for (const line of Object.values(shop.lines)) await line.release()
  await shop.restartGateway()
  const found: string[] = []
  for (const pause of pauses) {
    shop.wait(pause)
    await sweep(shop.services, "sweeper")
    while ((await runJobs(shop.services)) > 0);
    // A payment without a callback may be polled only hours later.
    if (pause === 2 * HOUR) found.push(...violations({ ...(await shop.state(meant)), gateways: null }))
  }
  const state = await shop.state(meant)
  return [...new Set([...found, ...violations(state), ...shop.externalViolations(state.database)])]
}
