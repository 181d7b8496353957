import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { SECOND } from "~/domain/calendar"

/** Milliseconds without an answer after which the server is looked for. */
const QUIET = SECOND
/** Milliseconds in which a server opens a connection, even a busy one. */
const OPENS_WITHIN = 4 * SECOND
const LOOKS_AGAIN_AFTER = SECOND / 2
/** Message of `pg` for a connection that was not opened in time. */
const NOT_OPENED = "timeout expired"
/** Message of `pg` for a statement that got no answer in time. */
const QUERY_TIMEOUT = "Query read timeout"
/** The first eight digits are the timeline, which a standby changes when it is promoted. */
const LOG_FILE = "select pg_walfile_name(pg_current_wal_lsn()) as name"
const TIMELINE_DIGITS = 8

/**
 * What is known of a server. `answers`: how many it gave. `silence`: the error of an attempt to open a connection that got
 * no answer, until it opens one.
 */
type Server = { answers: number; silence: Error | null; timeline: string | null }

/**
 * Opens a pool that leaves a server on which no answer will come: a machine, or what forwards to it, that has lost its
 * power or its network closes no connection. A statement or an attempt to connect without an answer for a second makes one
 * new connection, for all. If none opens, and no statement got an answer meanwhile, or if it leads to a standby that was
 * promoted since, the connections from before are closed, and their statements fail as lost. A statement that is only slow
 * goes on. While the server is silent it is looked for, and what needs a new connection fails immediately.
 */
export function openWatchedPool(config: pg.PoolConfig & { connectionTimeoutMillis: number }): pg.Pool {
  const server: Server = { answers: 0, silence: null, timeline: null }
  const clients = new Set<pg.Client>()
  const { connectionString, connectionTimeoutMillis } = config
  const opensWithin = Math.min(OPENS_WITHIN, connectionTimeoutMillis)
  const alone = { connectionString, connectionTimeoutMillis: opensWithin, query_timeout: opensWithin }
  let isLooking = false

  function look(): void {
    if (isLooking) return
    isLooking = true
    void lookForServer().finally(() => {
      isLooking = false
    })
  }

  async function lookForServer(): Promise<void> {
    const before = [...clients]
    const { answers, timeline } = server
    const found = await serverAt(alone)
    const isLost = found.isLost && server.answers === answers
    if (!isLost && !isOtherTimeline(timeline, found.timeline)) return
    for (const client of before) client.connection.stream.destroy()
    note(found)
    await untilItAnswers()
  }

  async function untilItAnswers(): Promise<void> {
    while (server.silence && !pool.ending) {
      await pause(LOOKS_AGAIN_AFTER)
      note(await serverAt(alone))
    }
  }

  function note({ silence, timeline }: Found): void {
    server.silence = silence
    server.timeline = timeline ?? server.timeline
  }

  const onConnect = async (client: pg.ClientBase) => {
    server.timeline ??= await timelineOf(client)
  }
  const pool = new pg.Pool({ ...config, Client: clientOf({ server, clients, look }), onConnect })
  return pool
}

type Watch = { readonly server: Server; readonly clients: Set<pg.Client>; readonly look: () => void }

function clientOf(watch: Watch): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      watchConnecting(this, watch)
      watchStatements(this, watch)
    }
  }
}

type Connected = (error?: Error) => void

function watchConnecting(client: pg.Client, { server, clients, look }: Watch): void {
  const { connect } = client
  Object.assign(client, {
    connect(callback: Connected) {
      if (server.silence) return void process.nextTick(callback, server.silence)
      clients.add(client)
      client.once("end", () => clients.delete(client))
      const timer = setInterval(look, QUIET)
      const done: Connected = (error) => {
        clearInterval(timer)
        callback(error)
      }
      Reflect.apply(connect, client, [done])
    },
  })
}

function watchStatements(client: pg.Client, { server, look }: Watch): void {
  const { query } = client
  Object.assign(client, {
    async query(...args: unknown[]) {
      const timer = setInterval(look, QUIET)
      try {
        const result: unknown = await Reflect.apply(query, client, args)
        server.answers += 1
        return result
      } catch (error) {
        // `pg` keeps the connection in the pool, and its next query would wait behind the one that gets no answer.
        if (error instanceof Error && error.message === QUERY_TIMEOUT) void client.end()
        throw error
      } finally {
        clearInterval(timer)
      }
    },
  })
}

type Found = Pick<Server, "timeline" | "silence"> & { readonly isLost: boolean }

/** An error of the server is an answer, too: one that has no connection left for us is alive. */
async function serverAt(config: pg.ClientConfig): Promise<Found> {
  const client = new pg.Client(config).on("error", () => {})
  try {
    await client.connect()
  } catch (error) {
    const silence = error instanceof Error && error.message === NOT_OPENED ? error : null
    return { isLost: !(error instanceof pg.DatabaseError), silence, timeline: null }
  }
  const timeline = await timelineOf(client)
  void client.end()
  return { isLost: false, silence: null, timeline }
}

function isOtherTimeline(known: string | null, found: string | null): boolean {
  return known !== null && found !== null && found !== known
}

/** Null if unknown: the server has no such function or is a standby, or a pooler lets statements wait. */
async function timelineOf(client: Pick<pg.ClientBase, "query">): Promise<string | null> {
  try {
    const { rows } = await client.query<{ name: string }>(LOG_FILE)
    return rows[0]?.name.slice(0, TIMELINE_DIGITS) ?? null
  } catch {
    return null
  }
}
