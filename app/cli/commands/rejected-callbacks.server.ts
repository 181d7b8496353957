import type { RejectedCallbacks } from "~/billing/console-overview"
import { findRejectedCallbacks, rejectedQueryIn } from "~/flows/admin/find-rejected-callbacks.server"
import { type Command, UsageError } from "../command"
import { limitIn } from "../limit"

const USUAL = 200

export const listRejectedCallbacks: Command = {
  about: "list callbacks that were rejected, counted by day, gateway and reason, the newest day first",
  args: [],
  options: {
    gateway: "only callbacks of this gateway",
    from: "on this day of the shop's calendar or later; the last 30 days without it",
    limit: `at most this many lines, ${USUAL} without it`,
  },
  async run({ billing, config, options, now }) {
    const { gateway = "", from = "" } = options
    const { filter, invalid } = rejectedQueryIn((field) => (field === "gateway" ? gateway : from))
    const [wrong] = invalid
    if (wrong === "gateway") throw new UsageError(`Unknown gateway "${gateway}".`)
    if (wrong) throw new UsageError("--from must be a day such as 2026-11-01.")
    const finding = { overview: billing.overview, timeZone: config.TIME_ZONE, now }
    const { rows, since, isCut } = await findRejectedCallbacks(finding, filter, limitIn(options.limit, USUAL))
    const more = isCut ? ["There are more: raise --limit."] : []
    return {
      text: [...rows.map(lineOf), ...more].join("\n") || `No callback was rejected since ${since}.`,
      data: { rejected: rows, since, isCut },
    }
  },
}

function lineOf({ day, gateway, reason, count }: RejectedCallbacks): string {
  return [day, gateway.padEnd(16), `${count} ×`, reason].join("  ")
}
