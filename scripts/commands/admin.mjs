import { runForeground } from "../run/run-foreground.mjs"
import { runCli } from "../setup/cli-error.mjs"
import { installAndBuild, serverProgram } from "../setup/prepare.mjs"

await runCli(async () => {
  await installAndBuild()
  return runForeground(
    [serverProgram, "books", ...process.argv.slice(2)],
    { NODE_ENV: "production" },
    "inherit",
  )
})
