import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from "kysely"
import { type GroupCommit, groupCommit } from "./group-commit.server"

/** Brings to the disk what SQLite has written. `open` comes first: once it is open, only the disk can fail. */
export type WalFile = { open(): Promise<void>; flush(): Promise<void>; close(): Promise<void> }

/** Whether whoever has the connection has written something. */
export type ConnectionUsage = { wrote: boolean }

type SharedConnection = {
  readonly hold: ConnectionUsage
  readonly disk: WalFile
  readonly onFlushFailed: (error: Error) => void
}

/**
 * One connection for all, in turn. Whoever gives it back hears of it when everything that he may have written or read
 * is on the disk; the next one has it meanwhile, so that all who write at a time share one flush.
 */
class FlushingDriver extends SqliteDriver {
  readonly #kept: SharedConnection
  readonly #writes: GroupCommit
  #lastTurn: Promise<void> = Promise.resolve()
  #endTurn = () => {}

  constructor(config: SqliteDialectConfig, kept: SharedConnection) {
    super(config)
    this.#kept = kept
    this.#writes = groupCommit({ flush: () => kept.disk.flush(), onFailure: kept.onFlushFailed })
  }

  override async init(): Promise<void> {
    await super.init()
    await this.#kept.disk.open()
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const turn = Promise.withResolvers<void>()
    const before = this.#lastTurn
    this.#lastTurn = turn.promise
    await before
    if (this.#writes.failure()) {
      turn.resolve()
      throw this.#writes.failure()
    }
    this.#endTurn = turn.resolve
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    const { hold } = this.#kept
    if (hold.wrote) this.#writes.markWritten()
    hold.wrote = false
    this.#endTurn()
    await this.#writes.flushed()
  }

  /**
   * Whoever only reads, reads what was there at one moment, and keeps nobody from writing. Kysely's driver does not
   * look at how a transaction is meant.
   */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    if (settings?.accessMode !== "read only") return super.beginTransaction(connection)
    await connection.executeQuery(CompiledQuery.raw("begin deferred"))
  }

  override async destroy(): Promise<void> {
    await super.destroy()
    await this.#kept.disk.close()
  }
}

/** SQLite over one connection, whose holder says in `hold` whether he has written. */
export class SingleConnectionDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  readonly #kept: SharedConnection

  constructor(config: SqliteDialectConfig, kept: SharedConnection) {
    super(config)
    this.#config = config
    this.#kept = kept
  }

  override createDriver(): SqliteDriver {
    return new FlushingDriver(this.#config, this.#kept)
  }

  override createAdapter(): SqliteAdapter {
    return new OwnTurns()
  }
}

class OwnTurns extends SqliteAdapter {
  /** SQLite changes tables inside transactions, so two processes that start at once do not migrate half each. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** There is one, but Kysely's own turns would last until the disk is done. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
