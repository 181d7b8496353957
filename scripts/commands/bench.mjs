import { parseArgs } from "node:util"
import { runCli, runForeground } from "../run/supervise.mjs"
import { CliError } from "../setup/cli-error.mjs"
import { installSystemPrograms } from "../setup/install-system-packages.mjs"
import { installAndBuild } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

const USAGE = `npm run bench [-- OPTIONS]
  --quick     fewer rounds: figures to look at, not to compare
  --phone     the pages on a phone alone, nine loads of each with their spread
  --purchase  the processor time of a whole purchase alone
  --latency   latency at 70 % of saturation alone, and the longest pieces of work
  --memory    memory under mixed load at half of saturation alone
  --minutes N of --memory on each engine, an hour unless given
  --start     the first start, a second one, and a restart under load alone
  --growth    databases with 10^3 and 10^6 orders alone
  --console   the operator's console with 10^6 orders alone
  --webhooks  the delivery of 10^5 events to an endpoint alone
  --resume    goes on after the stages that an interrupted run of this build has measured
  --check     fails if a ratio is worse than the last recorded one
  --record    adds the figures to docs/bench-history.json`

await runCli(async () => {
  const isAsked = readOptions()
  if (isAsked) {
    console.log(USAGE)
    return 0
  }
  // Reported before measuring, because the stages that need them run late.
  const missing = await installSystemPrograms(["postgresql"])
  if (missing.length > 0) return 1
  const hasBrowser = await installBrowser()
  if (!hasBrowser && process.argv.includes("--phone")) return 1
  await installAndBuild()
  const args = [inProject("scripts", "run", "run-bench.mjs"), ...process.argv.slice(2)]
  return runForeground(args, { NODE_ENV: "production" })
})

/**
 * Installs Chromium where that is possible. Only the figures of the phone need it.
 * @returns {Promise<boolean>} whether there is one
 */
async function installBrowser() {
  try {
    if ((await installSystemPrograms(["chromium"])).length === 0) return true
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(error.message)
  }
  console.error("Without Chromium the pages on a phone are left out.")
  return false
}

/**
 * Refuses an unknown option before anything is installed or measured.
 * @returns {boolean} whether the usage is asked for
 */
function readOptions() {
  const flag = /** @type {const} */ ({ type: "boolean" })
  const options = {
    quick: flag,
    phone: flag,
    purchase: flag,
    latency: flag,
    memory: flag,
    minutes: /** @type {const} */ ({ type: "string" }),
    start: flag,
    growth: flag,
    console: flag,
    webhooks: flag,
    resume: flag,
    check: flag,
    record: flag,
    help: { ...flag, short: "h" },
  }
  try {
    const { help, minutes } = parseArgs({ options }).values
    if (minutes !== undefined && !(Number(minutes) > 0)) throw new Error(`--minutes ${minutes} is no length`)
    return help === true
  } catch (error) {
    throw new CliError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}
