import { runForeground } from "../run/run-foreground.mjs"
import { runCli } from "../setup/cli-error.mjs"
import { installAndBuild, serverProgram } from "../setup/prepare.mjs"

await runCli(async () => {
  await installAndBuild()
  return runForeground([serverProgram], { NODE_ENV: "production" })
})
