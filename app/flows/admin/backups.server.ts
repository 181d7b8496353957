import type { AuditEntry, AuditLog, NewAuditEntry } from "~/billing/operators/audit-log"
import type { Instant } from "~/domain/calendar"
import { ADMIN_CLI } from "~/domain/operators/operator"

/** Subject of the audit log's entries about backups that were made. */
export const BACKUP_SUBJECT = "backup"

/** Subject of the audit log's entries about backups that were read back. */
const RESTORED_SUBJECT = "restored database"
const RESTORE = "restore-backup"

export type BackupMade = {
  readonly at: Instant
  /** Where it was written; null if the command of an earlier version made it. */
  readonly place: string | null
  /** Bytes; null likewise. */
  readonly size: number | null
}

/** `restored`: it has replaced the database; otherwise it was only tried. */
export type RestoreTried = {
  readonly at: Instant
  readonly kind: "restored" | "tried"
  readonly place: string | null
  /** When the backup was made; null if it could not be read, or an earlier version has restored it. */
  readonly madeAt: string | null
  readonly rows: number | null
  /** Why it could not be restored; null if it could. */
  readonly error: string | null
  /** Of one that has replaced the database: numbers of documents that had been given since are not given again. */
  readonly keepsNumbers?: boolean | undefined
}

export type Backups = {
  /** Newest first. */
  readonly made: readonly BackupMade[]
  readonly tried: readonly RestoreTried[]
}

/** The newest backups, and the newest times that one was read back, as the audit log has them. */
export async function listBackups(auditLog: Pick<AuditLog, "newest">, limit: number): Promise<Backups> {
  const [made, tried] = await Promise.all([
    auditLog.newest({ subject: BACKUP_SUBJECT, limit }),
    auditLog.newest({ subject: RESTORED_SUBJECT, limit }),
  ])
  return { made: made.map(madeOf), tried: tried.map(triedOf) }
}

function madeOf(entry: AuditEntry): BackupMade {
  const { place, size } = noted(entry)
  return { at: entry.at, place: textOf(place), size: numberOf(size) }
}

function triedOf(entry: AuditEntry): RestoreTried {
  const { place, madeAt, rows, error, keepsNumbers } = noted(entry)
  return {
    at: entry.at,
    kind: entry.action === RESTORE ? "restored" : "tried",
    place: textOf(place),
    madeAt: textOf(madeAt),
    rows: numberOf(rows),
    error: textOf(error),
    keepsNumbers: typeof keepsNumbers === "boolean" ? keepsNumbers : undefined,
  }
}

/** The last time that a backup has replaced the database. Null: none has, or only by a version that has not noted the numbers. */
export async function lastRestore(
  auditLog: Pick<AuditLog, "newest">,
): Promise<{ readonly position: number; readonly at: Instant; readonly keepsNumbers: boolean } | null> {
  const [entry] = await auditLog.newest({ subject: RESTORED_SUBJECT, action: RESTORE, limit: 1 })
  const restored = entry && triedOf(entry)
  if (!entry || restored?.keepsNumbers === undefined) return null
  return { position: entry.position, at: restored.at, keepsNumbers: restored.keepsNumbers }
}

function noted({ after }: AuditEntry): Readonly<Record<string, unknown>> {
  const value: unknown = after === null ? null : JSON.parse(after)
  return typeof value === "object" && value !== null ? { ...value } : {}
}

const textOf = (value: unknown) => (typeof value === "string" ? value : null)
const numberOf = (value: unknown) => (typeof value === "number" ? value : null)

const byCommand = { operatorId: null, operator: ADMIN_CLI } as const

/** What the audit log says of a backup that was made. */
export function madeEntry({ at, place, size }: BackupMade): NewAuditEntry {
  const after = { place, size }
  return { ...byCommand, action: "create-backup", subject: BACKUP_SUBJECT, outcome: "done", at, after }
}

/** What the audit log says of a backup that was read back. */
export function triedEntry({ at, kind, ...after }: RestoreTried): NewAuditEntry {
  return {
    ...byCommand,
    action: kind === "restored" ? RESTORE : "verify-backup",
    subject: RESTORED_SUBJECT,
    outcome: after.error === null ? "done" : "failed",
    at,
    after,
  }
}
