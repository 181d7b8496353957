import type { Logger } from "pino"
import type { ClockAdmin } from "~/billing/embedded/admin/clock.server"
import type { Instant } from "~/domain/calendar"
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
