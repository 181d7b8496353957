import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { hashOfSources } from "../../../scripts/build/build-stamp.mjs"
import { weigh } from "../../../scripts/build/page-weight.mjs"
import { findProgram } from "../../../scripts/setup/find-program.mjs"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { startShop, type TestServer } from "../../support/server/server-process"
import { type BenchOutcome, type BenchStage, type Measured, runBenchStages } from "./bench-stages"
import { capture } from "./capture-pages"
import type { Visited } from "./chromium"
import { measureFirstPaint, paintLines } from "./first-paint"
import { measureInteractions } from "./interactions"
import { latencyUnderLoad } from "./latency"
import { type Loads, type Scored, scorePages } from "./lighthouse"
import { scoreLines } from "./lighthouse-report"
import { startLoadStage } from "./load-stage"
import { type Lengths, readRound, type Stage } from "./measure"
import { openMeasuredStages } from "./measured-stages"
import { atReview, place } from "./order-load"
import { writtenOrder } from "./order-rows"
import { memory, readySeconds } from "./process-stats"
import { knownVisitor, servedVisitor, waitingVisitor } from "./purchase"
import { startReferences } from "./reference-servers"
import { type Round, report, speeds } from "./report"
import { startAndRestart } from "./rolling-restart"
import type { Reached } from "./targets"
import { twoOfOne } from "./two-instance-scaling"

/** Lengths of one measurement. Rounds alternate between the contestants, because of other load on the machine. */
const usual: Lengths = { rounds: 3, throughput: 1.5, latency: 1, orders: 100 }
const quickly: Lengths = { rounds: 1, throughput: 1, latency: 1, orders: 40 }
/** Warm-up, until the JIT has optimized the servers: 700 orders, placed at the shop and at the reference. */
const warmingUp: Lengths = { rounds: 1, throughput: 2, latency: 0.1, orders: 700 }
/** Milliseconds until a started shop is idle. */
const AT_REST = 5_000
const KILO = 1_000

type BenchOptions = { readonly quick: boolean; readonly print: (text: string) => void }

const KEPT = inProject("build", "bench", "stages.json")

/**
 * Measures the built shop against its references on this machine and prints the results. `resume`: goes on after the stages
 * that an interrupted run of the same build has measured.
 */
export async function bench({
  quick,
  print,
  resume,
}: BenchOptions & { readonly resume: boolean }): Promise<BenchOutcome> {
  const shop = await startShop({ env: { TRUSTED_PROXIES: "loopback" }, isDurable: true })
  try {
    await pause(AT_REST)
    const stages: BenchStage[] = [
      { name: "speed, memory and bytes", measure: () => measureSpeed(shop, quick ? quickly : usual) },
      { name: "pages on a phone", measure: () => onPhoneIfBrowser(shop, quick ? 1 : 3) },
      { name: "latency under load", measure: () => linesAndFigures(latencyUnderLoad, quick) },
      { name: "start and restart", measure: () => linesAndFigures(startAndRestart, quick) },
      {
        name: "time to start",
        measure: async () => justFigures({ ready: await readySeconds(shop.dataDir) }),
      },
      { name: "two instances", measure: async () => justFigures({ twoOfOne: await twoOfOne() }) },
    ]
    const of = `${hashOfSources()} ${quick ? "quick" : "usual"}`
    return await runBenchStages(stages, print, openMeasuredStages({ file: KEPT, of, resume }))
  } finally {
    await shop.stop()
  }
}

/** Measures the pages on a phone alone, in as many loads as a median of a noisy figure needs. */
export async function phone({ quick, print }: BenchOptions): Promise<void> {
  const shop = await startShop({ env: { TRUSTED_PROXIES: "loopback" }, isDurable: true })
  try {
    await pause(AT_REST)
    const runs = quick ? 3 : 9
    const pages = await visitedPages(shop)
    const { lines } = await measurePages(shop, pages, { runs, isSlowed: true })
    for (const line of lines) print(line)
    for (const line of paintLines(await measureFirstPaint(shop, pages, runs))) print(line)
    for (const line of (await measureInteractions(shop, quick ? 1 : 9)).lines) print(line)
  } finally {
    await shop.stop()
  }
}

const justFigures = (reached: Reached): Measured => ({ lines: [], reached })

