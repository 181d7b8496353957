import { spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { findProgram } from "../../../scripts/setup/find-program.mjs"
import { freePort } from "../server/free-port"
import { temporaryFolder } from "../temporary-folder"
import { unprivileged } from "./postgres"

/** PgBouncer on this machine in transaction mode. `url`: the database through it. */
export type Pooler = { readonly url: string; stop(): Promise<void> }

/** What docs/operating.md tells operators to set. */
const SETTINGS = {
  pool_mode: "transaction",
  ignore_startup_parameters: "statement_timeout,idle_in_transaction_session_timeout",
}

/**
 * Starts PgBouncer before a database with four connections to it, fewer than one instance opens, so that consecutive
 * transactions of an instance run on different ones.
 */
export async function startPgBouncer(databaseUrl: string, settings = SETTINGS): Promise<Pooler> {
  const { hostname, port, pathname } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const ownPort = await freePort()
  const folder = temporaryFolder()
  const account = unprivileged()
  if (account) chownSync(folder, account.uid, account.gid)
  const file = join(folder, "pgbouncer.ini")
  const own = {
    listen_addr: "127.0.0.1",
    listen_port: ownPort,
    unix_socket_dir: "",
    auth_type: "any",
    default_pool_size: 4,
    max_client_conn: 200,
    ...settings,
  }
  const lines = [
    "[databases]",
    `${name} = host=${hostname} port=${port} user=postgres dbname=${name}`,
    "[pgbouncer]",
    ...Object.entries(own).map(([key, value]) => `${key} = ${value}`),
  ]
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o644 })
  const program = findProgram("pgbouncer") ?? "/usr/sbin/pgbouncer"
  const server = spawn(program, [file], { ...account, cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
  let output = ""
  server.stderr.on("data", (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-10_000)
  })
  const killed = () => void server.kill("SIGTERM")
  process.once("exit", killed)
  const url = `postgres://postgres@127.0.0.1:${ownPort}/${name}`
  while (!(await answers(url))) {
    if (server.exitCode !== null) throw new Error(`PgBouncer did not start: ${output}`)
    await pause(20)
  }
  return {
    url,
    async stop() {
      process.off("exit", killed)
      const gone = once(server, "exit")
      server.kill("SIGTERM")
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
