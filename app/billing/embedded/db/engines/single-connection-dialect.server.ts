import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteQueryCompiler,
  type TransactionSettings,
} from "kysely"
import { type GroupCommit, groupCommit } from "./group-commit.server"
import { SqliteCompiler } from "./literal-limits.server"
import { waitingForLock } from "./lock-wait.server"

/** Flushes SQLite's write-ahead log. `open` is called first, so that `flush` can fail only because of the disk. */
export type WalFile = { open(): Promise<void>; flush(): Promise<void>; close(): Promise<void> }

/** Whether the current holder of the connection has written. */
export type ConnectionUsage = { wrote: boolean }

type SharedConnection = {
  readonly hold: ConnectionUsage
  readonly disk: WalFile
  readonly onFlushFailed: (error: Error) => void
  readonly isTransaction: () => boolean
}

/**
 * Gives one connection to one holder at a time. Releasing it resolves when everything the holder wrote or read is
 * flushed. The next holder has the connection meanwhile, so concurrent writes share one flush (group commit).
 */
class FlushingDriver extends SqliteDriver {
  readonly #shared: SharedConnection
  readonly #writes: GroupCommit
  #lastHolder: Promise<void> = Promise.resolve()
  #releaseConnection = () => {}
  #connection: DatabaseConnection | null = null

  constructor(config: SqliteDialectConfig, shared: SharedConnection) {
    super(config)
    this.#shared = shared
    this.#writes = groupCommit({ flush: () => shared.disk.flush(), onFailure: shared.onFlushFailed })
  }

  override async init(): Promise<void> {
    await super.init()
    await this.#shared.disk.open()
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#becomeHolder()
    const failure = this.#writes.failure()
    if (failure) {
      this.#releaseConnection()
      throw failure
    }
    this.#connection ??= waitingForLock(await super.acquireConnection(), {
      isTransaction: this.#shared.isTransaction,
      giveWay: (pause) => this.#giveWay(pause),
    })
    return this.#connection
  }

  async #becomeHolder(): Promise<void> {
    const lock = Promise.withResolvers<void>()
    const before = this.#lastHolder
    this.#lastHolder = lock.promise
    await before
    this.#releaseConnection = lock.resolve
  }

  async #giveWay(pause: () => Promise<void>): Promise<void> {
    this.#releaseConnection()
    await pause()
    await this.#becomeHolder()
    const failure = this.#writes.failure()
    if (failure) throw failure
  }

  override async releaseConnection(): Promise<void> {
    const { hold } = this.#shared
    if (hold.wrote) this.#writes.markWritten()
    hold.wrote = false
    this.#releaseConnection()
    await this.#writes.flushed()
  }

  /**
   * Starts a read-only transaction as BEGIN DEFERRED: it reads one snapshot and does not block writers. Kysely's SQLite
   * driver ignores the access mode.
   */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    if (settings?.accessMode !== "read only") return super.beginTransaction(connection)
    await connection.executeQuery(CompiledQuery.raw("begin deferred"))
  }

  /** After a full disk SQLite itself has rolled back; an error of the second rollback would hide the first cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("no transaction is active"))) throw error
    }
  }

  override async destroy(): Promise<void> {
    await super.destroy()
    await this.#shared.disk.close()
  }
}

/** SQLite over one connection with group commit; `hold` records whether its holder has written. */
export class SingleConnectionDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  readonly #shared: SharedConnection

  constructor(config: SqliteDialectConfig, shared: SharedConnection) {
    super(config)
    this.#config = config
    this.#shared = shared
  }

  override createDriver(): SqliteDriver {
    return new FlushingDriver(this.#config, this.#shared)
  }

  override createAdapter(): SqliteAdapter {
    return new UnlockedSqliteAdapter()
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteCompiler()
  }
}

class UnlockedSqliteAdapter extends SqliteAdapter {
  /** SQLite supports DDL in transactions, so that two processes starting concurrently do not each migrate a part. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** There is one connection, but Kysely's own mutex would be held until the flush ends. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
