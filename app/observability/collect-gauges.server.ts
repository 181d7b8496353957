import type { BillingStats, PoolStats } from "~/billing/billing-stats"
import { DAY, type Instant, SECOND } from "~/domain/calendar"
import type { MetricSet } from "./metric-definitions.server"

/** What is not told as it happens but looked up when somebody asks. */
export type Sources = {
  readonly figures: (now: Instant, since: Instant) => Promise<BillingStats>
  readonly connections: () => PoolStats | null
  /** How often each cache was read, by what it had. */
  readonly caches: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly now: () => Instant
}

/** Prometheus gives up after ten seconds as it comes, and an answer without the books is worth more than none. */
const PATIENCE = 3 * SECOND

/** Brings everything that is looked up to what it is now. */
export async function read(meters: MetricSet, sources: Sources): Promise<void> {
  readCaches(meters, sources)
  readConnections(meters, sources)
  await readBooks(meters, sources)
}

function readCaches({ cacheReads }: MetricSet, { caches }: Sources): void {
  cacheReads.reset()
  for (const [cache, reads] of Object.entries(caches)) {
    for (const [outcome, times] of Object.entries(reads)) cacheReads.inc({ cache, outcome }, times)
  }
}

function readConnections({ connections, connectionWaits }: MetricSet, sources: Sources): void {
  const { idle = 0, busy = 0, waiting = 0 } = sources.connections() ?? {}
  connections.set({ state: "idle" }, idle)
  connections.set({ state: "busy" }, busy)
  connectionWaits.set(waiting)
}

/** What the books do not say now is not shown as it was: an alarm must not rest on old figures. */
async function readBooks(meters: MetricSet, { figures, now }: Sources): Promise<void> {
  const at = now()
  const said = await inTime(figures(at, at - DAY))
  meters.booksUp.set(said ? 1 : 0)
  if (said) return show(meters, said, at)
  meters.orders.reset()
  meters.jobs.reset()
  meters.outboxAge.remove()
  meters.unprovisioned.remove()
}

function show(meters: MetricSet, { orders, jobs, paidSince, dueSince }: BillingStats, at: Instant): void {
  for (const [state, number] of Object.entries(orders)) meters.orders.set({ state }, number)
  for (const [state, number] of Object.entries(jobs)) meters.jobs.set({ state }, number)
  meters.unprovisioned.set(secondsSince(paidSince, at))
  meters.outboxAge.set(secondsSince(dueSince, at))
}

function secondsSince(since: Instant | null, at: Instant): number {
  return since === null ? 0 : Math.max(0, at - since) / SECOND
}

/** Null: no answer, or none in time. */
async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), PATIENCE)
  try {
    return await Promise.race([answer, tooLate])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
