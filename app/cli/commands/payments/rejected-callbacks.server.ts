import type { RejectedCallbacks } from "~/billing/console-overview"
import { type Command, CommandError, UsageError } from "~/cli/command"
import { jsonTime, time, unknownGateway } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import type { StoredCallback } from "~/domain/payments/rejected-callback"
import { findRejectedCallbacks, rejectedQueryIn } from "~/flows/admin/payments/find-rejected-callbacks.server"

const USUAL = 200

export const listRejectedCallbacks: Command = {
  about:
    "list callbacks that were rejected, counted by day, gateway and reason, the newest day first, and those that are stored",
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
    if (wrong === "gateway") throw new UsageError(unknownGateway(gateway))
    if (wrong) throw new UsageError("--from must be a day such as 2026-11-01.")
    const finding = { overview: billing.overview, timeZone: config.TIME_ZONE, now }
    const { rows, stored, since, isCut } = await findRejectedCallbacks(
      finding,
      filter,
      limitIn(options.limit, USUAL),
    )
    const more = isCut ? ["There are more: raise --limit."] : []
    const sent = stored.length === 0 ? [] : ["", "Stored as they were sent", ...stored.map(storedLineOf)]
    return {
      text: [...rows.map(lineOf), ...more, ...sent].join("\n") || `No callback was rejected since ${since}.`,
      data: { rejected: rows, stored: stored.map(storedJson), since, isCut },
    }
  },
}

function lineOf({ day, gateway, reason, count }: RejectedCallbacks): string {
  return [day, gateway.padEnd(16), `${count} ×`, reason].join("  ")
}

function storedLineOf({ id, at, gateway, reason, address, size }: StoredCallback): string {
  return [time(at), gateway.padEnd(16), id, `${size} bytes`, address ?? "-", reason].join("  ")
}

function storedJson({ id, at, gateway, reason, address, size }: StoredCallback) {
  return { id, at: jsonTime(at), gateway, reason, address, size }
}

export const showRejectedCallback: Command = {
  about: "show a rejected callback as it was sent, without signatures, secrets and email addresses",
  args: ["ID"],
  async run({ billing, args: [id = ""] }) {
    const callback = await billing.overview.storedCallback(id)
    if (!callback)
      throw new CommandError(`Rejected callback "${id}" not found: it is not stored, or no longer.`)
    const { headers, body, digest } = callback
    return {
      text: [
        storedLineOf(callback),
        `SHA-256 ${digest}`,
        "",
        ...headers.map(([name, value]) => `${name}: ${value}`),
        "",
        Buffer.from(body, "base64").toString("utf8"),
      ].join("\n"),
      data: { ...storedJson(callback), digest, headers, body },
    }
  },
}
