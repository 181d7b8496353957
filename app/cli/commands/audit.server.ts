import type { AuditEntry, AuditLog } from "~/billing/audit-log"
import type { Command } from "../command"
import { onDisk, writePrivately } from "../files.server"
import { jsonTime, time } from "../format"
import { limitIn } from "../limit"

const EXPORTED_AT_ONCE = 500

export const listAuditLog: Command = {
  about: "list what operators did, newest first",
  args: [],
  optionalArg: "SUBJECT",
  options: { limit: "how many, 50 without it" },
  async run({ billing, args: [subject], options }) {
    const entries = await billing.auditLog.newest({ subject, limit: limitIn(options.limit, 50) })
    return {
      text: entries.map(lineOf).join("\n") || "No entries.",
      data: { entries: entries.map(jsonEntry) },
    }
  },
}

async function* linesFrom(auditLog: AuditLog): AsyncGenerator<string> {
  let after = 0
  for (;;) {
    const entries = await auditLog.page({ after, limit: EXPORTED_AT_ONCE })
    for (const entry of entries) yield `${JSON.stringify(jsonEntry(entry))}\n`
    if (entries.length < EXPORTED_AT_ONCE) return
    after = entries.at(-1)?.position ?? after
  }
}

/** One JSON object a line, with the hashes, so that the chain can be checked elsewhere. */
export const exportAuditLog: Command = {
  about: "write the audit log as JSON lines; - writes to standard output",
  args: ["FILE|-"],
  audit: () => ({ action: "export-audit-log", subject: "audit log" }),
  async run({ billing, args: [file = ""], write }) {
    const lines = linesFrom(billing.auditLog)
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

function jsonEntry({ at, before, after, ...entry }: AuditEntry) {
  return { ...entry, at: jsonTime(at), before: parsed(before), after: parsed(after) }
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}
