import { type Command, CommandError, UsageError } from "~/cli/command"
import { jsonTime, time } from "~/cli/format"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }
/** Beyond this, dates are outside what gateways and browsers take. */
const MAX_AHEAD = 3_650 * DAY

/** Moves the clock of a sandbox, to see terms, reminders and suspensions of the months ahead. */
export const advanceClock: Command = {
  about: "move the clock of a sandbox ahead; everything follows. It cannot be moved back",
  args: ["DURATION"],
  audit: () => ({ action: "advance-clock", subject: "clock" }),
  async run({ billing, config, args: [duration = ""], now }) {
    if (!config.sandbox) throw new CommandError("The clock can be moved in the sandbox only.")
    const by = durationIn(duration)
    if ((await billing.operator.clockAhead()) + by > MAX_AHEAD)
      throw new CommandError("The clock can be ten years ahead at most.")
    const ahead = await billing.operator.advanceClock(by)
    const at = now + by
    return {
      text: `The shop's time is ${time(at)} UTC, ${Math.round(ahead / HOUR)} hours ahead. A running shop follows within seconds.`,
      data: { now: jsonTime(at), aheadSeconds: ahead / 1_000 },
    }
  },
}

function durationIn(value: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(value) ?? []
  const duration = Number(count) * (UNITS[unit] ?? 0)
  if (duration > 0) return duration
  throw new UsageError(`Invalid duration "${value}": must be like 30m, 12h or 30d.`)
}
