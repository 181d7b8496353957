import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"
import pino, { type Logger } from "pino"
import { createRequestHandler, type ServerBuild } from "react-router"
import { FORMER_PROGRAM, PROGRAM, renameNotice } from "~/cli/former-commands"
import { type Environment, readConfig } from "~/config/config.server"
import type { Config } from "~/config/environment.server"
import { formerVariablesIn } from "~/config/former-variables"
import { mistypedVariablesIn } from "~/config/mistyped-variables"
import { CONSOLE_PATH } from "~/context/console.server"
import { RequestContexts } from "~/context/request-contexts.server"
import { type Services, servicesContext, servicesOf } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { MINUTE, SECOND } from "~/domain/calendar"
import { printable } from "~/domain/printable"
import { hostInUrl } from "~/http/ip-address.server"
import { lockDataFolder } from "~/wiring/data-folder-lock.server"
import { type Observability, openObservability } from "~/wiring/observability.server"
import { type Wiring, wire } from "~/wiring/services.server"
import { type Jobs, startJobs } from "./background-jobs.server"
import { collectGarbage } from "./collect-garbage.server"
import { freePort } from "./free-port.server"
import { limitHeapGrowth } from "./limit-heap-growth.server"
import { logDestination } from "./log-destination.server"
import { loggedError } from "./logged-error.server"
import { requestListener } from "./request-listener.server"
import { routeRequests } from "./route-requests.server"
import { DRAIN_TIME, stopListening } from "./stop-listening.server"
import { warmUp } from "./warm-up.server"

/** Until there is an operator, the console is 404. */
const FIRST_OPERATOR =
  "npm run admin -- operators add EMAIL --role owner   prints the link of its first operator"

/** A public shop without the secrets that the console needs. */
const NO_CONSOLE = "off: set OPERATOR_SECRETS   (openssl rand -base64 32 makes one)"

/** Connections that may wait to be accepted; the kernel caps it at `net.core.somaxconn`. */
const BACKLOG = 4_096
/** Delay until start-up is complete: the catalogue is loaded and the first jobs have been claimed. */
const AFTER_START = 2 * SECOND
/** Node's default of 30 s would double the time that slow clients have. */
const SLOW_LOOK = 2 * SECOND

export type Opened = {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Must be called for each accepted connection. */
  connected(): void
  announcement: string
  /** See `Wiring`. */
  readonly diskFailed: Promise<void>
  readonly log: Logger
  stop(): Promise<void>
}

const USAGE = `Usage:
  node build/server/index.js                  start the shop; its settings are environment variables (docs/configuration.md)
  node build/server/index.js admin COMMAND    run one of the operator's commands; admin --help lists them`

type Options = { devBuild?: () => Promise<ServerBuild> }

/** Opens database, sandbox, background jobs and the request listener, without listening on a port yet. */
export async function open(
  environment: Environment,
  { devBuild }: Options = {},
): Promise<Opened & { config: Config }> {
  const config = readConfig(environment)
  const serializers = { err: loggedError }
  const format = {
    level: config.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers,
  }
  const log = pino(format, logDestination(process.stdout.fd))
  for (const renamed of formerVariablesIn(environment)) log.warn(renamed, "environment variable renamed")
  for (const mistyped of mistypedVariablesIn(environment)) log.warn(mistyped, "environment variable unknown")
  const unlock = await lockDataFolder(config, log)
  try {
    return await openLocked({ config, log, environment, unlock }, { devBuild })
  } catch (error) {
    // The development server opens the shop again in the same process.
    unlock()
    throw error
  }
}

type Locked = {
  readonly config: Config
  readonly log: Logger
  readonly environment: Environment
  readonly unlock: () => void
}

async function openLocked(
  { config, log, environment, unlock }: Locked,
  { devBuild }: Options,
): Promise<Opened & { config: Config }> {
  const wiring = await wire(config, log, environment)
  const observability = await openObservability(config, wiring)
  const { services, instrument } = observability
  const jobs = startJobs({ ...services, log })
  wiring.onWake(jobs.wake)
  wiring.onClockMoved(jobs.wakeAll)
  const build = devBuild ?? (() => import("virtual:react-router/server-build"))
  const contextOf = (requestLog: Logger) => {
    const context = new RequestContexts()
    context.set(servicesContext, servicesOf(services, requestLog))
    return context
  }
  const handlePage = devBuild
    ? createRequestHandler(build, "development")
    : routeRequests(observability.traced(await build()))
  const { handle, handleOwn, connected } = requestListener({
    services,
    log,
    contextOf,
    instrument,
    handle: handlePage,
    trustedProxies: config.TRUSTED_PROXIES,
    maxConcurrent: config.MAX_CONCURRENT_REQUESTS,
    clientFolder: fileURLToPath(new URL("../client", import.meta.url)),
  })
  if (!devBuild) await warmUp(handleOwn, services)
  return {
    config,
    log,
    handle,
    connected,
    announcement: await announce(config, wiring, services),
    diskFailed: wiring.diskFailed,
    stop: () => close(wiring, observability, jobs).finally(unlock),
  }
}

