import { runCli, runForeground } from "../run/supervise.mjs"
import { installDependencies } from "../setup/install-dependencies.mjs"
import { withoutArguments } from "../setup/no-arguments.mjs"
import { inProject } from "../setup/project-root.mjs"

const USAGE = `Usage: npm run whmcs-simulator

Starts a simulated WHMCS with the demo catalogue on port 3002 (PORT) and prints the command that starts a shop on it.
docs/whmcs.md describes a purchase through it.`

await runCli(() =>
  withoutArguments(USAGE, async () => {
    await installDependencies()
    return runForeground([inProject("tests", "fakes", "whmcs-simulator", "main.mjs")], {})
  }),
)
