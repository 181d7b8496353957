import type { Logger } from "pino"
import type { ClockAdmin } from "~/billing/embedded/admin/sandbox-clock.server"
import { HOUR, type Instant } from "~/domain/calendar"
import { type ClockWatch, watchClock } from "~/domain/services/reliable-clock"
import { readEachSecond } from "./read-each-second.server"

/** A clock that the operator of a sandbox moves ahead, for all instances and commands. */
export type ShopClock = {
  now(): Instant
  /** By how much it is ahead, in milliseconds. */
  ahead(): number
  /** Follows the clock of a shop's database until stopped. Throws if it cannot be read at first. */
  follow(
    admin: Pick<ClockAdmin, "clockAhead">,
    followed: { log: Logger; onMoved(): void },
  ): Promise<() => void>
}

/** The clock of a shop: the machine's, unless it follows that of a sandbox. */
export function shopClock(): ShopClock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    ahead: () => ahead,
    async follow(admin, { log, onMoved }) {
      ahead = await admin.clockAhead()
      return readEachSecond(
        async () => {
          const before = ahead
          ahead = await admin.clockAhead()
          if (ahead !== before) onMoved()
        },
        (error) => log.warn({ err: error }, "shop clock not read"),
      )
    },
  }
}

type Watched = {
  readonly now: () => Instant
  readonly log: Pick<Logger, "error">
  /** The operator of a sandbox moves it. */
  readonly isMovable: boolean
}

/** Watches a clock by another one that nobody can set: see `Services.isClockReliable`. To be called every now and then. */
export function reliableClock(
  { now, log, isMovable }: Watched,
  steadyNow = () => performance.now(),
): () => boolean {
  let watch: ClockWatch | null = null
  return () => {
    if (isMovable) return true
    const before: ClockWatch | null = watch
    const after = watchClock(before, { wall: now(), steady: steadyNow() })
    watch = after
    const hours = Math.round((after.ahead?.by ?? 0) / HOUR)
    if (after.ahead !== null && before?.ahead?.by !== after.ahead.by)
      log.error({ hours }, "clock moved ahead")
    return after.ahead === null
  }
}
