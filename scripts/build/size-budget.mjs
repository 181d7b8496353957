import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { spawnWithLifeline } from "../run/supervise.mjs"
import { CliError } from "../setup/cli-error.mjs"
import { weigh } from "./page-weight.mjs"

/** Maximum transferred bytes of the checkout page, and how many files of script it may load. */
export const budget = { script: 132_000, scriptFiles: 6, style: 12_000, fonts: 60_000 }

const weighed = /** @type {const} */ (["script", "style", "fonts"])

const STARTS_WITHIN = 30_000
const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1_000).toFixed(1)} kB`

/**
 * Describes each exceeded budget in one line; empty if the page is within its budget.
 * @param {import("./page-weight.mjs").Weight} weight
 * @returns {string[]}
 */
export function overBudget(weight) {
  const heavy = weighed.filter((part) => weight[part] > budget[part])
  const { scriptFiles } = weight
  return [
    ...heavy.map(
      (part) => `${part} weighs ${kilobytes(weight[part])}, the budget is ${kilobytes(budget[part])}`,
    ),
    ...(scriptFiles > budget.scriptFiles
      ? [`the checkout loads ${scriptFiles} files of script, the budget is ${budget.scriptFiles}`]
      : []),
    ...weight.zod.map((file) => `${file} brings zod to the browser`),
  ]
}

/**
 * Measures the built checkout page against the budget. CSS and file names are only in the rendered page. Throws a
 * `CliError` if a budget is exceeded.
 * @param {string} build
 */
export async function holdBudget(build) {
  const over = overBudget(weigh(await checkoutOf(build), join(build, "client")))
  if (over.length > 0) throw new CliError(`Size budget exceeded:\n  ${over.join("\n  ")}`)
}

/**
 * Fetches the checkout's HTML from the built shop.
 * @param {string} build
 */
async function checkoutOf(build) {
  const [port, sandboxPort] = await freePorts(2)
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-budget-"))
  const shop = spawnWithLifeline([join(build, "server", "index.js")], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      LOG_LEVEL: "error",
      COUNTRY_SOURCE: "off",
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: folder,
    },
    output: "pipe",
  })
  const ended = once(shop, "exit")
  shop.stderr?.pipe(process.stderr)
  try {
    if (!shop.stdout) throw new Error("Cannot read the shop's output")
    // The first line on standard output is the shop's URL.
    await Promise.race([
      once(shop.stdout, "data", { signal: AbortSignal.timeout(STARTS_WITHIN) }),
      ended.then(() => Promise.reject(new CliError("The built shop does not start; its output is above."))),
    ])
    // With the language cookie of a returning visitor, the page preloads its fonts in the head.
    const headers = { cookie: "browserLang=en-en" }
    return await (await fetch(`http://127.0.0.1:${port}/checkout/`, { headers })).text()
  } finally {
    shop.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Finds free ports; all are open at the same time, so that they differ.
 * @param {number} count
 */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"))
  await Promise.all(servers.map((server) => once(server, "listening")))
  const ports = servers.map((server) => /** @type {import("node:net").AddressInfo} */ (server.address()).port)
  await Promise.all(servers.map((server) => once(server.close(), "close")))
  return ports
}
