import type { Dunning, StepOutcome } from "~/billing/services/dunning"
import type { LoggedServices } from "~/context/services.server"
import { HOUR, MINUTE } from "~/domain/calendar"
import {
  allowedAtOnce,
  type Brake,
  CLOCK_TOLERANCE,
  type ClockReading,
  clockMoved,
  type NeededPart,
  type Outage,
} from "~/domain/services/dunning-brake"

/** Services per query. */
const BATCH = 100
/** Queries per pass: the brake is checked again before more is done, and the lease is renewed. */
const BATCHES = 20
/** If the instance that runs the pass dies, another takes over after this time. */
const LEASE = 1 * MINUTE

export type DunningServices = Pick<
  LoggedServices,
  "dunning" | "outbox" | "gateways" | "now" | "log" | "wakeJobs"
> & { readonly shop: Pick<LoggedServices["shop"], "testMode"> }

type Pass = {
  /** Identifies the instance. */
  readonly holder: string
  /** Milliseconds by a clock that nobody can set. */
  readonly steadyNow: () => number
  /** Renews a service from account credit if it is due. */
  readonly renewFromBalance: (serviceId: string) => Promise<void>
}

/**
 * Dunning: takes every step that is due, one instance at a time, by lease. Before anything is done the brake is checked; it
 * stops all steps until the operator releases it. Returns the function to call repeatedly, which resolves to the number of
 * steps that were taken.
 */
export function dunningPass(services: DunningServices, pass: Pass): () => Promise<number> {
  const { holder, steadyNow, renewFromBalance } = pass
  const { dunning, outbox, now } = services
  if (dunning === null) return async () => 0
  let before: ClockReading | null = null
  return async () => {
    const reading = { wall: now(), steady: steadyNow() }
    const moved = before === null ? 0 : clockMoved(before, reading)
    before = reading
    if (!(await outbox.lease("dunning", holder, reading.wall, LEASE))) return 0
    return runPass({ ...services, dunning, renewFromBalance }, moved)
  }
}

type Running = DunningServices & Pick<Pass, "renewFromBalance"> & { readonly dunning: Dunning }

async function runPass(services: Running, moved: number): Promise<number> {
  const clock = await clockReason(services, moved)
  await recordOutages(services)
  const reason = clock ?? (await countReason(services))
  if (reason !== null) await stop(services, reason)
  if ((await services.dunning.brake()) !== null) return 0
  const done = await takeAll(services)
  if (done > 0) services.wakeJobs()
  return done
}

type Reason = Pick<Brake, "reason" | "detail">

/**
 * Whether the clock was moved, as far as it shows: while this process ran, or backwards since the last pass. A pass that
 * comes late is an outage of the shop itself. In the sandbox the operator moves the shop's clock.
 */
async function clockReason({ dunning, shop, now }: Running, movedHere: number): Promise<Reason | null> {
  const at = now()
  const last = await dunning.observe(at)
  if (shop.testMode) return null
  const ahead = last === null ? 0 : at - last
  const moved = movedHere || Math.min(0, ahead + CLOCK_TOLERANCE)
  if (moved !== 0) return { reason: "clock", detail: clockSentence(movedHere || ahead) }
  if (last !== null && ahead > CLOCK_TOLERANCE)
    await dunning.recordOutage({ part: "shop", since: last, until: at })
  return null
}

function clockSentence(moved: number): string {
  const hours = Math.round(Math.abs(moved) / HOUR)
  return `The clock was moved ${moved > 0 ? "forward" : "back"} by ${hours} hours.`
}

async function countReason({ dunning, now }: Running): Promise<Reason | null> {
  const { count, active } = await dunning.ending(now())
  const allowed = allowedAtOnce(active)
  if (count <= allowed) return null
  const detail = `One pass would suspend or terminate ${count} services; ${allowed} are allowed.`
  return { reason: "too-many", detail }
}

async function recordOutages({ dunning, gateways, now }: Running): Promise<void> {
  const at = now()
  const isAnyUp = gateways.size === 0 || [...gateways.values()].some((gateway) => gateway.healthy())
  if (!isAnyUp) await dunning.recordOutage({ part: "gateways", since: at, until: at })
  if (await dunning.panelFails()) await dunning.recordOutage({ part: "panel", since: at, until: at })
}

/** Takes due steps, batch after batch, until there are none, the brake is on, or the next pass may go on. */
async function takeAll(services: Running): Promise<number> {
  let done = 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const taken = await takeBatch(services)
    done += taken.done
    if (taken.isLast) return done
  }
  return done
}

async function takeBatch(services: Running): Promise<{ done: number; isLast: boolean }> {
  const { dunning, renewFromBalance, now, log } = services
  const due = await dunning.due(now(), BATCH)
  let done = 0
  for (const service of due) {
    // Balance renewals have a lease of their own, perhaps of an instance that has died: a step must not depend on it.
    if (service.renewsFromCredit) await renewFromBalance(service.serviceId)
    const outcome = await dunning.take(service, now())
    if (outcome.kind === "braked") {
      await stop(services, reasonOf(outcome, service.serviceId))
      return { done, isLast: true }
    }
    if (outcome.kind !== "done") continue
    done++
    log.info({ serviceId: service.serviceId, step: outcome.step }, "dunning step taken")
  }
  return { done, isLast: due.length < BATCH }
}

function reasonOf({ outage }: Extract<StepOutcome, { kind: "braked" }>, serviceId: string): Reason {
  return { reason: "outage", detail: `${sentences[outage.part]} ${timeOf(outage)} Service ${serviceId}.` }
}

const sentences: Record<NeededPart, string> = {
  mail: "The mail server has not accepted the notice to a customer.",
  gateways: "No payment gateway worked during the grace of a service.",
  panel: "The panel failed during the grace of a service.",
  shop: "The shop was down during the grace of a service, or its clock was wrong.",
}

function timeOf({ since, until }: Outage): string {
  return `${new Date(since).toISOString()} to ${new Date(until).toISOString()}.`
}

async function stop({ dunning, log, now }: Running, { reason, detail }: Reason): Promise<void> {
  if (await dunning.stop({ reason, detail, at: now() })) log.error({ reason, detail }, "dunning stopped")
}
