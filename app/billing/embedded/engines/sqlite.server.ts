import { DatabaseSync, type StatementSync } from "node:sqlite"
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
  type TransactionSettings,
} from "kysely"
import { LRUCache } from "lru-cache"
import { SECOND } from "~/domain/calendar"

/** How long a statement waits for another process, such as the operator's command line, to let go of the file. */
const BUSY_TIMEOUT = 5 * SECOND
const STATEMENTS = 500

/** Kysely's SQLite over Node's own. Opens or makes the file; throws what `node:sqlite` throws if it cannot. */
export function sqliteDialect(file: string): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT })
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on")
  return new TransactionalDdl({ database: shapedForKysely(database) })
}

function shapedForKysely(database: DatabaseSync): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({
    max: STATEMENTS,
    memoMethod: (sql) => statement(database.prepare(startingRight(sql))),
  })
  return { prepare: (sql) => prepared.memo(sql), close: () => database.close() }
}

/**
 * A transaction that reads first and writes later fails half-way when another process writes in between, whatever
 * the timeout. Taking the right to write at the start makes it wait instead.
 */
function startingRight(sql: string): string {
  return sql === "begin" ? "begin immediate" : sql
}

function statement(prepared: StatementSync): SqliteStatement {
  return {
    reader: prepared.columns().length > 0,
    all: (values) => prepared.all(...values.map(bindable)),
    run: (values) => prepared.run(...values.map(bindable)),
    iterate: (values) => prepared.iterate(...values.map(bindable)),
  }
}

/** What our tables hold; anything else is a mistake of ours that must not be written as something it is not. */
function bindable(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value
  throw new TypeError(`Not a value for the books: ${typeof value}`)
}

/**
 * Whoever only reads, reads what was there at one moment, and keeps nobody from writing. Kysely's driver does not look
 * at how a transaction is meant.
 */
class ReadingDriver extends SqliteDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    if (settings?.accessMode !== "read only") return super.beginTransaction(connection)
    await connection.executeQuery(CompiledQuery.raw("begin deferred"))
  }
}

/** SQLite changes tables inside transactions, so two processes that start at once do not migrate half each. */
class TransactionalDdl extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): SqliteDriver {
    return new ReadingDriver(this.#config)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter()
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
