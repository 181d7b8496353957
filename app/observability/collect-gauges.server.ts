import type { BillingStats, PoolStats } from "~/billing/billing-stats"
import type { MailStats } from "~/billing/mail-repository"
import { DAY, type Instant, SECOND } from "~/domain/calendar"
import type { MetricSet } from "./metric-definitions.server"

/** Values that are read at every scrape instead of being recorded as they change. */
export type Sources = {
  readonly figures: (now: Instant, since: Instant) => Promise<BillingStats>
  readonly connections: () => PoolStats | null
  /** Figures of the mail log; null without a mail server. */
  readonly mails: ((now: Instant, since: Instant) => Promise<MailStats>) | null
  /** Reads of each cache by result (hit, miss). */
  readonly caches: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly now: () => Instant
}

/** Prometheus' default scrape timeout is 10 s, and a response without the database's values is better than none. */
const MAX_WAIT = 3 * SECOND

/** Updates all gauges. */
export async function read(meters: MetricSet, sources: Sources): Promise<void> {
  readCaches(meters, sources)
  readConnections(meters, sources)
  await Promise.all([readDatabase(meters, sources), readMail(meters, sources)])
}

async function readMail(
  { mails: gauge, unsentMail, silentMail }: MetricSet,
  { mails, now }: Sources,
): Promise<void> {
  const at = now()
  const stats = mails && (await inTime(mails(at, at - DAY)))
  gauge.reset()
  unsentMail.remove()
  silentMail.remove()
  if (!stats) return
  for (const { name, state, count } of stats.counts) gauge.set({ message: name, state }, count)
  unsentMail.set(secondsSince(stats.oldestUnsent, at))
  silentMail.set(secondsSince(stats.silentSince, at))
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

/** Gauges that cannot be read are removed: an alert must not rest on stale values. */
async function readDatabase(meters: MetricSet, { figures, now }: Sources): Promise<void> {
  const at = now()
  const body = await inTime(figures(at, at - DAY))
  meters.databaseUp.set(body ? 1 : 0)
  if (body) return show(meters, body, at)
  meters.orders.reset()
  meters.jobs.reset()
  meters.outboxAge.remove()
  meters.dunningStopped.remove()
  meters.dunningAge.remove()
  meters.unprovisioned.remove()
}

function show(meters: MetricSet, stats: BillingStats, at: Instant): void {
  const { orders, jobs, paidSince, dueSince } = stats
  for (const [state, number] of Object.entries(orders)) meters.orders.set({ state }, number)
  for (const [state, number] of Object.entries(jobs)) meters.jobs.set({ state }, number)
  meters.unprovisioned.set(secondsSince(paidSince, at))
  meters.outboxAge.set(secondsSince(dueSince, at))
  meters.dunningStopped.set(stats.brakeSince === null ? 0 : 1)
  meters.dunningAge.set(secondsSince(stats.stepDueSince, at))
}

function secondsSince(since: Instant | null, at: Instant): number {
  return since === null ? 0 : Math.max(0, at - since) / SECOND
}

/** Null after a failure or the timeout. */
async function inTime<T>(promise: Promise<T>): Promise<T | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), MAX_WAIT)
  try {
    return await Promise.race([promise, tooLate])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
