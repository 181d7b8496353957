import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { freePort } from "../server/free-port"
import { temporaryFolder } from "../temporary-folder"

/** A temporary PostgreSQL on this machine. `url` is that of its first, empty database. */
export type Cluster = {
  readonly url: string
  /** Kills the server immediately and restarts it; committed transactions survive. */
  crash(): Promise<void>
  /** Closes all connections, as an operator's restart does, and listens on the same port again. */
  restart(): Promise<void>
  /** Kills all processes of the server at once, as the loss of its machine does. `stop` removes its files. */
  lose(): Promise<void>
  stop(): Promise<void>
}

const FOLDERS = [
  ...(process.env.PATH ?? "").split(delimiter),
  "/usr/lib/postgresql/*/bin",
  "/usr/pgsql-*/bin",
  "/opt/homebrew/opt/postgresql*/bin",
  "/usr/local/opt/postgresql*/bin",
]

const PROGRAMS = ["initdb", "postgres", "pg_basebackup"]

/** Safe for temporary data only: a power loss may lose everything, a crash of the server nothing. */
const FAST = ["fsync=off", "full_page_writes=off"]
/** A cluster of many short-lived databases would be vacuumed all the time. */
const FOR_TESTS = ["max_connections=200", "deadlock_timeout=50ms", "autovacuum=off"]
const LOCAL = ["listen_addresses=127.0.0.1", "unix_socket_directories="]

type ClusterChoice = { readonly isDurable?: boolean; readonly standbyOf?: Cluster }

/**
 * Starts a cluster in a folder of its own. Throws if PostgreSQL is not installed or does not start. `isDurable`: a commit
 * waits for the disk, as in production. `standbyOf`: the cluster copies that one and follows it (`followSynchronously`).
 */
export async function startPostgres({ isDurable = false, standbyOf }: ClusterChoice = {}): Promise<Cluster> {
  const bin = binaries()
  const account = unprivileged()
  const folder = isDurable ? mkdtempSync(join(tmpdir(), "boxoffice-")) : temporaryFolder()
  if (account) chownSync(folder, account.uid, account.gid)

  const [program, ...init] = standbyOf
    ? ["pg_basebackup", "-D", folder, "-d", standbyOf.url, "-R", "-X", "stream", "-c", "fast", "--no-sync"]
    : ["initdb", "-D", folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
  const made = spawnSync(join(bin, program ?? ""), init, { ...account, cwd: folder, encoding: "utf8" })
  if (made.status !== 0) throw new Error(`${program} failed: ${made.stderr || made.error?.message}`)

  const port = await freePort()
  const settings = [...(isDurable ? [] : FAST), ...FOR_TESTS, ...LOCAL, `port=${port}`].flatMap((it) => [
    "-c",
    it,
  ])
  const start = () =>
    spawn(join(bin, "postgres"), ["-D", folder, ...settings], {
      ...account,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    })
  let server = start()
  const dropAll = () => rmSync(folder, { recursive: true, force: true })
  const killed = () => {
    server.kill("SIGQUIT")
    dropAll()
  }
  process.once("exit", killed)
  await ready(server)
  const again = async (signal: "SIGQUIT" | "SIGINT") => {
    await stopped(server, signal)
    server = start()
    await ready(server)
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    crash: () => again("SIGQUIT"),
    restart: () => again("SIGINT"),
    async lose() {
      const gone = once(server, "exit")
      killWithChildren(server.pid ?? 0)
      await gone
    },
    stop: async () => {
      process.off("exit", killed)
      await stopped(server)
      dropAll()
    },
  }
}

/**
 * Lets every commit on `primary` wait until its standby has it too. Resolves when the standby follows.
 */
export async function followSynchronously(primary: Cluster): Promise<void> {
  const db = connectionTo(primary.url)
  await db.query("alter system set synchronous_standby_names = '*'")
  await db.query("select pg_reload_conf()")
  for (;;) {
    const { rows } = await db.query("select 1 from pg_stat_replication where sync_state = 'sync'")
    if (rows.length > 0) return
    await pause(50)
  }
}

/** Makes a standby the primary. Resolves when it accepts writes. */
export async function promote(standby: Cluster): Promise<void> {
  const { rows } = await connectionTo(standby.url).query("select pg_promote(true, 60) as is_done")
  if (!rows[0]?.is_done) throw new Error("The standby was not promoted within 60 seconds")
}

/** The processes of a server do not end with the first of them, and would go on writing. */
function killWithChildren(pid: number): void {
  process.kill(pid, "SIGSTOP")
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
  const children = stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (child && parent === pid ? [child] : []))
  for (const it of [...children, pid]) process.kill(it, "SIGKILL")
}

/* One connection per worker and cluster: opening one took as long as copying a database. */
const connections = new Map<string, pg.Pool>()

/**
 * Creates a database in a cluster, empty or as a copy of `template`, and returns its URL. Its files are copied: writing
 * each page to the write-ahead log, the default, takes three times as long.
 */
export async function freshDatabase(clusterUrl: string, template = "template1"): Promise<string> {
  const name = `books_${crypto.randomUUID().replaceAll("-", "")}`
  await connectionTo(clusterUrl).query(`create database ${name} template ${template} strategy file_copy`)
  return Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).href
}

/** Deletes a database of a cluster, so that a run of all tests needs a tenth of the space. */
export async function dropDatabase(clusterUrl: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await connectionTo(clusterUrl).query(`drop database ${name} with (force)`)
}

function connectionTo(clusterUrl: string): pg.Pool {
  const connection = connections.get(clusterUrl) ?? connect(clusterUrl)
  connections.set(clusterUrl, connection)
  return connection
}

function connect(clusterUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: clusterUrl, max: 1, allowExitOnIdle: true })
  // A cluster that is stopped or restarted closes the idle connection; the next query opens another one.
  pool.on("error", () => {})
  return pool
}

function binaries(): string {
  const found = FOLDERS.filter(Boolean)
    .flatMap((folder) => (folder.includes("*") ? globSync(folder).sort().reverse() : [folder]))
    .find((folder) => PROGRAMS.every((name) => existsSync(join(folder, name))))
  if (found) return found
  throw new Error("PostgreSQL is not installed: apt-get install postgresql, or brew install postgresql@17")
}

/** PostgreSQL refuses to run as root, so root runs it under an unprivileged account. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const account = ["postgres", "nobody"].map((name) => accounts.find((it) => it[0] === name)).find(Boolean)
  if (!account) throw new Error('Running as root needs an account "postgres" or "nobody"')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** Resolves when the server accepts connections. Its output is read afterwards too: a full pipe would block it. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ""
    server.stderr?.on("data", (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-10_000)
      if (/ready to accept (read-only )?connections/.test(output)) resolve()
    })
    server.once("error", reject)
    server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${output}`)))
  })
}

async function stopped(server: ChildProcess, how: NodeJS.Signals = "SIGINT"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, "exit")
  server.kill(how)
  await gone
}