async function measureSpeed(shop: TestServer, lengths: Lengths): Promise<Measured> {
  const idleMemory = memory(shop)
  const { rounds, weight, grownMemory } = await measured(shop, lengths)
  const reached = {
    ...speeds(rounds),
    idleMemory,
    grownMemory,
    script: weight.script / KILO,
    scriptFiles: weight.scriptFiles,
    style: weight.style / KILO,
    fonts: weight.fonts / KILO,
    zod: weight.zod.length,
  }
  return { lines: [report(rounds, weight)], reached }
}

/** Measures the pages with Lighthouse's mobile profile. */
async function measurePages(shop: TestServer, pages: readonly Visited[], loads: Loads): Promise<Measured> {
  const scored = await scorePages(shop, pages, loads)
  return { lines: scoreLines(scored), reached: onPhone(scored) }
}

async function measured(shop: TestServer, lengths: Lengths) {
  const cookie = await waitingVisitor(shop, {})
  const known = await knownVisitor(shop)
  const captured = await capture(shop.url, cookie)
  const orders = await startLoadStage("SQLite")
  const references = await startReferences(captured, {
    order: await oneOrder(orders.shop),
    gateway: { url: `${orders.visited.sandboxUrl}/offshore`, shopUrl: orders.shop.url },
  })
  try {
    const stage = { shop, seller: orders.shop, cookie, known, references }
    const { rounds, grownMemory } = await readRounds(stage, lengths)
    const weight = weigh(await namedInHead(shop), inProject("build", "client"))
    return { rounds, weight, grownMemory }
  } finally {
    await references.stop()
    await orders.stop()
  }
}

/** Returns the checkout of a returning visitor, which preloads its fonts in the head. */
async function namedInHead({ url }: TestServer): Promise<string> {
  const response = await fetch(`${url}/checkout/`, { headers: { cookie: "browserLang=en-en" } })
  return response.text()
}

/** Returns the rows that the shop writes for one submitted review step. */
async function oneOrder(shop: TestServer) {
  const copy = inProject("build", "bench", "boxoffice.db")
  mkdirSync(inProject("build", "bench"), { recursive: true })
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${copy}${ending}`, { force: true })
  const review = await atReview(shop)
  return writtenOrder(join(shop.dataDir, "boxoffice.db"), copy, async () => {
    await place(shop.url, [review], 1)
  })
}

/** Checkout, waiting and service page. */
async function visitedPages(shop: TestServer): Promise<Visited[]> {
  return [
    { path: "/checkout/", cookie: "", isPublic: true },
    { path: "/checkout/waiting", cookie: await waitingVisitor(shop, {}), isPublic: false },
    { path: "/checkout/success", cookie: await servedVisitor(shop), isPublic: false },
  ]
}

/** Without a browser the other stages have their figures all the same. */
async function onPhoneIfBrowser(shop: TestServer, runs: number): Promise<Measured> {
  if (!findProgram("chromium"))
    return { lines: ["Pages on a phone are left out: there is no Chromium on this machine"], reached: {} }
  const pages = await measurePages(shop, await visitedPages(shop), { runs, isSlowed: false })
  const { lines, interaction } = await measureInteractions(shop, runs)
  return { lines: [...pages.lines, ...lines], reached: { ...pages.reached, interaction } }
}

type StageOf = (options: BenchOptions) => Promise<Reached>

async function linesAndFigures(measure: StageOf, quick: boolean): Promise<Measured> {
  const lines: string[] = []
  const reached = await measure({ quick, print: (line) => lines.push(line) })
  return { lines, reached }
}

function onPhone(scored: readonly Scored[]): Reached {
  const { paint = null, blocked = null, requests = null } = scored[0]?.score ?? {}
  return { paint, blocked, requests }
}

/** V8 grows its heap in the first round; only growth in later rounds counts. */
async function readRounds(stage: Stage, lengths: Lengths) {
  await readRound(stage, warmingUp)
  const rounds: Round[] = []
  const memories: number[] = []
  for (let round = 0; round < lengths.rounds; round++) {
    rounds.push(await readRound(stage, lengths))
    memories.push(memory(stage.shop))
  }
  const [first = Number.NaN] = memories
  return { rounds, grownMemory: (memories.at(-1) ?? Number.NaN) / first }
}
