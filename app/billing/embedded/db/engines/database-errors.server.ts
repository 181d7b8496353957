import { BillingError } from "~/billing/billing"

/** Another writer was faster than a conditional update: what was read is no longer so, and reading again helps. */
export class WriteConflictError extends Error {
  override name = "Overtaken"
}

/** Serialization failure and deadlock: PostgreSQL asks for the transaction to be repeated. */
const REPEAT = ["40001", "40P01"]
/** The server ends or is about to begin, and has not done what was asked: it never says so of what it has kept. */
const GOODBYE = ["57P01", "57P02", "57P03"]
/** SQLite's primary code is the low byte of the extended one (https://sqlite.org/rescode.html). */
const PRIMARY = 0xff
const BUSY = 5
const CONSTRAINT = 19
const NETWORK = [
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ERR_INVALID_STATE"],
]
/** What `pg` and Kysely say without a code when a connection is lost, late or not to be had. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered|Client was closed|Cannot use a pool|Postgres connection has been discarded|driver has already been destroyed|database is not open)/

/** How often a transaction that ended like this is tried in all: what passes at once often, what blocks seldom. */
export function maxAttemptsFor(error: unknown): number {
  if (error instanceof WriteConflictError) return 20
  if (isSqlite(error)) return (error.errcode & PRIMARY) === BUSY ? 2 : 1
  return REPEAT.includes(errorCodeOf(error) ?? "") || wasRolledBack(error) ? 5 : 1
}

/** Whether a connection has ended before it did what was asked: nothing of the statement or its transaction is kept. */
export function wasRolledBack(error: unknown): boolean {
  const unsent = error instanceof Error && /is not queryable$/.test(error.message)
  return unsent || GOODBYE.includes(errorCodeOf(error) ?? "")
}

/**
 * The failure in the words of the port: `refused` for what contradicts the books (a customer that is not there),
 * `unavailable` for whatever keeps the database from answering. What is not of the database stays as it is.
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

/** Integrity violations: class 23 of SQLSTATE, SQLITE_CONSTRAINT. */
function isContradiction(error: Error): boolean {
  return isSqlite(error) ? (error.errcode & PRIMARY) === CONSTRAINT : /^23...$/.test(errorCodeOf(error) ?? "")
}

/** A SQLSTATE, which unlike the system's codes always has a digit. */
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
