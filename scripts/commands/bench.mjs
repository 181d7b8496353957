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
  --growth    databases with 10^3 and 10^6 orders alone
  --console   the operator's console with 10^6 orders alone
  --webhooks  the delivery of 10^5 events to an endpoint alone
  --check     fails if a ratio is worse than the last recorded one
  --record    adds the figures to docs/bench-history.json`

await runCli(async () => {
  const isAsked = readOptions()
  if (isAsked) {
    console.log(USAGE)
    return 0
  }
  // Reported before measuring, because the Lighthouse stage runs last.
  const missing = await installSystemPrograms(["chromium", "postgresql"])
  if (missing.length > 0) return 1
  await installAndBuild()
  const args = [inProject("scripts", "run", "run-bench.mjs"), ...process.argv.slice(2)]
  return runForeground(args, { NODE_ENV: "production" })
})

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
    growth: flag,
    console: flag,
    webhooks: flag,
    check: flag,
    record: flag,
    help: { ...flag, short: "h" },
  }
  try {
    return parseArgs({ options }).values.help === true
  } catch (error) {
    throw new CliError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}
