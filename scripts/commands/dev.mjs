import { runCli, runForeground } from "../run/supervise.mjs"
import { installDependencies } from "../setup/install-dependencies.mjs"
import { withoutArguments } from "../setup/no-arguments.mjs"
import { inProject } from "../setup/project-root.mjs"

const USAGE = `Usage: npm run dev

Starts the shop for development, with hot reload. Its settings are environment variables; docs/configuration.md lists them.`

await runCli(() =>
  withoutArguments(USAGE, async () => {
    await installDependencies()
    return runForeground([inProject("scripts", "run", "dev-server.mjs")], { NODE_ENV: "development" })
  }),
)
