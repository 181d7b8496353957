import type { AuditEntry, AuditLog } from "~/billing/operators/audit-log"
import type { OperatorRepository } from "~/billing/operators/operators"
import { endOfDay, startOfDay } from "~/domain/local-time"
import { operatorActions } from "~/domain/operators/operator"

export const auditFilterFields = ["operator", "action", "subject", "from", "until"] as const
export type AuditFilterField = (typeof auditFilterFields)[number]
/**
 * What was typed or chosen; empty: any. `operator`: the id of one, an email, or "admin CLI". `from` and `until`: days of the shop's
 * calendar, both included.
 */
export type AuditFilter = Readonly<Record<AuditFilterField, string>>

/** What an operator has typed as a filter, without blanks around it; empty fields filter nothing. */
export function auditFilterIn(textOf: (field: AuditFilterField) => string): AuditFilter {
  return {
    operator: textOf("operator").trim(),
    action: textOf("action").trim(),
    subject: textOf("subject").trim(),
    from: textOf("from").trim(),
    until: textOf("until").trim(),
  }
}

/** Fields of the filter whose text is no day: they filter nothing. */
export function invalidDays(filter: AuditFilter): readonly ("from" | "until")[] {
  return (["from", "until"] as const).filter(
    (it) => filter[it] !== "" && startOfDay(filter[it], "UTC") === undefined,
  )
}

/** What the form offers as actions: those of the console. The log has others too, such as "sign-in". */
export const auditedActions: readonly string[] = Object.keys(operatorActions)

type Reading = {
  readonly timeZone: string
  readonly auditLog: Pick<AuditLog, "newest">
  readonly operators: Pick<OperatorRepository, "list">
}

export type AuditList = {
  /** Newest first. */
  readonly entries: readonly AuditEntry[]
  /** Position before which older entries are; null on the last page. */
  readonly older: number | null
}

/** The newest entries before a position; all conditions apply. */
export async function listAudit(
  { auditLog, operators, timeZone }: Reading,
  filter: AuditFilter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<AuditList> {
  const named =
    filter.operator === "" ? undefined : (await operators.list()).find(({ id }) => id === filter.operator)
  const found = await auditLog.newest({
    before,
    limit: limit + 1,
    operator: named?.email ?? (filter.operator || undefined),
    action: filter.action || undefined,
    subject: filter.subject || undefined,
    from: startOfDay(filter.from, timeZone),
    until: endOfDay(filter.until, timeZone),
  })
  const entries = found.slice(0, limit)
  return { entries, older: found.length > limit ? (entries.at(-1)?.position ?? null) : null }
}

const EXPORTED_AT_ONCE = 500

/** All entries, the oldest first: one JSON object a line, with the hashes, so that the chain can be checked elsewhere. */
export async function* auditLines(auditLog: Pick<AuditLog, "page">): AsyncGenerator<string> {
  let after = 0
  for (;;) {
    const entries = await auditLog.page({ after, limit: EXPORTED_AT_ONCE })
    for (const entry of entries) yield `${JSON.stringify(jsonEntry(entry))}\n`
    if (entries.length < EXPORTED_AT_ONCE) return
    after = entries.at(-1)?.position ?? after
  }
}

/** An entry as programs read it. */
export function jsonEntry({ at, before, after, ...entry }: AuditEntry) {
  return { ...entry, at: new Date(at).toISOString(), before: parsed(before), after: parsed(after) }
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}
