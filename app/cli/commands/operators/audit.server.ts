import type { AuditEntry } from "~/billing/operators/audit-log"
import { type Command, UsageError } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { time } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import { auditLines, invalidDays, jsonEntry, listAudit } from "~/flows/admin/operators/audit-entries.server"

export const listAuditLog: Command = {
  about: "list what operators did, newest first",
  args: [],
  optionalArg: "SUBJECT",
  options: {
    limit: "how many, 50 without it",
    operator: 'only what this operator did, or "admin CLI"',
    action: "only this action, such as refund-order",
    from: "on this day of the shop's calendar or later",
    to: "on this day or earlier",
    after: "those older than the entry at this position",
  },
  async run({ billing, config, args: [subject = ""], options }) {
    const { operator = "", action = "", from = "", to: until = "", after } = options
    const before = after === undefined ? undefined : Number(after)
    if (before !== undefined && !Number.isSafeInteger(before))
      throw new UsageError(`Invalid --after "${after}".`)
    const filter = { operator, action, subject, from, until }
    const [wrong] = invalidDays(filter)
    if (wrong) throw new UsageError(`--${wrong === "from" ? "from" : "to"} must be a day such as 2026-11-01.`)
    const { auditLog, operators } = billing
    const reading = { auditLog, operators, timeZone: config.TIME_ZONE }
    const { entries, older } = await listAudit(reading, filter, { before, limit: limitIn(options.limit, 50) })
    return {
      text: entries.map(lineOf).join("\n") || "No entries.",
      data: { entries: entries.map(jsonEntry), next: older },
    }
  },
}

/** One JSON object a line, with the hashes, so that the chain can be checked elsewhere. */
export const exportAuditLog: Command = {
  about: "write the audit log as JSON lines; - writes to standard output",
  args: ["FILE|-"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: () => ({ action: "export-audit-log", subject: "audit log" }),
  async run({ billing, args: [file = ""], write }) {
    const lines = auditLines(billing.auditLog)
    await onDisk(file === "-" ? write(lines) : writePrivately(file, lines))
    return { text: `Audit log written to ${file === "-" ? "standard output" : file}.`, data: { file } }
  },
}

export const verifyAuditLog: Command = {
  about: "check that no entry of the audit log was changed or removed",
  args: [],
  async run({ billing }) {
    const { entries, brokenAt, lastHash } = await billing.auditLog.verify()
    const end = lastHash === null ? "" : ` The last hash is ${lastHash}.`
    const text =
      brokenAt === null
        ? `${entries} entries, all unchanged.${end}`
        : `Entry ${brokenAt} was changed, or one before it removed.`
    return { text, data: { entries, brokenAt, lastHash }, isFailure: brokenAt !== null }
  },
}

function lineOf({ position, at, operator, action, subject, outcome, reason }: AuditEntry): string {
  const why = reason === null ? "" : `  (${reason})`
  return `${position}  ${time(at)}  ${operator}  ${action}  ${subject}  ${outcome}${why}`
}
