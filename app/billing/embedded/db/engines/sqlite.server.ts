import { type FileHandle, open } from "node:fs/promises"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { SqliteDatabase, SqliteDialect, SqliteStatement } from "kysely"
import { LRUCache } from "lru-cache"
import { SECOND } from "~/domain/calendar"
import {
  type ConnectionUsage,
  SingleConnectionDialect,
  type WalFile,
} from "./single-connection-dialect.server"

/** How long a statement waits for another process, such as the operator's command line, to let go of the file. */
const BUSY_TIMEOUT = 5 * SECOND
const STATEMENTS = 500

type Options = {
  readonly disk?: WalFile
  /** The disk has failed to take what was written: nothing more is read or written by this process. */
  readonly onFlushFailed?: (error: Error) => void
}

/**
 * Kysely's SQLite over Node's own. Opens or makes the file; throws what `node:sqlite` throws if it cannot. What is
 * written is on the disk before anybody hears of it, as by `synchronous = full`; but SQLite would flush it itself, and
 * the whole shop would stand still until a slow disk is done.
 */
export function sqliteDialect(
  file: string,
  { disk = diskOf(file), onFlushFailed = () => {} }: Options = {},
): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT })
  const { journal_mode } = database.prepare("pragma journal_mode = wal").get() ?? {}
  // Not every file system lets SQLite keep a log: there it flushes by itself.
  const isLogged = journal_mode === "wal"
  // What a failed flush has left to the system alone is written once more, into the database.
  if (isLogged) database.exec("pragma wal_checkpoint(passive)")
  database.exec(`pragma synchronous = ${isLogged ? "normal" : "full"}; pragma foreign_keys = on`)
  const hold = { wrote: false }
  return new SingleConnectionDialect(
    { database: shapedForKysely(database, hold) },
    { hold, disk: isLogged ? disk : flushedBySqlite, onFlushFailed },
  )
}

const flushedBySqlite: WalFile = { open: async () => {}, flush: async () => {}, close: async () => {} }

/** What is written stays in the log until SQLite has brought log and file to the disk, which it does by itself. */
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

function shapedForKysely(database: DatabaseSync, hold: ConnectionUsage): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({
    max: STATEMENTS,
    memoMethod: (sql) => statement(database.prepare(startingRight(sql)), READS.test(sql) ? null : hold),
  })
  return { prepare: (sql) => prepared.memo(sql), close: () => database.close() }
}

/** Statements after which nothing needs to be flushed; what a transaction has written, its own statements tell. */
const READS = /^\s*(select|begin|commit|rollback|savepoint|release|pragma)\b/i

/**
 * A transaction that reads first and writes later fails half-way when another process writes in between, whatever
 * the timeout. Taking the right to write at the start makes it wait instead.
 */
function startingRight(sql: string): string {
  return sql === "begin" ? "begin immediate" : sql
}

function statement(prepared: StatementSync, writer: ConnectionUsage | null): SqliteStatement {
  const bound = (values: readonly unknown[]) => {
    if (writer) writer.wrote = true
    return values.map(bindable)
  }
  return {
    reader: prepared.columns().length > 0,
    all: (values) => prepared.all(...bound(values)),
    run: (values) => prepared.run(...bound(values)),
    iterate: (values) => prepared.iterate(...bound(values)),
  }
}

/** What our tables hold; anything else is a mistake of ours that must not be written as something it is not. */
function bindable(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value
  throw new TypeError(`Not a value for the books: ${typeof value}`)
}