async function close(wiring: Wiring, observability: Observability, jobs: Jobs): Promise<void> {
  await jobs.stop()
  await observability.close()
  await wiring.close()
}

async function announce(config: Config, { sandbox }: Wiring, { console }: Pick<Services, "console">) {
  const { HOST, PORT, PUBLIC_URL } = config
  const isDirect = PUBLIC_URL === `http://${hostInUrl(HOST)}:${PORT}`
  const lines = [
    `Checkout   ${config.PUBLIC_URL}${BASE}/`,
    !isDirect && `Listening  ${HOST}:${PORT}`,
    sandbox && `Sandbox    ${sandbox.origin}/   test mode: no real payments`,
    `Console    ${await consoleAnnouncement(console, PUBLIC_URL)}`,
    `Data       ${config.DATABASE_URL ? "PostgreSQL, and " : ""}${config.DATA_DIR}`,
  ]
  return lines.filter(Boolean).join("\n")
}

async function consoleAnnouncement(console: Services["console"], publicUrl: string): Promise<string> {
  if (!console) return NO_CONSOLE
  return (await console.operators.exist()) ? `${publicUrl}${CONSOLE_PATH}` : FIRST_OPERATOR
}

/** Prints the usage, and that `argument` is unknown unless it asks for help. Returns the exit code. */
function printUsage(argument: string): 0 | 2 {
  if (argument === "--help" || argument === "-h") {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  process.stderr.write(printable(`Unknown argument "${argument}".\n\n${USAGE}\n`))
  return 2
}

/** With `PORT=0` chooses a free port before the shop opens, since the public URL contains it. */
async function withChosenPort(environment: Environment): Promise<Environment> {
  const { PORT, HOST } = readConfig(environment)
  return PORT === 0 ? { ...environment, PORT: String(await freePort(HOST)) } : environment
}

async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2)
  if (command === PROGRAM || command === FORMER_PROGRAM) {
    if (command !== PROGRAM) process.stderr.write(`${renameNotice(`"${command}"`, `"${PROGRAM}"`)}\n`)
    const { runAdminCli } = await import("~/cli/main.server")
    process.exitCode = await runAdminCli(args, process.env)
    return
  }
  if (command !== undefined) {
    process.exitCode = printUsage(command)
    return
  }
  limitHeapGrowth()
  const shop = await open(await withChosenPort(process.env))
  const server = createServer({ connectionsCheckingInterval: SLOW_LOOK }, shop.handle)
  server.on("connection", shop.connected)
  server.headersTimeout = 10 * SECOND
  server.requestTimeout = 30 * SECOND
  server.keepAliveTimeout = 1 * MINUTE
  await listen(server, shop.config)
  // A full disk or a reader that has ended must not stop a shop that sells.
  process.stdout.on("error", () => {})
  process.stdout.write(`${shop.announcement}\n`)
  // An optimization: a failure has no consequence.
  setTimeout(() => void collectGarbage().catch(() => {}), AFTER_START).unref()
  shop.log.info({ url: shop.config.PUBLIC_URL }, "shop started")
  const stopOnce = once((reason: string) => stop(server, shop, reason))
  // SIGHUP: the terminal was closed, or a log rotation means a program that opens its log itself.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void stopOnce(signal))
  await shop.diskFailed
  process.exitCode = 1
  // The process supervisor restarts it. A broken disk may block a clean exit, so the exit is forced after a while.
  setTimeout(() => process.exit(1), DRAIN_TIME + AFTER_START).unref()
  await stopOnce("disk failed")
}

function once<Asked>(work: (asked: Asked) => Promise<void>): (asked: Asked) => Promise<void> {
  let running: Promise<void> | null = null
  return (asked) => (running ??= work(asked))
}

/** Finishes the requests in flight, then the background jobs, then closes the database. */
async function stop(server: Server, shop: Opened, reason: string): Promise<void> {
  shop.log.info({ reason }, "shop stopping")
  await stopListening(server)
  await shop.stop()
  shop.log.info("shop stopped")
}

function listen(server: Server, { PORT, HOST }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new Error(`Cannot listen on HOST ${HOST}, PORT ${PORT}: ${cause.message}`, { cause })),
    )
    server.listen({ port: PORT, host: HOST, backlog: BACKLOG }, () => resolve())
  })
}

if (import.meta.env.PROD) {
  main().catch((error: Error & { code?: string }) => {
    // One line for the operator: a stack trace would hide what has to be corrected.
    const isCommand = [PROGRAM, FORMER_PROGRAM].includes(process.argv[2] ?? "")
    const failed = isCommand ? "Command failed" : "Boxoffice did not start"
    process.stderr.write(printable(`${failed}. ${error.message}\n`))
    process.exit(1)
  })
}
