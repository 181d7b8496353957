import { type ChildProcess, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { build, type Plugin } from "vite"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { projectNode, tool } from "../../../scripts/setup/node-binary.mjs"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { freePort } from "../../support/server/free-port"
import type { Capture, Path } from "./capture-pages"
import type { WrittenOrder } from "./order-rows"
import type { Rendered, RenderRequest } from "./reference/render-loop"

const STARTS_WITHIN = 30_000
const BUILT = inProject("build", "bench")
const RENDERER = inProject("build", "bench", "renders", "render-loop.js")
const CAPTURE = inProject("build", "bench-capture.json")
const ORDER = inProject("build", "bench-order.json")
const ORDER_SERVER = inProject("tests", "performance", "bench", "reference-order-server.ts")

/** A server's origin and process id. */
export type Server = { readonly origin: string; readonly pid: number | undefined }

/** What the shop is compared with; each is a process of its own. */
export type References = {
  /** A bare `node:http` server that sends the shop's bytes. */
  readonly sameBytes: Server
  /** React Router's own server. */
  readonly reactRouter: Server
  /** Origin of a bare `node:http` server that writes an order's rows with `node:sqlite`. */
  readonly orders: string
  /** Origin of another one, which creates a payment at the gateway then. */
  readonly ordersWithGateway: string
  /** `renderToString` alone, with the forms as a browser makes them: the unit of the ratios. */
  render(request: RenderRequest): Promise<Rendered>
  /** The same with the forms as the shop's server makes them. */
  renderOwn(request: RenderRequest): Promise<Rendered>
  stop(): Promise<void>
}

/** Builds `renderToString` alone for the captured pages and starts it. */
export async function startRenderer(
  capture: Capture,
): Promise<Pick<References, "render" | "renderOwn" | "stop">> {
  await buildRenderer()
  writeFileSync(CAPTURE, JSON.stringify(capture))
  const { children, ready } = startRenders()
  const stop = async () => void (await Promise.all(children.map(end)))
  return { ...(await ready), stop }
}

/** See `formsByVariable`. */
const OWN_FORMS = { BENCH_FORMS: "server" }

/** Starts both renderers, each a process of its own. */
function startRenders() {
  const [unit, own] = [startRender({}), startRender(OWN_FORMS)] as const
  const ready = Promise.all([renderer(unit), renderer(own)])
  return { children: [unit, own], ready: ready.then(([render, renderOwn]) => ({ render, renderOwn })) }
}

function startRender(forms: Partial<typeof OWN_FORMS>): ChildProcess {
  const renders = spawnWithLifeline([RENDERER], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", BENCH_CAPTURE: CAPTURE, ...forms },
    output: "pipe",
  })
  renders.stdout?.resume()
  renders.stderr?.pipe(process.stderr)
  return renders
}

/** A gateway, and the shop whose payments it takes. */
export type AskedGateway = { readonly url: string; readonly shopUrl: string }

