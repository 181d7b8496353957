import { parseArgs } from "node:util"
import { runnerImport } from "vite"
import { inProject } from "../setup/project-root.mjs"
import { runCli } from "./supervise.mjs"

/** @typedef {typeof import("../../tests/performance/bench/bench.ts")} Bench */
/** @typedef {typeof import("../../tests/performance/bench/scaling.ts")} Growth */
/** @typedef {typeof import("../../tests/performance/bench/console-growth.ts")} ConsoleGrowth */
/** @typedef {typeof import("../../tests/performance/bench/webhook-delivery.ts")} WebhookDelivery */
/** @typedef {typeof import("../../tests/performance/bench/purchase-cost.ts")} PurchaseCost */
/** @typedef {typeof import("../../tests/performance/bench/latency.ts")} Latency */
/** @typedef {typeof import("../../tests/performance/bench/memory-load.ts")} MemoryLoad */
/** @typedef {typeof import("../../tests/performance/bench/rolling-restart.ts")} RollingRestart */
/** @typedef {typeof import("../../tests/performance/bench/regression-check.ts")} Judged */

/**
 * Measurements that an option asks for alone.
 * @type {Readonly<Record<string, (quick: boolean) => Promise<void>>>}
 */
const alone = {
  "--phone": async (quick) => {
    /** @type {Bench} */
    const { phone } = await load("bench.ts")
    await phone({ quick, print: console.log })
  },
  "--latency": async (quick) => {
    /** @type {Latency} */
    const { latencyUnderLoad } = await load("latency.ts")
    await latencyUnderLoad({ quick, print: console.log })
  },
  "--memory": async (quick) => {
    /** @type {MemoryLoad} */
    const { memoryUnderLoad } = await load("memory-load.ts")
    await memoryUnderLoad({ quick, minutes: minutes() ?? (quick ? 1 : 60), print: console.log })
  },
  "--start": async (quick) => {
    /** @type {RollingRestart} */
    const { startAndRestart } = await load("rolling-restart.ts")
    await startAndRestart({ quick, print: console.log })
  },
  "--growth": async () => {
    /** @type {Growth} */
    const { growth } = await load("scaling.ts")
    await growth(console.log)
  },
  "--console": async () => {
    /** @type {ConsoleGrowth} */
    const { consoleGrowth } = await load("console-growth.ts")
    await consoleGrowth(console.log)
  },
  "--webhooks": async (quick) => {
    /** @type {WebhookDelivery} */
    const { webhookDelivery } = await load("webhook-delivery.ts")
    await webhookDelivery({ quick, print: console.log })
  },
  "--purchase": async (quick) => {
    /** @type {PurchaseCost} */
    const { purchaseCost } = await load("purchase-cost.ts")
    await purchaseCost({ quick, print: console.log })
  },
}

await runCli(async () => {
  const quick = process.argv.includes("--quick")
  const [measure] = Object.entries(alone).flatMap(([option, it]) =>
    process.argv.includes(option) ? [it] : [],
  )
  if (measure) {
    await measure(quick)
    return 0
  }
  /** @type {Bench} */
  const { bench } = await load("bench.ts")
  /** @type {Judged} */
  const { check, appendToHistory } = await load("regression-check.ts")
  const resume = process.argv.includes("--resume")
  const { reached, failed } = await bench({ quick, print: console.log, resume })
  // A run with missing figures is neither compared nor recorded.
  if (failed.length > 0) return 1
  // Compares before recording, so that a run is not compared with itself.
  const verdict = process.argv.includes("--check") ? check(reached) : null
  if (verdict) console.log(`\n${verdict.text}`)
  if (process.argv.includes("--record")) console.log(`\n${appendToHistory(reached)}`)
  return verdict?.code ?? 0
})

/** The length that `--minutes N` or `--minutes=N` gives. */
function minutes() {
  const { minutes } = parseArgs({ options: { minutes: { type: "string" } }, strict: false }).values
  return minutes === undefined ? null : Number(minutes)
}

/**
 * Loads a module through Vite, because Node does not resolve extensionless imports and "~/".
 * @param {string} name
 */
async function load(name) {
  const { module } = await runnerImport(inProject("tests", "performance", "bench", name), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  return module
}
