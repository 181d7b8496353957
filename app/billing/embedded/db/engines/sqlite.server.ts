import { type FileHandle, open } from "node:fs/promises"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { SqliteDatabase, SqliteDialect, SqliteStatement } from "kysely"
import { LRUCache } from "lru-cache"
import { isDiskError } from "./database-errors.server"
import { BUSY_TIMEOUT } from "./lock-wait.server"
import {
  type ConnectionUsage,
  SingleConnectionDialect,
  type WalFile,
} from "./single-connection-dialect.server"

const STATEMENTS = 500

type Options = {
  readonly disk?: WalFile
  /** Called once after a failed flush: this process reads and writes nothing more. */
  readonly onFlushFailed?: (error: Error) => void
  /** Called after each statement that the disk has failed, for example because it is full. */
  readonly onDiskError?: () => void
}

/**
 * Kysely dialect on `node:sqlite`. Opens or creates the file; rethrows the error of `node:sqlite` if that fails.
 * A write is confirmed after its flush, as with `synchronous = full`. SQLite itself would flush synchronously and block
 * the event loop while the disk is slow, so the flush runs asynchronously (group commit).
 */
export function sqliteDialect(
  file: string,
  { disk = diskOf(file), onFlushFailed = () => {}, onDiskError = () => {} }: Options = {},
): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT })
  const { journal_mode } = database.prepare("pragma journal_mode = wal").get() ?? {}
  // Not every file system supports WAL; without it, SQLite flushes synchronously.
  const isLogged = journal_mode === "wal"
  // After a failed flush, pages of the log may exist in the page cache only: checkpoint them into the database.
  // From now on the connection waits for locks; without WAL a COMMIT may have to wait, too.
  if (isLogged) database.exec("pragma wal_checkpoint(passive); pragma busy_timeout = 0")
  database.exec(`pragma synchronous = ${isLogged ? "normal" : "full"}; pragma foreign_keys = on`)
  const hold = { wrote: false }
  return new SingleConnectionDialect(
    { database: shapedForKysely(database, { hold, onDiskError }) },
    {
      hold,
      disk: isLogged ? disk : flushedBySqlite,
      onFlushFailed,
      isTransaction: () => database.isTransaction,
    },
  )
}

const flushedBySqlite: WalFile = { open: async () => {}, flush: async () => {}, close: async () => {} }

/** Flushing the log is enough: before SQLite reuses it, a checkpoint syncs log and database file. */
function diskOf(file: string): WalFile {
  let log: FileHandle | null = null
  return {
    async open() {
      log = await open(`${file}-wal`, "r+")
    },
    async flush() {
      await log?.datasync()
    },
    close: async () => log?.close(),
  }
}

type Observer = { readonly hold: ConnectionUsage; readonly onDiskError: () => void }

function shapedForKysely(database: DatabaseSync, { hold, onDiskError }: Observer): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({
    max: STATEMENTS,
    memoMethod: (sql) => {
      const writer = READS.test(sql) ? null : hold
      return reportingDiskErrors(statement(database.prepare(startingRight(sql)), writer), onDiskError)
    },
  })
  return { prepare: (sql) => prepared.memo(sql), close: () => database.close() }
}

/** Statements that write nothing; COMMIT is included because the statements of its transaction set `wrote`. */
const READS = /^\s*(select|begin|commit|rollback|savepoint|release|pragma)\b/i

/**
 * Starts transactions with BEGIN IMMEDIATE, which waits for the write lock. A deferred transaction that reads first
 * fails with SQLITE_BUSY if another process writes before its own write, regardless of the timeout.
 */
function startingRight(sql: string): string {
  return sql === "begin" ? "begin immediate" : sql
}

function statement(prepared: StatementSync, writer: ConnectionUsage | null): SqliteStatement {
  /** A statement that throws has written nothing. */
  const noted = <T>(result: T): T => {
    if (writer) writer.wrote = true
    return result
  }
  return {
    reader: prepared.columns().length > 0,
    all: (values) => noted(prepared.all(...values.map(bindable))),
    run: (values) => noted(prepared.run(...values.map(bindable))),
    iterate: (values) => noted(prepared.iterate(...values.map(bindable))),
  }
}

/** Calls `onDiskError` for a statement that the disk has failed; a COMMIT may be one, too. */
function reportingDiskErrors({ reader, all, run, iterate }: SqliteStatement, onDiskError: () => void) {
  const reported = <T>(execute: () => T): T => {
    try {
      return execute()
    } catch (error) {
      if (isDiskError(error)) onDiskError()
      throw error
    }
  }
  return {
    reader,
    all: (values: readonly unknown[]) => reported(() => all(values)),
    run: (values: readonly unknown[]) => reported(() => run(values)),
    iterate,
  }
}

/** Rejects value types that no column has: a programming error, which SQLite must not store in converted form. */
function bindable(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value
  throw new TypeError(`Invalid database value: ${typeof value}`)
}
