import { createHash } from "node:crypto"
import type {
  AuditEntry,
  AuditLog,
  AuditPage,
  AuditVerdict,
  NewAuditEntry,
  SentForm,
} from "~/billing/operators/audit-log"
import type { Instant } from "~/domain/calendar"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { AuditLogRow } from "../db/schema/operator-rows"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"

/** The audit log in the embedded database. */
export function auditLogOf(ctx: DbContext): AuditLog {
  return guarded<AuditLog>(ctx, { append, sentForm, page, newest, verify })
}

/** The first entry follows this hash. */
const START = ""
const VERIFIED_AT_ONCE = 500

/** See `AuditLog.append`. In a transaction the entry is a part of it. */
export function append(ctx: DbContext, entry: NewAuditEntry): Promise<number | null> {
  return inTransaction(ctx, async (tx) => {
    const last = await tx.db
      .selectFrom("audit_log")
      .select(["position", "hash"])
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst()
    const row = chained(entry, last ?? { position: 0, hash: START })
    const added = await tx.db
      .insertInto("audit_log")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning("position")
      .executeTakeFirst()
    if (added) return added.position
    if (row.form_key !== null && (await sentForm(tx, row.form_key))) return null
    throw new WriteConflictError("Another entry has taken the position in the audit log")
  })
}

function chained(entry: NewAuditEntry, last: Pick<AuditLogRow, "position" | "hash">): AuditLogRow {
  const row = {
    position: last.position + 1,
    at: entry.at,
    operator_id: entry.operatorId,
    operator: entry.operator,
    action: entry.action,
    subject: entry.subject,
    outcome: entry.outcome,
    reason: entry.reason ?? null,
    before: jsonOf(entry.before),
    after: jsonOf(entry.after),
    form_key: entry.formKey ?? null,
    form_typed: entry.formTyped ?? null,
    previous_hash: last.hash,
  }
  return { ...row, hash: hashOf(row) }
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

function hashOf(row: Omit<AuditLogRow, "hash">): string {
  const hashed = [
    row.position,
    row.at,
    row.operator_id,
    row.operator,
    row.action,
    row.subject,
    row.outcome,
    row.reason,
    row.before,
    row.after,
    row.form_key,
    row.previous_hash,
  ]
  return createHash("sha256").update(JSON.stringify(hashed)).digest("hex")
}

async function sentForm({ db }: DbContext, formKey: string): Promise<SentForm | null> {
  const row = await db
    .selectFrom("audit_log")
    .select("form_typed as typed")
    .where("form_key", "=", formKey)
    .executeTakeFirst()
  return row ?? null
}

async function page(
  ctx: DbContext,
  { after, limit }: { after: number; limit: number },
): Promise<readonly AuditEntry[]> {
  return (await rowsAfter(ctx, { after, limit })).map(entryOf)
}

function rowsAfter({ db }: DbContext, { after, limit }: { after: number; limit: number }) {
  return db
    .selectFrom("audit_log")
    .selectAll()
    .where("position", ">", after)
    .orderBy("position")
    .limit(limit)
    .execute()
}

/** Clocks of several instances differ: positions follow the times closely, and not always. */
function firstFrom(db: DbContext["db"], from: Instant) {
  return db
    .selectFrom("audit_log")
    .select((row) => row.fn.min("position").as("position"))
    .where("at", ">=", from)
}

function lastBefore(db: DbContext["db"], until: Instant) {
  return db
    .selectFrom("audit_log")
    .select((row) => row.fn.max("position").as("position"))
    .where("at", "<", until)
}

async function newest(
  { db }: DbContext,
  { limit, before, subject, operator, action, from, until }: AuditPage,
): Promise<readonly AuditEntry[]> {
  const rows = await db
    .selectFrom("audit_log")
    .selectAll()
    .$if(before !== undefined, (query) => query.where("position", "<", before ?? 0))
    .$if(subject !== undefined, (query) => query.where("subject", "=", subject ?? ""))
    .$if(operator !== undefined, (query) => query.where("operator", "=", operator ?? ""))
    .$if(action !== undefined, (query) => query.where("action", "=", action ?? ""))
    .$if(from !== undefined, (query) => query.where("at", ">=", from ?? 0))
    .$if(until !== undefined, (query) => query.where("at", "<", until ?? 0))
    // The same times as positions: the index of the other conditions, or of all entries, is then read in this range alone.
    .$if(from !== undefined, (query) => query.where("position", ">=", firstFrom(db, from ?? 0)))
    .$if(until !== undefined, (query) => query.where("position", "<=", lastBefore(db, until ?? 0)))
    .orderBy("position", "desc")
    .limit(limit)
    .execute()
  return rows.map(entryOf)
}

async function verify(ctx: DbContext): Promise<AuditVerdict> {
  let last = { position: 0, hash: START }
  let rows: readonly AuditLogRow[]
  do {
    rows = await rowsAfter(ctx, { after: last.position, limit: VERIFIED_AT_ONCE })
    const before = last
    const broken = rows.find((row, at) => !isNext(row, rows[at - 1] ?? before))
    if (broken) return { entries: broken.position - 1, brokenAt: broken.position, lastHash: null }
    last = rows.at(-1) ?? last
  } while (rows.length === VERIFIED_AT_ONCE)
  return { entries: last.position, brokenAt: null, lastHash: last.hash || null }
}

function isNext(row: AuditLogRow, last: Pick<AuditLogRow, "position" | "hash">): boolean {
  return row.position === last.position + 1 && row.previous_hash === last.hash && row.hash === hashOf(row)
}

function entryOf(row: AuditLogRow): AuditEntry {
  return {
    position: row.position,
    at: row.at,
    operatorId: row.operator_id,
    operator: row.operator,
    action: row.action,
    subject: row.subject,
    outcome: row.outcome,
    reason: row.reason,
    before: row.before,
    after: row.after,
    formKey: row.form_key,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}
