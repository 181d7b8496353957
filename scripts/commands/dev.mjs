import { runForeground } from "../run/run-foreground.mjs"
import { runCli } from "../setup/cli-error.mjs"
import { installDependencies } from "../setup/install-dependencies.mjs"
import { inProject } from "../setup/project-root.mjs"

await runCli(async () => {
  await installDependencies()
  return runForeground([inProject("scripts", "run", "dev-server.mjs")], { NODE_ENV: "development" })
})
