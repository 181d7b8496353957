import { runCli, runForeground } from "../run/supervise.mjs"
import { warnOfFormerScript } from "../setup/former-scripts.mjs"
import { installAndBuild, serverProgram } from "../setup/prepare.mjs"

await runCli(async () => {
  warnOfFormerScript()
  await installAndBuild()
  return runForeground(
    [serverProgram, "admin", ...process.argv.slice(2)],
    { NODE_ENV: "production" },
    "inherit",
  )
})