/** Builds the references for the captured pages and starts them. */
export async function startReferences(
  capture: Capture,
  { order, gateway }: { readonly order: WrittenOrder; readonly gateway: AskedGateway },
): Promise<References> {
  await buildReferences()
  mkdirSync(BUILT, { recursive: true })
  writeFileSync(CAPTURE, JSON.stringify(capture))
  writeFileSync(ORDER, JSON.stringify(order))
  const children: ChildProcess[] = []
  const start: Start = (args, port, own = {}) => {
    const env = { PATH: process.env.PATH, NODE_ENV: "production", HOST: "127.0.0.1", PORT: String(port) }
    const child = spawnWithLifeline(args, {
      env: { ...env, BENCH_CAPTURE: CAPTURE, BENCH_ORDER: ORDER, ...own },
      output: "pipe",
    })
    child.stdout?.resume()
    child.stderr?.pipe(process.stderr)
    children.push(child)
    return child
  }
  const renders = startRenders()
  children.push(...renders.children)
  const stop = async () => void (await Promise.all(children.map(end)))
  try {
    return { ...(await renders.ready), ...(await startAll(start, gateway)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Start = (args: string[], port: number, env?: Readonly<Record<string, string>>) => ChildProcess

type Servers = Pick<References, "sameBytes" | "orders" | "ordersWithGateway" | "reactRouter">

async function startAll(start: Start, gateway: AskedGateway): Promise<Servers> {
  const asking = { BENCH_GATEWAY: gateway.url, BENCH_SHOP: gateway.shopUrl }
  const serve = [tool("react-router-serve"), inProject("build", "bench", "reference", "server", "index.js")]
  return {
    sameBytes: await listening(start, [
      inProject("tests", "performance", "bench", "reference-static-server.ts"),
    ]),
    orders: (await listening(start, [ORDER_SERVER])).origin,
    ordersWithGateway: (await listening(start, [ORDER_SERVER], asking)).origin,
    reactRouter: await listening(start, serve),
  }
}

async function renderer(renders: ChildProcess): Promise<References["render"]> {
  await messageOf(renders, STARTS_WITHIN)
  return async (request) => {
    renders.send(request)
    const [rendered] = await messageOf(renders, request.seconds * 1_000 + STARTS_WITHIN)
    return rendered
  }
}

/** A renderer that has ended sends nothing any more: its error is on standard error. */
async function messageOf(renders: ChildProcess, milliseconds: number) {
  const waits = new AbortController()
  const signal = AbortSignal.any([waits.signal, AbortSignal.timeout(milliseconds)])
  const ended = once(renders, "exit", { signal }).then(([code]) => {
    throw new Error(`The renderer has ended with ${code}`)
  })
  try {
    return await Promise.race([once(renders, "message", { signal }), ended])
  } finally {
    waits.abort()
    await ended.catch(() => undefined)
  }
}

async function listening(
  start: Start,
  args: string[],
  env?: Readonly<Record<string, string>>,
): Promise<Server> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = start(args, port, env)
  const deadline = performance.now() + STARTS_WITHIN
  const path: Path = "/checkout/"
  while (!(await isResponding(origin + path))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`Not started: ${args[0]}`)
    await pause(50)
  }
  return { origin, pid: child.pid }
}

const isResponding = (url: string) =>
  fetch(url, { headers: { "accept-encoding": "gzip, br" } }).then(
    async (response) => (await response.text()).length > 0 && response.ok,
    () => false,
  )

/** Builds React Router's server with its default entry, and the renderer, both from the shop's own components. */
async function buildReferences() {
  const args = [
    tool("react-router"),
    "build",
    inProject("tests/performance/bench/reference"),
    "--logLevel",
    "error",
  ]
  const { status, stdout, stderr } = spawnSync(projectNode(), args, {
    env: { ...process.env, NODE_ENV: "production" },
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(`The reference app does not build:\n${stdout}${stderr}`)
  await buildRenderer()
}

/**
 * The unit of the ratios must not become shorter because the shop becomes faster: it renders the page's forms with conform, as a browser
 * does, and as the shop's server did when the targets were set and the peers measured. With the variable it renders what the server does now.
 */
const formsByVariable: Plugin = {
  name: "forms-by-variable",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/use-checked-form.ts")) return null
    const ofServer = "import.meta.env.SSR ? formOnServer"
    if (!code.includes(ofServer)) throw new Error("The hook for forms does not choose by SSR any more")
    return code.replace(ofServer, 'process.env.BENCH_FORMS === "server" ? formOnServer')
  },
}

async function buildRenderer() {
  await build({
    configFile: false,
    logLevel: "error",
    plugins: [formsByVariable],
    resolve: { tsconfigPaths: true },
    build: {
      ssr: inProject("tests/performance/bench/reference/render-loop.tsx"),
      outDir: `${BUILT}/renders`,
      emptyOutDir: true,
    },
  })
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const timer = setTimeout(() => child.kill("SIGKILL"), 2_000)
  await ended
  clearTimeout(timer)
}
