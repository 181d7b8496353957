import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findProgram } from "../../../scripts/setup/find-program.mjs"
import { unprivileged } from "../db/postgres"

/** nginx on this machine in front of the shop's instances, with the configuration shipped for operators. */
export type Balancer = { readonly url: string; stop(): Promise<void> }

const SHIPPED = "ops/nginx.conf"

/** Starts nginx in front of instances on these ports, which need not run yet. Throws if it does not start. */
export async function startNginx(instances: readonly string[], port: string): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-nginx-"))
  const stateFolder = join(folder, "kept")
  mkdirSync(stateFolder)
  const file = join(folder, "nginx.conf")
  writeFileSync(file, configuration({ instances, port, folder: stateFolder }))
  const account = unprivileged()
  if (account) for (const path of [folder, stateFolder, file]) chownSync(path, account.uid, account.gid)

  const program = findProgram("nginx") ?? "/usr/sbin/nginx"
  const args = ["-p", folder, "-c", file, "-e", "stderr", "-g", "daemon off;"]
  const server = spawn(program, args, { ...account, cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
  const killed = () => void server.kill("SIGTERM")
  process.once("exit", killed)
  const url = `http://127.0.0.1:${port}`
  await ready(server, url)
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

/** Adapts the shipped configuration to other ports and folders. Throws if an expected line is missing. */
function configuration({
  instances,
  port,
  folder: stateFolder,
}: {
  instances: readonly string[]
  port: string
  folder: string
}): string {
  const upstreams = /(?:^ +server shop-\d+:3000 .*\n)+/gm
  const shipped = readFileSync(SHIPPED, "utf8")
  const settings = / max_fails.*/.exec(shipped)?.[0]
  if (shipped.match(upstreams)?.length !== 2 || !settings || !shipped.includes("listen 8080;")) {
    throw new Error(`Cannot adapt ${SHIPPED}: expected lines are missing`)
  }
  return shipped
    .replace(upstreams, instances.map((it) => `    server 127.0.0.1:${it}${settings}\n`).join(""))
    .replace("listen 8080;", `listen 127.0.0.1:${port};`)
    .replace("worker_processes auto;", "worker_processes 1;")
    .replaceAll(" /tmp/", ` ${stateFolder}/`)
}

async function ready(server: ChildProcess, url: string): Promise<void> {
  let output = ""
  server.stderr?.on("data", (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-10_000)
  })
  const ended = once(server, "exit").then(() => {
    throw new Error(`nginx did not start: ${output}`)
  })
  ended.catch(() => {})
  await Promise.race([listening(url), ended])
}

async function listening(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url, { redirect: "manual" }).catch(() => null)
    if (response) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
