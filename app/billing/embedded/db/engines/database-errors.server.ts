import { BillingError } from "~/billing/billing"

/** Optimistic locking: a conditional update found changed data. Retrying the transaction reads it again. */
export class WriteConflictError extends Error {
  override name = "WriteConflictError"
}

/** SQLSTATE serialization_failure and deadlock_detected: the transaction must be retried. */
const REPEAT = ["40001", "40P01"]
/** SQLSTATE admin_shutdown, crash_shutdown and cannot_connect_now: the statement was not committed. */
const GOODBYE = ["57P01", "57P02", "57P03"]
/** SQLSTATE feature_not_supported: PostgreSQL rejects a prepared statement whose columns a migration has changed. */
export const PLAN_CHANGED = "0A000"
/** SQLSTATE invalid_sql_statement_name and duplicate_prepared_statement: a pooler has changed the server's connection. */
const NOT_PREPARED_HERE = ["26000", "42P05"]
/** SQLite's primary code is the low byte of the extended one (https://sqlite.org/rescode.html). */
const PRIMARY = 0xff
const BUSY = 5
const CONSTRAINT = 19
/** SQLITE_READONLY, SQLITE_IOERR and SQLITE_FULL. */
const DISK = [8, 10, 13]
const NETWORK = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_INVALID_STATE",
]
/** Messages of `pg` and Kysely, without a code, for a lost, slow or unavailable connection. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered|Client was closed|Cannot use a pool|Postgres connection has been discarded|driver has already been destroyed|database is not open)/

/** Maximum attempts of a transaction that failed with `error`: many for brief conflicts, few for blocking errors. */
export function maxAttemptsFor(error: unknown): number {
  if (error instanceof WriteConflictError) return 20
  if (isSqlite(error)) return isBusy(error) ? 2 : 1
  const isRepeated = REPEAT.includes(errorCodeOf(error) ?? "")
  return isRepeated || wasRolledBack(error) || isPreparationLost(error) ? 5 : 1
}

/** Whether a statement failed before it ran, because its connection has not prepared it, or not for the columns of today. */
export function isPreparationLost(error: unknown): boolean {
  return [PLAN_CHANGED, ...NOT_PREPARED_HERE].includes(errorCodeOf(error) ?? "")
}

/** Whether a connection ended before the statement ran: nothing of it or its transaction is stored. */
export function wasRolledBack(error: unknown): boolean {
  const unsent = error instanceof Error && /is not queryable$/.test(error.message)
  return unsent || GOODBYE.includes(errorCodeOf(error) ?? "")
}

/**
 * Maps a database error to `BillingError`: `refused` for a constraint violation (such as an unknown customer),
 * `unavailable` for any other database error. Returns errors of other origin unchanged.
 */
export function toBillingError(error: unknown): unknown {
  if (error instanceof BillingError || !(error instanceof Error)) return error
  if (isContradiction(error))
    return new BillingError("refused", "Database constraint violated", { cause: error })
  if (isOfDatabase(error))
    return new BillingError("unavailable", `Database unavailable: ${error.message}`, { cause: error })
  return error
}

function isOfDatabase(error: Error): boolean {
  const lost =
    error instanceof WriteConflictError ||
    error.name === "AbortedTransactionError" ||
    LOST.test(error.message)
  return lost || isSqlite(error) || isServerCode(errorCodeOf(error)) || isNetworkCode(errorCodeOf(error))
}

/** Whether another process has SQLite's lock: the statement has done nothing. */
export function isBusy(error: unknown): boolean {
  return isSqlite(error) && (error.errcode & PRIMARY) === BUSY
}

/** Whether SQLite failed because of the disk: full, defective or read-only. */
export function isDiskError(error: unknown): boolean {
  return isSqlite(error) && DISK.includes(error.errcode & PRIMARY)
}

/** Constraint violations: SQLSTATE class 23, SQLITE_CONSTRAINT. */
function isContradiction(error: Error): boolean {
  return isSqlite(error) ? (error.errcode & PRIMARY) === CONSTRAINT : /^23...$/.test(errorCodeOf(error) ?? "")
}

/** SQLSTATE: five characters with a digit, unlike the operating system's error codes. */
function isServerCode(code: string | undefined): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code ?? "")
}

function isNetworkCode(code: string | undefined): boolean {
  return NETWORK.includes(code ?? "")
}

export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
}

function isSqlite(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
}
